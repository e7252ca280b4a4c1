"""A simulated robot: simulator, robodyn_node over what it publishes and, on request, pictures.

    ros2 launch robodyn_ros simulation.launch.py robot_description_file:=robot.urdf rviz:=true

Time is the simulator's, on /clock. With `viewer:=true` a page on which the robot is seen, moved
and pushed is served; robodyn_node is told of the external wrenches. What is set here goes before
what the parameter files say; what is not set is left to them.
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
    ("robot_description_topic", "robot_description", "Topic that carries the description."),
    ("dynamics", "true", "Whether robodyn_node follows the robot; else state_publisher does."),
    ("viewer", "false", "Whether to start the viewer's page."),
    ("rviz", "false", "Whether to start RViz."),
    ("use_sim_time", "true", "Whether the other nodes take their time from /clock."),
    ("frame_prefix", "", "Put before every frame name as it is, say 'left/'."),
    ("wrench_topics", "simulator/external_wrenches", "Topics of external wrenches to follow."),
    ("base", "", "How the root link is held: described, fixed or floating."),
)
PARAMETERS = (
    ("integrator", "How a step is taken: rk4 or semi_implicit_euler."),
    ("initial_state", "Where the robot begins: described or random."),
    ("hold", "Whether servos hold the robot where it begins: true or false."),
    ("paused", "Whether simulated time stands still at the start: true or false."),
    ("publish_clock", "Whether the simulator publishes /clock: true or false."),
)
FLAGS = ("hold", "paused", "publish_clock")
FILES = (
    ("robot_description_file", ("urdf", "demo_arm.urdf"), "A .urdf, .xacro or .yaml file."),
    ("params_file", ("config", "robodyn_node.yaml"), "Parameter file of robodyn_node."),
    ("simulator_params_file", ("config", "simulator.yaml"), "Parameter file of simulator."),
)
FORWARDED = (
    "namespace",
    "robot_description_topic",
    "dynamics",
    "rviz",
    "use_sim_time",
    "frame_prefix",
    "base",
    "wrench_topics",
    "params_file",
)


def given(context: LaunchContext, *names: str) -> dict[str, ParameterValue]:
    """Return those of the parameters that are set."""
    return {
        name: ParameterValue(LaunchConfiguration(name), value_type=bool if name in FLAGS else str)
        for name in names
        if LaunchConfiguration(name).perform(context)
    }


def check_flags(context: LaunchContext) -> list[Node]:
    """Refuse what is no flag before anything is started, which nobody would end then."""
    IfCondition(LaunchConfiguration("viewer")).evaluate(context)
    for flag in given(context, *FLAGS).values():
        flag.evaluate(context)
    return []


def nodes(context: LaunchContext) -> list[Node]:
    """Return the simulator, which publishes the description, and the viewer."""
    own = {
        "namespace": LaunchConfiguration("namespace"),
        "output": "screen",
        "remappings": [("robot_description", LaunchConfiguration("robot_description_topic"))],
    }
    file = ParameterValue(LaunchConfiguration("robot_description_file"), value_type=str)
    set_here = given(context, "frame_prefix", "base", *(name for name, _ in PARAMETERS))
    return [
        Node(
            package=PACKAGE,
            executable="simulator",
            parameters=[
                LaunchConfiguration("simulator_params_file"),
                {"robot_description_file": file, **set_here},
            ],
            **own,
        ),
        Node(
            package=PACKAGE,
            executable="viewer",
            condition=IfCondition(LaunchConfiguration("viewer")),
            **own,
        ),
    ]


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare(PACKAGE)
    bringup = PathJoinSubstitution([share, "launch", "bringup.launch.py"])
    rows = (
        *ARGUMENTS,
        *((name, "", text) for name, text in PARAMETERS),
        *((name, PathJoinSubstitution([share, *parts]), text) for name, parts, text in FILES),
    )
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(name, default_value=default, description=text)
                for name, default, text in rows
            ),
            OpaqueFunction(function=check_flags),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(bringup),
                launch_arguments=[(name, LaunchConfiguration(name)) for name in FORWARDED],
            ),
            OpaqueFunction(function=nodes),
        ]
    )
