"""The parameters of every node: one row each."""

from __future__ import annotations

from robodyn_ros.ros.base_parameters import BASE_PARAMETERS
from robodyn_ros.ros.controllers.parameters import (
    COMMAND_PARAMETERS,
    GRAVITY_PARAMETERS,
    IMPEDANCE_PARAMETERS,
    TRACKING_PARAMETERS,
    WATCHDOG_PARAMETERS,
)
from robodyn_ros.ros.dynamics_parameters import DYNAMICS_PARAMETERS
from robodyn_ros.ros.environment_parameters import ENVIRONMENT_PARAMETERS
from robodyn_ros.ros.estimate_parameters import ESTIMATE_PARAMETERS
from robodyn_ros.ros.mujoco_parameters import MUJOCO_PARAMETERS as OF_MUJOCO
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.simulator_parameters import SIMULATOR_PARAMETERS as OF_SIMULATION
from robodyn_ros.ros.viewer.viewer_parameters import PAGE_PARAMETERS
from robodyn_ros.ros.visualization_parameters import VISUALIZATION_PARAMETERS
from robodyn_ros.ros.wrench_parameters import WRENCH_PARAMETERS

_MOTION_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "robot_description",
        str,
        "Text of the robot's URDF or mechanism file. Where it is given, it is published, latched,"
        " on the topic robot_description; where it is not, that topic is subscribed.",
    ),
    Spec(
        "robot_description_file",
        str,
        "Path of a .urdf, .xacro or .yaml (mechanism) file to load instead; empty for none.",
        default="",
        read_only=True,
    ),
    Spec(
        "frame_prefix",
        str,
        "Put before the name of every frame of the robot, as it is: end it with a slash if one"
        " is wanted.",
        default="",
        read_only=True,
    ),
    Spec(
        "world_frame",
        str,
        "Frame that the states of bodies are given in, used as it is: a frame of the description"
        " that is at rest in the world, such as a workspace, or another name for the world; empty"
        " for the root link's frame, or for world where the base moves.",
        default="",
        read_only=True,
    ),
    Spec(
        "publish_base",
        bool,
        "Whether to publish the transform from world_frame to the root link.",
        default=False,
        read_only=True,
    ),
    Spec(
        "publish_frequency",
        float,
        "Highest rate in Hz at which one joint is published; 0 publishes every message.",
        default=0.0,
        lower=0.0,
        upper=1000.0,
    ),
    Spec(
        "ignore_timestamp",
        bool,
        "Publish every joint state whatever its stamp and publish_frequency say.",
        default=False,
    ),
    Spec(
        "joint_states_reliability",
        str,
        "Reliability asked of joint_states: best_effort takes every publisher, reliable only"
        " reliable ones.",
        default="best_effort",
        choices=("best_effort", "reliable"),
        read_only=True,
    ),
    Spec(
        "velocity_source",
        str,
        "message: velocities of the message, filtered ones where it has none;"
        " filtered: always the filtered derivative of position.",
        default="message",
        choices=("message", "filtered"),
    ),
    Spec(
        "acceleration_source",
        str,
        "none: zero joint accelerations; filtered: filtered derivative of the velocities;"
        " forward_dynamics: those that the measured efforts cause, filtered ones for joints whose"
        " effort is not known.",
        default="filtered",
        choices=("none", "filtered", "forward_dynamics"),
    ),
    Spec(
        "filter_time_constant",
        float,
        "Time constant in s of the first-order filters behind filtered velocities and"
        " accelerations; their outputs lag by about as much. 0 for plain differences.",
        default=0.02,
        lower=0.0,
        upper=10.0,
    ),
    Spec(
        "outlier_rejection",
        bool,
        "Whether samples that do not follow from those before them are flagged as outliers: not"
        " valid, and kept out of filtered velocities and accelerations. Jumps are believed at the"
        " second sample; of two publishers that fight over a joint one stays flagged.",
        default=True,
    ),
    Spec(
        "publish_outliers",
        bool,
        "Whether a position flagged as an outlier moves its frames on /tf, which cannot carry the"
        " flag.",
        default=True,
    ),
    Spec(
        "stale_after",
        float,
        "Age in s, by stamps, beyond which a joint's value makes the states of the bodies behind"
        " it invalid; 0 for never.",
        default=1.0,
        lower=0.0,
        upper=86400.0,
    ),
    Spec(
        "diagnostics_period",
        float,
        "Seconds between two reports on /diagnostics.",
        default=1.0,
        lower=0.1,
        upper=3600.0,
        read_only=True,
    ),
    *BASE_PARAMETERS,
    *WRENCH_PARAMETERS,
    *VISUALIZATION_PARAMETERS,
)

