"""A robot in MuJoCo as the hardware, robodyn_node over what it publishes and, on request, pictures.

    ros2 launch robodyn_ros mujoco.launch.py robot_description_file:=robot.urdf hold:=true

Time is MuJoCo's, on /clock. Controllers send efforts to forward_effort_controller/commands, or by
name to mujoco_simulator/effort_command. With `viewer:=true` a page on which the robot is seen,
moved and pushed is served. With `mjcf_file` the robot is that of an MJCF file, and
robot_description_file is not looked at. What is set here goes before what the parameter files say;
what is not set is left to them.
"""

from launch import Action, LaunchContext, LaunchDescription
from launch.actions import OpaqueFunction, SetLaunchConfiguration
from launch_ros.actions import Node

from robodyn_ros.launching.arguments import declared, text
from robodyn_ros.launching.checks import checked
from robodyn_ros.launching.nodes import described, followers, to_simulator, viewer
from robodyn_ros.launching.rows import DESCRIPTION_FILE, ROBODYN_NODE_FILE, SIMULATED

PACKAGE = "robodyn_ros"
ARGUMENTS = (
    *SIMULATED,
    (
        "wrench_topics",
        "mujoco_simulator/external_wrenches",
        "Topics of external wrenches to follow.",
    ),
    DESCRIPTION_FILE,
    ROBODYN_NODE_FILE,
    (
        "simulator_params_file",
        ("config", "mujoco_simulator.yaml"),
        "Parameter file of mujoco_simulator.",
    ),
)
PARAMETERS = (
    ("mjcf_file", "", "Path of an MJCF file to load in place of a description."),
    ("integrator", "", "MuJoCo's integrator: implicitfast, implicit, euler or rk4."),
    ("initial_state", "", "Where the robot begins: described or random."),
    ("command_joints", "", "Joints that efforts are commanded to, in their order."),
    ("hold", "", "Whether servos hold the robot where it begins: true or false."),
    ("contacts", "", "Whether collision shapes touch: true or false."),
    ("ground", "", "Whether there is a ground at z = 0: true or false."),
    ("paused", "", "Whether simulated time stands still at the start: true or false."),
    ("publish_clock", "", "Whether the simulator publishes /clock: true or false."),
)
OF_MUJOCO = ("hold", "contacts", "ground", "paused", "publish_clock")
FLAGS = ("dynamics", "viewer", "rviz", "use_sim_time", *OF_MUJOCO)


def description(context: LaunchContext) -> list[Action]:
    """Have robodyn_node take what the simulator makes of an MJCF file, where there is one."""
    if not text(context, "mjcf_file"):
        return []
    return [SetLaunchConfiguration("robot_description_file", "")]


def nodes(context: LaunchContext) -> list[Action]:
    """Return the simulator, which publishes the description, and the viewer."""
    return [
        Node(
            package=PACKAGE,
            executable="mujoco_simulator",
            parameters=to_simulator(context, PARAMETERS, FLAGS),
            **described(),
        ),
        viewer({"simulator": "mujoco_simulator"}, **described()),
    ]


def generate_launch_description() -> LaunchDescription:
    rows = (*ARGUMENTS, *PARAMETERS)
    return LaunchDescription(
        [
            *declared(rows),
            OpaqueFunction(function=description),
            checked(rows, flags=FLAGS, nodes=["mujoco_simulator", "robodyn_node"]),
            followers(),
            OpaqueFunction(function=nodes),
        ]
    )
