"""A simulated robot: simulator, robodyn_node over what it publishes and, on request, pictures.

    ros2 launch robodyn_ros simulation.launch.py robot_description_file:=robot.urdf rviz:=true

Time is the simulator's, on /clock. With `viewer:=true` a page on which the robot is seen, moved
and pushed is served; robodyn_node is told of the external wrenches. What is set here goes before
what the parameter files say; what is not set is left to them.
"""

from launch import LaunchContext, LaunchDescription
from launch.actions import OpaqueFunction
from launch_ros.actions import Node

from robodyn_ros.launching.arguments import declared
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described, followers, to_simulator, viewer
from robodyn_ros.launching.rows import DESCRIPTION_FILE, ROBODYN_NODE_FILE, SIMULATED

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    *SIMULATED,
    ("wrench_topics", "simulator/external_wrenches", "Topics of external wrenches to follow."),
    DESCRIPTION_FILE,
    ROBODYN_NODE_FILE,
    ("simulator_params_file", ("config", "simulator.yaml"), "Parameter file of simulator."),
)
PARAMETERS = (
    ("integrator", "", "How a step is taken: rk4 or semi_implicit_euler."),
    ("initial_state", "", "Where the robot begins: described or random."),
    ("hold", "", "Whether servos hold the robot where it begins: true or false."),
    ("paused", "", "Whether simulated time stands still at the start: true or false."),
    ("publish_clock", "", "Whether the simulator publishes /clock: true or false."),
)
FLAGS = ("dynamics", "viewer", "rviz", "use_sim_time", "hold", "paused", "publish_clock")


def nodes(context: LaunchContext) -> list[Node]:
    """Return the simulator, which publishes the description, and the viewer."""
    return [
        Node(
            package=PACKAGE,
            executable="simulator",
            parameters=to_simulator(context, PARAMETERS, FLAGS),
            **described(),
        ),
        viewer(**described()),
    ]


def generate_launch_description() -> LaunchDescription:
    rows = (*ARGUMENTS, *PARAMETERS)
    return LaunchDescription(
        [
            *declared(rows),
            checked(rows, flags=FLAGS, nodes=["simulator", "robodyn_node"]),
            followers(),
            OpaqueFunction(function=nodes),
        ]
    )
