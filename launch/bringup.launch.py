"""Frames, velocities and accelerations of a robot: state_publisher and, on request, RViz.

    ros2 launch robodyn_ros bringup.launch.py robot_description_file:=/path/to/robot.urdf rviz:=true

Without a file the description is taken from a topic, as another node publishes it.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    ("robot_description_file", "", "A .urdf or .xacro file; empty to use the topic."),
    ("robot_description_topic", "robot_description", "Topic that carries the description."),
    ("namespace", "", "Namespace of the nodes."),
    ("frame_prefix", "", "Put before every frame name as it is, say 'left/'."),
    ("use_sim_time", "false", "Whether time comes from /clock."),
    ("rviz", "false", "Whether to start RViz."),
)


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare(PACKAGE)
    default_parameters = PathJoinSubstitution([share, "config", "state_publisher.yaml"])
    use_sim_time = ParameterValue(LaunchConfiguration("use_sim_time"), value_type=bool)
    topic = ("robot_description", LaunchConfiguration("robot_description_topic"))
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(name, default_value=default, description=text)
                for name, default, text in ARGUMENTS
            ),
            DeclareLaunchArgument(
                "params_file",
                default_value=default_parameters,
                description="Parameter file of state_publisher.",
            ),
            Node(
                package=PACKAGE,
                executable="state_publisher",
                namespace=LaunchConfiguration("namespace"),
                output="screen",
                remappings=[topic],
                parameters=[
                    LaunchConfiguration("params_file"),
                    {
                        "robot_description_file": ParameterValue(
                            LaunchConfiguration("robot_description_file"), value_type=str
                        ),
                        "frame_prefix": ParameterValue(
                            LaunchConfiguration("frame_prefix"), value_type=str
                        ),
                        "use_sim_time": use_sim_time,
                    },
                ],
            ),
            Node(
                package="rviz2",
                executable="rviz2",
                namespace=LaunchConfiguration("namespace"),
                output="screen",
                condition=IfCondition(LaunchConfiguration("rviz")),
                arguments=["-d", PathJoinSubstitution([share, "rviz", "robodyn.rviz"])],
                remappings=[topic],
                parameters=[{"use_sim_time": use_sim_time}],
            ),
        ]
    )
