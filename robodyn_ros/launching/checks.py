"""Values of arguments that cannot be are refused before anything is started.

A node would refuse most of them too: after other processes have been started, which nobody ends
then, and `ros2 launch` ends as if nothing had been wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from launch.actions import OpaqueFunction
from launch.launch_context import LaunchContext
from rclpy.exceptions import NameValidationException
from rclpy.expand_topic_name import expand_topic_name
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_namespace import validate_namespace
from rclpy.validate_topic_name import validate_topic_name
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from robodyn_ros.description.missing_file import missing_file_hint
from robodyn_ros.description.source import read_source
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.launching.arguments import flag, text
from robodyn_ros.launching.rows import Row

_PATH_SHOWN = 200


def checked(
    rows: Iterable[Row], *, flags: Sequence[str] = (), nodes: Sequence[str] = ()
) -> OpaqueFunction:
    """Return what refuses values that cannot be, in one line.

    What an argument is goes by its name: a namespace, a topic where it ends in `_topic`, a file
    where it ends in `_file`. One whose default is empty may be left empty.

    Args:
        rows: The arguments.
        flags: Those that are true or false.
        nodes: Nodes whose parameters the others may be: they must be what these would take.
    """
    defaults = {name: default for name, default, _ in rows}

    def refuse(context: LaunchContext) -> None:
        values = {name: text(context, name) for name in defaults}
        given = {name: value for name, value in values.items() if value or defaults[name]}
        for name, value in given.items():
            if name in flags:
                flag(context, name)
            elif trouble := _problem(name, value):
                raise ArgumentError(trouble)
        of_nodes = {name: value for name, value in given.items() if name not in flags}
        if trouble := _problem_of_parameters(of_nodes, nodes):
            raise ArgumentError(trouble)

    return OpaqueFunction(function=refuse)


def _problem(name: str, value: str) -> str:
    """Return what is wrong with the value of an argument, by its name; "" for nothing."""
    if name == "namespace":
        return problem_of_namespace(value)
    if name.endswith("_topic"):
        return problem_of_topic(name, value)
    if name.endswith("_topics"):
        topics = filter(None, map(str.strip, value.split(",")))
        return next(filter(None, (problem_of_topic(name, topic) for topic in topics)), "")
    if name.endswith("_file"):
        return problem_of_file(name, value)
    return ""


def problem_of_namespace(value: str) -> str:
    """Return what is wrong with a namespace, which may begin with a slash; "" for nothing."""
    return _complaint(validate_namespace, f"/{value.lstrip('/')}", "namespace", value, "namespace")


def problem_of_topic(name: str, value: str) -> str:
    """Return what is wrong with the name of a topic, absolute or not; "" for nothing."""
    return _complaint(_validate_topic, value, name, value, "name of a topic")


def _validate_topic(value: str) -> None:
    """Raise NameValidationException where a node could not use a topic."""
    validate_topic_name(value)
    validate_full_topic_name(expand_topic_name(value, "node", "/"))


def _complaint(
    validate: Callable[[str], object], whole: str, name: str, value: str, kind: str
) -> str:
    try:
        validate(whole)
    except NameValidationException as error:
        reason = " ".join(str(error).splitlines()[0].split())
        return f"{name}: {quoted(value)} is no {kind}: {reason.rstrip(':')}"
    return ""


def problem_of_file(name: str, value: str) -> str:
    """Return what is wrong with the path of a file; "" for nothing.

    Parameter files have to be YAML; other files are read by those that they are for.
    """
    if name == "robot_description_file":
        # Where it may be empty is for the nodes to say.
        if value and not Path(value).expanduser().is_file():
            read_source(Path(value))
        return ""
    # Nobody resolves ~ there.
    if not Path(value).is_file():
        hint = missing_file_hint(value, (Path(value).suffix or ".yaml",))
        return f"{name}: {quoted(value, _PATH_SHOWN)} is no file" + (f" ({hint})" if hint else "")
    return _problem_of_yaml(name, Path(value)) if name.endswith("params_file") else ""


def _problem_of_yaml(name: str, path: Path) -> str:
    """Return where a file is no parameter file; what its values mean is not looked at."""
    begin = f"{name}: {quoted(str(path), _PATH_SHOWN)}"
    yaml = YAML(typ="safe", pure=True)
    yaml.allow_duplicate_keys = True
    try:
        content = yaml.load(path.read_bytes())
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" at line {mark.line + 1}" if mark is not None else ""
        return f"{begin} is not valid YAML{line}: {error.problem}"
    except (YAMLError, OSError, ValueError) as error:
        return f"{begin} cannot be read: {' '.join(str(error).split())}"
    lacking = _without_parameters(content, "it")
    if not lacking:
        return ""
    return f"{begin}: {lacking} has no ros__parameters; write NODE: {{ros__parameters: {{...}}}}"


def _without_parameters(content: object, name: str) -> str:
    """Return what of a parameter file leads to no parameters; "" for nothing."""
    if not isinstance(content, dict):
        return name
    if "ros__parameters" in content:
        return "" if isinstance(content["ros__parameters"], dict) else name
    found = (_without_parameters(value, quoted(str(key))) for key, value in content.items())
    return next(filter(None, found), "")


def _problem_of_parameters(values: dict[str, str], nodes: Sequence[str]) -> str:
    """Return what nodes would not take of the texts that they are given."""
    if not values or not nodes:
        return ""
    # Where nothing is given, launch need not wait for it.
    from robodyn_ros.ros.parameter_tables import PARAMETERS

    specs = (spec for node in nodes for spec in PARAMETERS[node] if spec.kind is str)
    problems = (spec.problem(values[spec.name]) for spec in specs if spec.name in values)
    return next(filter(None, problems), "")