STATE_PARAMETERS: tuple[Spec, ...] = (*_MOTION_PARAMETERS, *ENVIRONMENT_PARAMETERS)

_OF_FRAMES = {"publish_base", "publish_outliers"}
"""Parameters of what is published on /tf and ~/visualization."""

_UNSEEN_PARAMETERS: tuple[Spec, ...] = tuple(
    spec
    for spec in _MOTION_PARAMETERS
    if spec.name not in _OF_FRAMES and spec not in VISUALIZATION_PARAMETERS
)

_OF_EFFORTS: tuple[Spec, ...] = (*DYNAMICS_PARAMETERS, *ESTIMATE_PARAMETERS)

DYNAMICS_SERVER_PARAMETERS: tuple[Spec, ...] = (*_UNSEEN_PARAMETERS, *_OF_EFFORTS)

_CONTROLLER_PARAMETERS: tuple[Spec, ...] = (
    *_UNSEEN_PARAMETERS,
    *ENVIRONMENT_PARAMETERS,
    *COMMAND_PARAMETERS,
    *WATCHDOG_PARAMETERS,
)
GRAVITY_COMPENSATION_PARAMETERS = (*_CONTROLLER_PARAMETERS, *GRAVITY_PARAMETERS)
COMPUTED_TORQUE_PARAMETERS = (*_CONTROLLER_PARAMETERS, *TRACKING_PARAMETERS)
IMPEDANCE_NODE_PARAMETERS = (*_CONTROLLER_PARAMETERS, *IMPEDANCE_PARAMETERS)

ROBODYN_PARAMETERS: tuple[Spec, ...] = (*_MOTION_PARAMETERS, *_OF_EFFORTS)

DEMO_PARAMETERS: tuple[Spec, ...] = (
    *_MOTION_PARAMETERS[:2],
    Spec(
        "rate",
        float,
        "Joint states published a second.",
        default=100.0,
        lower=0.1,
        upper=2000.0,
        read_only=True,
    ),
    Spec(
        "amplitude",
        float,
        "Share of each joint's range that is used.",
        default=0.5,
        lower=0.0,
        upper=1.0,
        read_only=True,
    ),
    Spec(
        "period",
        float,
        "Seconds of the slowest swing of a joint.",
        default=8.0,
        lower=0.1,
        upper=3600.0,
        read_only=True,
    ),
    Spec(
        "move_base",
        bool,
        "Whether a base that the description has floating or prescribed is moved too; set it to"
        " false where something else moves it (base_input of the other nodes).",
        default=True,
        read_only=True,
    ),
    Spec(
        "seed",
        int,
        "Seed of the random phases: the same seed plays the same motion.",
        default=0,
        lower=0,
        upper=2**31 - 1,
        read_only=True,
    ),
)

VIEWER_PARAMETERS: tuple[Spec, ...] = (*_MOTION_PARAMETERS[:2], *PAGE_PARAMETERS)

SIMULATOR_PARAMETERS: tuple[Spec, ...] = (*_MOTION_PARAMETERS[:2], *OF_SIMULATION)

MUJOCO_PARAMETERS: tuple[Spec, ...] = (*_MOTION_PARAMETERS[:2], *OF_MUJOCO)

PARAMETERS: dict[str, tuple[Spec, ...]] = {
    "state_publisher": STATE_PARAMETERS,
    "dynamics_server": DYNAMICS_SERVER_PARAMETERS,
    "robodyn_node": ROBODYN_PARAMETERS,
    "joint_trajectory_demo": DEMO_PARAMETERS,
    "simulator": SIMULATOR_PARAMETERS,
    "mujoco_simulator": MUJOCO_PARAMETERS,
    "viewer": VIEWER_PARAMETERS,
    "gravity_compensation": GRAVITY_COMPENSATION_PARAMETERS,
    "computed_torque": COMPUTED_TORQUE_PARAMETERS,
    "impedance": IMPEDANCE_NODE_PARAMETERS,
}
"""By the node's name."""
