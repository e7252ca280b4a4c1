"""A robot that moves: bringup.launch.py and a player of smooth motions.

ros2 launch robodyn_ros demo.launch.py rviz:=true
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

PACKAGE = "robodyn_ros"
FORWARDED = ("robot_description_file", "namespace", "frame_prefix", "rviz")


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare(PACKAGE)
    own_arm = PathJoinSubstitution([share, "urdf", "demo_arm.urdf"])
    player_parameters = PathJoinSubstitution([share, "config", "joint_trajectory_demo.yaml"])
    bringup = PathJoinSubstitution([share, "launch", "bringup.launch.py"])
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                "robot_description_file",
                default_value=own_arm,
                description="A .urdf or .xacro file.",
            ),
            DeclareLaunchArgument(
                "namespace", default_value="", description="Namespace of the nodes."
            ),
            DeclareLaunchArgument(
                "frame_prefix",
                default_value="",
                description="Put before every frame name as it is.",
            ),
            DeclareLaunchArgument(
                "rviz", default_value="false", description="Whether to start RViz."
            ),
            DeclareLaunchArgument(
                "player_params_file",
                default_value=player_parameters,
                description="Parameter file of joint_trajectory_demo.",
            ),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(bringup),
                launch_arguments=[(name, LaunchConfiguration(name)) for name in FORWARDED],
            ),
            Node(
                package=PACKAGE,
                executable="joint_trajectory_demo",
                namespace=LaunchConfiguration("namespace"),
                output="screen",
                # It reads the description that state_publisher publishes.
                parameters=[LaunchConfiguration("player_params_file")],
            ),
        ]
    )
