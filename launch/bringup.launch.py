"""Frames, velocities and accelerations of a robot: state_publisher and, on request, RViz.

With `dynamics:=true` robodyn_node takes its place: the same, and services and efforts besides.

    ros2 launch robodyn_ros bringup.launch.py robot_description_file:=/path/to/robot.urdf rviz:=true

Without a file the description is taken from a topic, as another node publishes it. What is set
here goes before what `params_file` says; what is not set is left to it.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackagePrefix, FindPackageShare

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    ("robot_description_topic", "robot_description", "Topic that carries the description."),
    ("namespace", "", "Namespace of the nodes."),
    ("dynamics", "false", "Whether to start robodyn_node in place of state_publisher."),
    ("rviz", "false", "Whether to start RViz."),
)
PARAMETERS = (
    ("robot_description_file", "A .urdf, .xacro or .yaml file; empty to use the topic."),
    ("frame_prefix", "Put before every frame name as it is, say 'left/'."),
    ("world_frame", "Frame that body states are given in, say 'odom'."),
    ("base", "How the root link is held: described, fixed, floating or prescribed."),
    ("base_input", "What moves it: none, odometry, imu, odometry_and_imu, description or file."),
    ("base_motion_file", "A .csv or .yaml file with its motion, for base_input:=file."),
    ("wrench_topics", "Topics of external wrenches, separated by commas."),
    ("publish_base", "Whether to publish the root link's own transform: true or false."),
    ("use_sim_time", "Whether time comes from /clock: true or false."),
)
FLAGS = ("publish_base", "use_sim_time")


def check_rviz(context: LaunchContext) -> None:
    """Find out whether RViz can be started before anything is."""
    if not IfCondition(LaunchConfiguration("rviz")).evaluate(context):
        return
    try:
        FindPackagePrefix("rviz2").perform(context)
    except LookupError:
        raise RuntimeError(
            "rviz:=true needs the package rviz2, which is not found: install it"
            " (sudo apt install ros-$ROS_DISTRO-rviz2) or leave rviz:=true out"
        ) from None


def given(context: LaunchContext, *names: str) -> dict[str, ParameterValue]:
    """Return those of the parameters that are set."""
    return {
        name: ParameterValue(LaunchConfiguration(name), value_type=bool if name in FLAGS else str)
        for name in names
        if LaunchConfiguration(name).perform(context)
    }


def nodes(context: LaunchContext) -> list[Node]:
    """Return the nodes, each with the parameters that are set."""
    topic = ("robot_description", LaunchConfiguration("robot_description_topic"))
    own = {
        "namespace": LaunchConfiguration("namespace"),
        "output": "screen",
        "remappings": [topic],
        "parameters": [
            LaunchConfiguration("params_file"),
            given(context, *(name for name, _ in PARAMETERS)),
        ],
    }
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
            namespace=LaunchConfiguration("namespace"),
            output="screen",
            condition=IfCondition(LaunchConfiguration("rviz")),
            arguments=[
                "-d",
                PathJoinSubstitution([FindPackageShare(PACKAGE), "rviz", "robodyn.rviz"]),
            ],
            remappings=[topic],
            parameters=[given(context, "use_sim_time")],
        ),
    ]


def generate_launch_description() -> LaunchDescription:
    default_parameters = PathJoinSubstitution(
        [FindPackageShare(PACKAGE), "config", "state_publisher.yaml"]
    )
    rows = (*ARGUMENTS, *((name, "", text) for name, text in PARAMETERS))
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(name, default_value=default, description=text)
                for name, default, text in rows
            ),
            DeclareLaunchArgument(
                "params_file",
                default_value=default_parameters,
                description="Parameter file of state_publisher, or robodyn_node.",
            ),
            OpaqueFunction(function=check_rviz),
            OpaqueFunction(function=nodes),
        ]
    )
