"""Nodes that several launch files start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from launch.actions import IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_context import LaunchContext
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from robodyn_ros.launching.arguments import PACKAGE, given, own_file
from robodyn_ros.launching.rows import FOLLOWED, TO_SIMULATORS, Row


def described() -> dict[str, Any]:
    """Return what nodes have in common that read or publish the description."""
    return {
        "namespace": LaunchConfiguration("namespace"),
        "output": "screen",
        "remappings": [("robot_description", LaunchConfiguration("robot_description_topic"))],
    }


def included(name: str, values: dict[str, Any]) -> IncludeLaunchDescription:
    """Return another of our launch files with these arguments."""
    source = PythonLaunchDescriptionSource(own_file("launch", f"{name}.launch.py"))
    return IncludeLaunchDescription(source, launch_arguments=values.items())


def followers() -> IncludeLaunchDescription:
    """Return what follows a robot that this launch file simulates."""
    return included("bringup", {name: LaunchConfiguration(name) for name in FOLLOWED})


def to_simulator(
    context: LaunchContext, rows: Iterable[Row], flags: Sequence[str]
) -> list[LaunchConfiguration | dict[str, Any]]:
    """Return the parameters of a simulator: its file, and what is set here of these and its own."""
    names = (*TO_SIMULATORS, *(name for name, _, _ in rows))
    return [LaunchConfiguration("simulator_params_file"), given(context, names, flags)]


def viewer(*parameters: Any, **more: Any) -> Node:
    """Return the viewer, which is started on request."""
    return Node(
        package=PACKAGE,
        executable="viewer",
        condition=IfCondition(LaunchConfiguration("viewer")),
        parameters=list(parameters),
        **more,
    )
