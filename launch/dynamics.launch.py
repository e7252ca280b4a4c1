"""Services for a robot's dynamics, and its efforts: dynamics_server.

    ros2 launch robodyn_ros dynamics.launch.py robot_description_file:=/path/to/robot.urdf

Without a file the description is taken from a topic, as another node publishes it. What is set
here goes before what `params_file` says; what is not set is left to it. Where frames are wanted
too, `bringup.launch.py dynamics:=true` has both in one process.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

from robodyn_ros.launching.arguments import declared, given
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described
from robodyn_ros.launching.rows import (
    DESCRIPTION_TOPIC,
    FRAME_PREFIX,
    OF_MOVING_BASES,
    USE_SIM_TIME,
)

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    DESCRIPTION_TOPIC,
    ("namespace", "", "Namespace of the node."),
    ("params_file", ("config", "dynamics_server.yaml"), "Parameter file of dynamics_server."),
)
PARAMETERS = (
    ("robot_description_file", "", "A .urdf, .xacro or .yaml file; empty to use the topic."),
    FRAME_PREFIX,
    ("world_frame", "", "Frame that the motion of bodies is given in, say 'odom'."),
    *OF_MOVING_BASES,
    ("gravity_source", "", "What says how the robot is turned: parameter, frame or imu."),
    ("gravity_frame", "", "Frame in whose axes gravity is given, for gravity_source frame."),
    (
        "driver_compensates_gravity",
        "",
        "Whether the robot's driver adds the efforts that hold the weight: true or false.",
    ),
    USE_SIM_TIME,
)
FLAGS = ("driver_compensates_gravity", "use_sim_time")


def nodes(context: LaunchContext) -> list[Node]:
    """Return the node with the parameters that are set."""
    set_here = given(context, [name for name, _, _ in PARAMETERS], FLAGS)
    return [
        Node(
            package=PACKAGE,
            executable="dynamics_server",
            parameters=[LaunchConfiguration("params_file"), set_here],
            **described(),
        )
    ]


def generate_launch_description() -> LaunchDescription:
    rows = (*ARGUMENTS, *PARAMETERS)
    return LaunchDescription(
        [
            *declared(rows),
            checked(rows, flags=FLAGS, nodes=["dynamics_server"]),
            OpaqueFunction(function=nodes),
        ]
    )
