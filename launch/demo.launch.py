"""A robot that moves: bringup.launch.py and a player of smooth motions.

    ros2 launch robodyn_ros demo.launch.py rviz:=true

The other arguments of bringup.launch.py are taken too.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    ("namespace", "", "Namespace of the nodes."),
    ("frame_prefix", "", "Put before every frame name as it is, say 'left/'."),
    ("use_sim_time", "", "Whether time comes from /clock: true or false."),
    ("robot_description_topic", "robot_description", "Topic that carries the description."),
    ("rviz", "false", "Whether to start RViz."),
)
FILES = (
    ("robot_description_file", ("urdf", "demo_arm.urdf"), "A .urdf, .xacro or .yaml file."),
    ("params_file", ("config", "state_publisher.yaml"), "Parameter file of state_publisher."),
    (
        "player_params_file",
        ("config", "joint_trajectory_demo.yaml"),
        "Parameter file of joint_trajectory_demo.",
    ),
)
FORWARDED = (
    "robot_description_file",
    "namespace",
    "frame_prefix",
    "use_sim_time",
    "params_file",
    "robot_description_topic",
    "rviz",
)


def player(context: LaunchContext) -> list[Node]:
    """Return the node that plays; it reads the description that state_publisher publishes."""
    use_sim_time = LaunchConfiguration("use_sim_time")
    is_set = use_sim_time.perform(context)
    own = {"use_sim_time": ParameterValue(use_sim_time, value_type=bool)} if is_set else {}
    return [
        Node(
            package=PACKAGE,
            executable="joint_trajectory_demo",
            namespace=LaunchConfiguration("namespace"),
            output="screen",
            remappings=[("robot_description", LaunchConfiguration("robot_description_topic"))],
            parameters=[LaunchConfiguration("player_params_file"), own],
        )
    ]


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare(PACKAGE)
    bringup = PathJoinSubstitution([share, "launch", "bringup.launch.py"])
    rows = (
        *ARGUMENTS,
        *((name, PathJoinSubstitution([share, *parts]), text) for name, parts, text in FILES),
    )
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(name, default_value=default, description=text)
                for name, default, text in rows
            ),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(bringup),
                launch_arguments=[(name, LaunchConfiguration(name)) for name in FORWARDED],
            ),
            OpaqueFunction(function=player),
        ]
    )
