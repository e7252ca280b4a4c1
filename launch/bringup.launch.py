"""Frames, velocities and accelerations of a robot: state_publisher and, on request, RViz.

With `dynamics:=true` robodyn_node takes its place: the same, and services and efforts besides.

    ros2 launch robodyn_ros bringup.launch.py robot_description_file:=/path/to/robot.urdf rviz:=true

Without a file the description is taken from a topic, as another node publishes it. What is set
here goes before what `params_file` says; what is not set is left to it.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import OpaqueFunction
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackagePrefix

from robodyn_ros.launching.arguments import declared, flag, given, own_file
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described
from robodyn_ros.launching.rows import (
    DESCRIPTION_TOPIC,
    FRAME_PREFIX,
    NAMESPACE,
    OF_MOVING_BASES,
    RVIZ,
    USE_SIM_TIME,
)

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    DESCRIPTION_TOPIC,
    NAMESPACE,
    ("dynamics", "false", "Whether to start robodyn_node in place of state_publisher."),
    RVIZ,
    (
        "params_file",
        ("config", "state_publisher.yaml"),
        "Parameter file of state_publisher, or robodyn_node.",
    ),
)
PARAMETERS = (
    ("robot_description_file", "", "A .urdf, .xacro or .yaml file; empty to use the topic."),
    FRAME_PREFIX,
    ("world_frame", "", "Frame that body states are given in, say 'odom'."),
    *OF_MOVING_BASES,
    ("wrench_topics", "", "Topics of external wrenches, separated by commas."),
    ("publish_base", "", "Whether to publish the root link's own transform: true or false."),
    USE_SIM_TIME,
)
FLAGS = ("dynamics", "rviz", "publish_base", "use_sim_time")


def check_rviz(context: LaunchContext) -> None:
    """Find out whether RViz can be started before anything is."""
    if not flag(context, "rviz"):
        return
    try:
        FindPackagePrefix("rviz2").perform(context)
    except LookupError:
        raise RuntimeError(
            "rviz:=true needs the package rviz2, which is not found: install it"
            " (sudo apt install ros-$ROS_DISTRO-rviz2) or leave rviz:=true out"
        ) from None


def nodes(context: LaunchContext) -> list[Node]:
    """Return the nodes, each with the parameters that are set."""
    names = [name for name, _, _ in PARAMETERS]
    parameters = [LaunchConfiguration("params_file"), given(context, names, FLAGS)]
    own = {**described(), "parameters": parameters}
    dynamics = LaunchConfiguration("dynamics")
    return [
        Node(
            package=PACKAGE,
            executable="state_publisher",
            condition=UnlessCondition(dynamics),
            **own,
        ),
        Node(package=PACKAGE, executable="robodyn_node", condition=IfCondition(dynamics), **own),
        Node(
            package="rviz2",
            executable="rviz2",
            condition=IfCondition(LaunchConfiguration("rviz")),
            arguments=["-d", own_file("rviz", "robodyn.rviz")],
            parameters=[given(context, ["use_sim_time"], FLAGS)],
            **described(),
        ),
    ]


def generate_launch_description() -> LaunchDescription:
    rows = (*ARGUMENTS, *PARAMETERS)
    return LaunchDescription(
        [
            *declared(rows),
            checked(rows, flags=FLAGS, nodes=["robodyn_node"]),
            OpaqueFunction(function=check_rviz),
            OpaqueFunction(function=nodes),
        ]
    )
