"""A robot in MuJoCo as the hardware, robodyn_node over what it publishes and, on request, pictures.

    ros2 launch robodyn_ros mujoco.launch.py robot_description_file:=robot.urdf hold:=true

Time is MuJoCo's, on /clock. Controllers send efforts to forward_effort_controller/commands, or by
name to mujoco_simulator/effort_command. With `viewer:=true` a page on which the robot is seen,
moved and pushed is served. With `mjcf_file` the robot is that of an MJCF file, and
robot_description_file is not looked at. What is set here goes before what the parameter files say;
what is not set is left to them.
"""

from launch import Action, LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    OpaqueFunction,
    SetLaunchConfiguration,
)
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
    (
        "wrench_topics",
        "mujoco_simulator/external_wrenches",
        "Topics of external wrenches to follow.",
    ),
    ("base", "", "How the root link is held: described, fixed or floating."),
)
PARAMETERS = (
    ("mjcf_file", "Path of an MJCF file to load in place of a description."),
    ("integrator", "MuJoCo's integrator: implicitfast, implicit, euler or rk4."),
    ("initial_state", "Where the robot begins: described or random."),
    ("command_joints", "Joints that efforts are commanded to, in their order."),
    ("hold", "Whether servos hold the robot where it begins: true or false."),
    ("contacts", "Whether collision shapes touch: true or false."),
    ("ground", "Whether there is a ground at z = 0: true or false."),
    ("paused", "Whether simulated time stands still at the start: true or false."),
    ("publish_clock", "Whether the simulator publishes /clock: true or false."),
)
FLAGS = ("hold", "contacts", "ground", "paused", "publish_clock")
FILES = (
    ("robot_description_file", ("urdf", "demo_arm.urdf"), "A .urdf, .xacro or .yaml file."),
    ("params_file", ("config", "robodyn_node.yaml"), "Parameter file of robodyn_node."),
    (
        "simulator_params_file",
        ("config", "mujoco_simulator.yaml"),
        "Parameter file of mujoco_simulator.",
    ),
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


def description(context: LaunchContext) -> list[Action]:
    """Have robodyn_node take what the simulator makes of an MJCF file, where there is one."""
    # What is no flag is refused before anything is started.
    IfCondition(LaunchConfiguration("viewer")).evaluate(context)
    for flag in given(context, *FLAGS).values():
        flag.evaluate(context)
    if not LaunchConfiguration("mjcf_file").perform(context):
        return []
    return [SetLaunchConfiguration("robot_description_file", "")]


def nodes(context: LaunchContext) -> list[Action]:
    """Return the simulator, which publishes the description, and the viewer."""
    own = {
        "namespace": LaunchConfiguration("namespace"),
        "output": "screen",
        "remappings": [("robot_description", LaunchConfiguration("robot_description_topic"))],
    }
    set_here = given(context, "frame_prefix", "base", *(name for name, _ in PARAMETERS))
    if "mjcf_file" not in set_here:
        file = ParameterValue(LaunchConfiguration("robot_description_file"), value_type=str)
        set_here["robot_description_file"] = file
    return [
        Node(
            package=PACKAGE,
            executable="mujoco_simulator",
            parameters=[LaunchConfiguration("simulator_params_file"), set_here],
            **own,
        ),
        Node(
            package=PACKAGE,
            executable="viewer",
            parameters=[{"simulator": "mujoco_simulator"}],
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
            OpaqueFunction(function=description),
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(bringup),
                launch_arguments=[(name, LaunchConfiguration(name)) for name in FORWARDED],
            ),
            OpaqueFunction(function=nodes),
        ]
    )
