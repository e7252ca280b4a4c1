"""Rows of arguments that several launch files have: name, default, text.

A default of several parts is a file of this package.
"""

from __future__ import annotations

Row = tuple[str, str | tuple[str, ...], str]

NAMESPACE: Row = ("namespace", "", "Namespace of the nodes.")
DESCRIPTION_TOPIC: Row = (
    "robot_description_topic",
    "robot_description",
    "Topic that carries the description.",
)
DESCRIPTION_FILE: Row = (
    "robot_description_file",
    ("urdf", "demo_arm.urdf"),
    "A .urdf, .xacro or .yaml file.",
)
FRAME_PREFIX: Row = ("frame_prefix", "", "Put before every frame name as it is, say 'left/'.")
DYNAMICS: Row = (
    "dynamics",
    "true",
    "Whether robodyn_node follows the robot; else state_publisher does.",
)
VIEWER: Row = ("viewer", "false", "Whether to start the viewer's page.")
RVIZ: Row = ("rviz", "false", "Whether to start RViz.")
USE_SIM_TIME: Row = ("use_sim_time", "", "Whether time comes from /clock: true or false.")
ROBODYN_NODE_FILE: Row = (
    "params_file",
    ("config", "robodyn_node.yaml"),
    "Parameter file of robodyn_node.",
)

SIMULATED: tuple[Row, ...] = (
    NAMESPACE,
    DESCRIPTION_TOPIC,
    DYNAMICS,
    VIEWER,
    RVIZ,
    ("use_sim_time", "true", "Whether the other nodes take their time from /clock."),
    FRAME_PREFIX,
    ("base", "", "How the root link is held: described, fixed or floating."),
)
"""Those of a launch file that simulates a robot."""

HELD = "How the root link is held: described, fixed, floating or prescribed."
MOVED = "What moves it: none, odometry, imu, odometry_and_imu, description or file."
OF_MOVING_BASES: tuple[Row, ...] = (
    ("base", "", HELD),
    ("base_input", "", MOVED),
    ("base_motion_file", "", "A .csv or .yaml file with its motion, for base_input:=file."),
)

FOLLOWED: tuple[str, ...] = (
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
"""Arguments of a simulation that bringup.launch.py is given, for what follows the robot."""

TO_SIMULATORS: tuple[str, ...] = ("robot_description_file", "frame_prefix", "base")
"""Arguments of a simulation that its simulator is given, besides its own."""
