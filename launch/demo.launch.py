"""A robot that moves: a smooth motion that is played or, with `simulator:=true`, a simulated robot.

    ros2 launch robodyn_ros demo.launch.py viewer:=true
    ros2 launch robodyn_ros demo.launch.py simulator:=true viewer:=true

The viewer serves a page on this machine, on which the robot is seen and moved; the log has its
address. Simulated, the robot is held by its servos at first. The other arguments of
bringup.launch.py, or of simulation.launch.py, are taken too.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.conditions import IfCondition
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
    ("params_file", "", "Parameter file of state_publisher, or robodyn_node; empty for theirs."),
    ("simulator", "false", "Whether the robot is simulated; else a motion is played."),
    ("viewer", "false", "Whether to start the viewer's page."),
    ("rviz", "false", "Whether to start RViz."),
)
FILES = (
    ("robot_description_file", ("urdf", "demo_arm.urdf"), "A .urdf, .xacro or .yaml file."),
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


def included(
    context: LaunchContext, file: PathJoinSubstitution, **values: str
) -> IncludeLaunchDescription:
    """Return a launch file with the arguments that are set, else with these values."""
    given = {name: LaunchConfiguration(name).perform(context) for name in FORWARDED}
    # An argument that is empty here would be so there too, whatever its default is.
    given = {name: value or values.get(name, "") for name, value in given.items()}
    return IncludeLaunchDescription(
        PythonLaunchDescriptionSource(file), launch_arguments={**values, **given}.items()
    )


def robot(context: LaunchContext) -> list[IncludeLaunchDescription | Node]:
    """Return what moves the robot, what follows it and what shows it."""
    share = FindPackageShare(PACKAGE)
    is_seen = IfCondition(LaunchConfiguration("viewer")).evaluate(context)
    is_simulated = IfCondition(LaunchConfiguration("simulator")).evaluate(context)
    viewer = "true" if is_seen else "false"
    # The page shows efforts, which robodyn_node has and state_publisher has not.
    file = PathJoinSubstitution([share, "config", "state_publisher.yaml"]).perform(context)
    if is_seen or is_simulated:
        file = PathJoinSubstitution([share, "config", "robodyn_node.yaml"]).perform(context)
    if is_simulated:
        simulation = PathJoinSubstitution([share, "launch", "simulation.launch.py"])
        values = {"use_sim_time": "true", "hold": "true", "viewer": viewer}
        return [included(context, simulation, params_file=file, **values)]
    bringup = PathJoinSubstitution([share, "launch", "bringup.launch.py"])
    return [included(context, bringup, params_file=file, dynamics=viewer), *players(context)]


def players(context: LaunchContext) -> list[Node]:
    """Return the node that plays, which reads the description that is published, and the viewer."""
    use_sim_time = LaunchConfiguration("use_sim_time")
    is_set = use_sim_time.perform(context)
    time = {"use_sim_time": ParameterValue(use_sim_time, value_type=bool)} if is_set else {}
    own = {
        "namespace": LaunchConfiguration("namespace"),
        "output": "screen",
        "remappings": [("robot_description", LaunchConfiguration("robot_description_topic"))],
    }
    return [
        Node(
            package=PACKAGE,
            executable="joint_trajectory_demo",
            parameters=[LaunchConfiguration("player_params_file"), time],
            **own,
        ),
        Node(
            package=PACKAGE,
            executable="viewer",
            condition=IfCondition(LaunchConfiguration("viewer")),
            parameters=[time],
            **own,
        ),
    ]


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare(PACKAGE)
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
            OpaqueFunction(function=robot),
        ]
    )
