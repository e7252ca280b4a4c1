"""Arguments of launch files: declared from rows, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from launch.actions import DeclareLaunchArgument
from launch.launch_context import LaunchContext
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.launching.rows import Row
from robodyn_ros.ros.parameter_specs import Spec

PACKAGE = "robodyn_ros"
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def own_file(*parts: str) -> PathJoinSubstitution:
    """Return a file of this package."""
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *parts])


def declared(
    rows: Iterable[Row], choices: Mapping[str, Sequence[str]] | None = None
) -> list[DeclareLaunchArgument]:
    """Return the arguments of the rows, with the values that those of `choices` may have."""
    return [
        DeclareLaunchArgument(
            name,
            default_value=default if isinstance(default, str) else own_file(*default),
            description=description,
            choices=(choices or {}).get(name),
        )
        for name, default, description in rows
    ]


def text(context: LaunchContext, name: str) -> str:
    """Return the value of an argument."""
    value: str = LaunchConfiguration(name).perform(context)
    return value


def flag(context: LaunchContext, name: str) -> bool:
    """Return whether an argument is set.

    Raises:
        ArgumentError: it is neither true nor false.
    """
    value = text(context, name)
    found = _FLAGS.get(value.strip().lower())
    if found is None:
        raise ArgumentError(f"{name} must be true or false, got {quoted(value)}")
    return found


def number(
    context: LaunchContext, name: str, lower: float | None = None, upper: float | None = None
) -> float:
    """Return an argument that is a number.

    Raises:
        ArgumentError: it is none, not finite, or not within the bounds.
    """
    return float(_parsed(text(context, name), Spec(name, float, "", lower=lower, upper=upper)))


def whole(context: LaunchContext, name: str) -> int:
    """Return an argument that is an integer.

    Raises:
        ArgumentError: it is none.
    """
    return int(_parsed(text(context, name), Spec(name, int, "")))


def _parsed(value: str, spec: Spec) -> float:
    """Return the number that a text is."""
    found: object = value
    with suppress(ValueError):
        found = spec.kind(value)  # type: ignore[arg-type]
    if trouble := spec.problem(found):
        raise ArgumentError(trouble)
    return found  # type: ignore[return-value]


def given(
    context: LaunchContext, names: Iterable[str], flags: Sequence[str] = ()
) -> dict[str, bool | ParameterValue]:
    """Return those of the parameters that are set, so that the others are left to files.

    A text would be read as YAML by launch, where `1` is a number.
    """
    return {
        name: flag(context, name)
        if name in flags
        else ParameterValue(LaunchConfiguration(name), value_type=str)
        for name in names
        if text(context, name)
    }
