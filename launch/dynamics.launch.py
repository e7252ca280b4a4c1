"""Services for a robot's dynamics, and its efforts: dynamics_server.

    ros2 launch robodyn_ros dynamics.launch.py robot_description_file:=/path/to/robot.urdf

Without a file the description is taken from a topic, as another node publishes it. What is set
here goes before what `params_file` says; what is not set is left to it. Where frames are wanted
too, `bringup.launch.py dynamics:=true` has both in one process.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    ("robot_description_topic", "robot_description", "Topic that carries the description."),
    ("namespace", "", "Namespace of the node."),
)
PARAMETERS = (
    ("robot_description_file", "A .urdf, .xacro or .yaml file; empty to use the topic."),
    ("frame_prefix", "Put before every frame name as it is, say 'left/'."),
    ("world_frame", "Frame that the motion of bodies is given in, say 'odom'."),
    ("base", "How the root link is held: described, fixed, floating or prescribed."),
    ("base_input", "What moves it: none, odometry, imu, odometry_and_imu, description or file."),
    ("base_motion_file", "A .csv or .yaml file with its motion, for base_input:=file."),
    ("gravity_source", "What says how the robot is turned: parameter, frame or imu."),
    ("gravity_frame", "Frame in whose axes gravity is given, for gravity_source frame."),
    (
        "driver_compensates_gravity",
        "Whether the robot's driver adds the efforts that hold the weight: true or false.",
    ),
    ("use_sim_time", "Whether time comes from /clock: true or false."),
)
FLAGS = ("driver_compensates_gravity", "use_sim_time")


def given(context: LaunchContext) -> dict[str, ParameterValue]:
    """Return those of the parameters that are set."""
    return {
        name: ParameterValue(LaunchConfiguration(name), value_type=bool if name in FLAGS else str)
        for name, _ in PARAMETERS
        if LaunchConfiguration(name).perform(context)
    }


def nodes(context: LaunchContext) -> list[Node]:
    """Return the node with the parameters that are set."""
    return [
        Node(
            package=PACKAGE,
            executable="dynamics_server",
            namespace=LaunchConfiguration("namespace"),
            output="screen",
            remappings=[
                ("robot_description", LaunchConfiguration("robot_description_topic")),
            ],
            parameters=[LaunchConfiguration("params_file"), given(context)],
        )
    ]


def generate_launch_description() -> LaunchDescription:
    default_parameters = PathJoinSubstitution(
        [FindPackageShare(PACKAGE), "config", "dynamics_server.yaml"]
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
                description="Parameter file of dynamics_server.",
            ),
            OpaqueFunction(function=nodes),
        ]
    )
