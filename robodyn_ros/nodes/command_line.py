"""What an executable's command line says besides ROS's own arguments; needs no ROS to be there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from robodyn_ros.errors import quoted

BEGIN, END = "--ros-args", "--"
_ABLE = ("rosout-logs", "stdout-logs", "external-lib-logs")
_OF_ROS = {
    *("-p", "--param", "--params-file", "-r", "--remap", "-e", "--enclave"),
    *("--log-level", "--log-config-file", "--log-file-name"),
    *(f"--{way}-{what}" for way in ("enable", "disable") for what in _ABLE),
}
_DESCRIPTION = (".urdf", ".xacro", ".xml", ".yaml", ".yml")
_ASSIGNMENT = re.compile(r"-*([\w/~.:-]+?)(:?=)(.*)", re.DOTALL)
_LONGEST = 200


def own_arguments(arguments: Sequence[str]) -> list[str]:
    """Return the arguments that are not ROS's, as `rclpy.utilities.remove_ros_args` does.

    ROS's are those from ``--ros-args`` to ``--`` or the end, any number of times. A rule outside
    counts as one's own here: ROS takes it for a renaming still, with a warning that it is
    deprecated, also where a parameter is meant.
    """
    own, inside = [], False
    for argument in arguments:
        if argument == BEGIN:
            inside = True
        elif inside and argument == END:
            inside = False
        elif not inside:
            own.append(argument)
    return own


def refusal(own: Sequence[str], parameters: Iterable[str]) -> str:
    """Return what is wrong with arguments that are not ROS's, and the remedy; "" for nothing.

    Empty ones are let pass: launch files give them where a substitution is empty.

    Args:
        own: The arguments.
        parameters: Names of the node's own parameters; robot_description_file is one.
    """
    given = [argument for argument in own if argument]
    if not given:
        return ""
    remedy = _remedy(given, {*parameters, "use_sim_time"})
    return f"unknown argument {quoted(given[0])}; {remedy}"


def _remedy(given: Sequence[str], parameters: set[str]) -> str:
    first, following = given[0], given[1] if len(given) > 1 else ""
    if first in _OF_ROS:
        return f"put --ros-args before it, e.g. --ros-args {_typed(first, following)}"
    name, sign, value = first.lstrip("-"), "", following
    assignment = _ASSIGNMENT.fullmatch(first)
    if assignment:
        name, sign, value = assignment.groups()
    key = name.replace("-", "_")
    files = (value,) if assignment else (first, following)
    path = next((x for x in files if x.lower().endswith(_DESCRIPTION)), "")
    if key in parameters:
        rule = f"{key}:={value or 'VALUE'}"
    elif sign == ":=" and not path:
        return f"give names after --ros-args, e.g. --ros-args {_typed('-r', first)}"
    else:
        rule = f"robot_description_file:={path or '/path/to/robot.urdf'}"
    return f"give parameters after --ros-args, e.g. --ros-args {_typed('-p', rule)}"


def _typed(option: str, value: str) -> str:
    """Return an option and its value as one types them; only the option where that is long."""
    is_short = value.isprintable() and len(value) <= _LONGEST
    return f"{option} {shlex.quote(value)}" if value and is_short else option
