"""The parameters of `viewer`: one row each."""

from __future__ import annotations

import re

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.parameter_specs import Spec, Value

_NAME = re.compile(r"/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*", re.ASCII)
MOST_ROBOTS = 32


def _name_problem(parameter: str, value: Value) -> str:
    if _NAME.fullmatch(str(value)):
        return ""
    return f"{parameter} must be the name of a node, got {quoted(value)}"


def _node_name(parameter: str, default: str, text: str) -> Spec:
    return Spec(
        parameter,
        str,
        text,
        default=default,
        read_only=True,
        check=lambda value: _name_problem(parameter, value),
    )


def robot_names(value: Value) -> tuple[str, ...]:
    """Return the namespaces in the parameter `robots`; ("",) where it names none.

    Raises:
        ArgumentError: something that is no namespace, one twice, or too many.
    """
    names = tuple(word.strip().rstrip("/") for word in str(value).split(",") if word.strip())
    for name in names:
        if not _NAME.fullmatch(name):
            raise ArgumentError(
                f"robots must be namespaces, separated by commas, got {quoted(name)} among them"
            )
    if len(set(names)) < len(names):
        raise ArgumentError(f"robots names one twice: {quoted(value)}")
    if len(names) > MOST_ROBOTS:
        raise ArgumentError(f"robots names {len(names)}; {MOST_ROBOTS} fit on a page")
    return names or ("",)


def _robots_problem(value: Value) -> str:
    try:
        robot_names(value)
    except ArgumentError as error:
        return str(error)
    return ""


def _topic_problem(value: Value) -> str:
    if not value or _NAME.fullmatch(str(value)):
        return ""
    return f"command_topic must be the name of a topic, got {quoted(value)}"


PAGE_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "host",
        str,
        "Address that the page is served on. With another than the loopback's, whoever reaches it"
        " over the network can see the robot and use every control.",
        default="127.0.0.1",
        read_only=True,
    ),
    Spec(
        "port",
        int,
        "TCP port of the page; 0 for any free one.",
        default=8080,
        lower=0,
        upper=65535,
        read_only=True,
    ),
    Spec(
        "origins",
        str,
        "Origins beside the page's own whose pages may connect, such as a proxy's"
        " (https://robots.example), separated by commas.",
        default="",
        read_only=True,
    ),
    Spec(
        "robots",
        str,
        "Namespaces of the robots that are shown, separated by commas, relative to that of this"
        " node; empty for the one of this node's own namespace.",
        default="",
        read_only=True,
        check=_robots_problem,
    ),
    _node_name(
        "server",
        "robodyn_node",
        "Name of the node that publishes states and efforts and takes payloads and gravity, in the"
        " namespace of each robot.",
    ),
    _node_name(
        "simulator",
        "simulator",
        "Name of the simulator's node, in the namespace of each robot; it need not run.",
    ),
    _node_name(
        "demo",
        "joint_trajectory_demo",
        "Name of the node that plays motions, in the namespace of each robot; it need not run.",
    ),
    Spec(
        "allow_commands",
        bool,
        "Whether command_topic may be given: sliders then move what listens there, which may be a"
        " real robot.",
        default=False,
        read_only=True,
    ),
    Spec(
        "command_topic",
        str,
        "Topic that sliders send positions to (sensor_msgs/JointState, the coordinate that was"
        " moved), in the namespace of each robot, in place of the simulator's and the demo's;"
        " empty for these. It needs allow_commands.",
        default="",
        read_only=True,
        check=_topic_problem,
    ),
    Spec(
        "scene_rate",
        float,
        "Times a second that robots are drawn anew while somebody looks, Hz.",
        default=30.0,
        lower=1.0,
        upper=60.0,
        read_only=True,
    ),
)
"""Those beside the robot's description."""
