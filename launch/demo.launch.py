"""A robot that moves: a smooth motion that is played or, with `simulator:=true`, a simulated robot.

    ros2 launch robodyn_ros demo.launch.py viewer:=true
    ros2 launch robodyn_ros demo.launch.py simulator:=true viewer:=true

The viewer serves a page on this machine, on which the robot is seen and moved; the log has its
address. Simulated, the robot is held by its servos at first. The other arguments of
bringup.launch.py, or of simulation.launch.py, are taken too.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import IncludeLaunchDescription, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from robodyn_ros.launching.arguments import declared, flag, given, own_file, text
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described, included, viewer
from robodyn_ros.launching.rows import (
    DESCRIPTION_FILE,
    DESCRIPTION_TOPIC,
    FRAME_PREFIX,
    NAMESPACE,
    RVIZ,
    USE_SIM_TIME,
    VIEWER,
)

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    NAMESPACE,
    FRAME_PREFIX,
    USE_SIM_TIME,
    DESCRIPTION_TOPIC,
    ("params_file", "", "Parameter file of state_publisher, or robodyn_node; empty for theirs."),
    ("simulator", "false", "Whether the robot is simulated; else a motion is played."),
    VIEWER,
    RVIZ,
    DESCRIPTION_FILE,
    (
        "player_params_file",
        ("config", "joint_trajectory_demo.yaml"),
        "Parameter file of joint_trajectory_demo.",
    ),
)
FLAGS = ("use_sim_time", "simulator", "viewer", "rviz")
FORWARDED = (
    "robot_description_file",
    "namespace",
    "frame_prefix",
    "use_sim_time",
    "params_file",
    "robot_description_topic",
    "rviz",
)


def with_those_set(context: LaunchContext, name: str, **values: str) -> IncludeLaunchDescription:
    """Return a launch file with the arguments that are set, else with these values."""
    # An argument that is empty here would be so there too, whatever its default is.
    set_here = {key: text(context, key) or values.get(key, "") for key in FORWARDED}
    return included(name, {**values, **set_here})


def robot(context: LaunchContext) -> list[IncludeLaunchDescription | Node]:
    """Return what moves the robot, what follows it and what shows it."""
    is_seen, is_simulated = flag(context, "viewer"), flag(context, "simulator")
    shown = "true" if is_seen else "false"
    # The page shows efforts, which robodyn_node has and state_publisher has not.
    follower = "robodyn_node" if is_seen or is_simulated else "state_publisher"
    file = own_file("config", f"{follower}.yaml").perform(context)
    if is_simulated:
        values = {"use_sim_time": "true", "hold": "true", "viewer": shown}
        return [with_those_set(context, "simulation", params_file=file, **values)]
    follows = with_those_set(context, "bringup", params_file=file, dynamics=shown)
    return [follows, *players(context)]


def players(context: LaunchContext) -> list[Node]:
    """Return the node that plays, which reads the description that is published, and the viewer."""
    time = given(context, ["use_sim_time"], FLAGS)
    return [
        Node(
            package=PACKAGE,
            executable="joint_trajectory_demo",
            parameters=[LaunchConfiguration("player_params_file"), time],
            **described(),
        ),
        viewer(time, **described()),
    ]


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription(
        [
            *declared(ARGUMENTS),
            checked(ARGUMENTS, flags=FLAGS),
            OpaqueFunction(function=robot),
        ]
    )
