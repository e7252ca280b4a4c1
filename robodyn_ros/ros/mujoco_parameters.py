"""The parameters of mujoco_simulator: those that it shares with the simulator, and its own."""

from __future__ import annotations

from dataclasses import replace

from robodyn_ros.cosimulation.settings import INTEGRATORS
from robodyn_ros.ros.base_parameters import DESCRIBED
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.simulator_parameters import SIMULATOR_PARAMETERS

_BY_NAME = {spec.name: spec for spec in SIMULATOR_PARAMETERS}
_FIRST = ("frame_prefix", "world_frame")
_SHARED = (
    "step",
    "real_time_factor",
    "rate",
    "publish_clock",
    "paused",
    "reset_clock",
    "initial_state",
    "seed",
    "friction",
    "limits",
    "limit_time_constant",
    "limit_damping_ratio",
    "hold",
    "servo_frequency",
    "servo_damping_ratio",
    "servo_gravity_compensation",
    "wrench_timeout",
    "gravity",
    "diagnostics_period",
)
_OTHERWISE = {
    "rate": {"default": 500.0},
    "servo_frequency": {"upper": 50.0},
    "seed": {
        "text": "Seed of a random initial state and of the errors of measurement: the same seed,"
        " step and commands at the same steps give the same motion and the same readings.",
    },
    "initial_state": {
        "text": "Where the robot begins, and ~/reset returns to: described, as the description says"
        " (an MJCF file by its key frame home), else in its neutral position; random, anywhere"
        " within its limits, at rest.",
    },
}

_OWN: tuple[Spec, ...] = (
    Spec(
        "mjcf_file",
        str,
        "Path of an MJCF file to load in place of a description: MuJoCo loads it, and"
        " robot_description gets its tree as a URDF; empty for none.",
        default="",
        read_only=True,
    ),
    Spec(
        "base",
        str,
        "How the root link is held: fixed to the world; floating, free to move and to fall; or"
        " described, as a mechanism file says, and fixed where nothing is said. An MJCF file says"
        " it itself.",
        default=DESCRIBED,
        choices=(DESCRIBED, "fixed", "floating"),
        read_only=True,
    ),
    Spec(
        "integrator",
        str,
        "MuJoCo's integrator: implicitfast, implicit and euler are of first order, rk4 of fourth.",
        default="implicitfast",
        choices=INTEGRATORS,
        read_only=True,
    ),
    Spec(
        "contacts",
        bool,
        "Whether collision shapes touch; of an MJCF file its geoms. Neighbours in the tree do not"
        " touch each other.",
        default=False,
        read_only=True,
    ),
    Spec(
        "ground",
        bool,
        "Whether there is a ground at z = 0 of the world to stand on; needs contacts, and has no"
        " effect on an MJCF file, which has its own.",
        default=False,
        read_only=True,
    ),
    Spec(
        "effort_limits",
        bool,
        "Whether efforts are cut to the effort limits of the description.",
        default=True,
        read_only=True,
    ),
    Spec(
        "effort_commands_topic",
        str,
        "Topic of std_msgs/Float64MultiArray with the efforts of command_joints, as ros2_control's"
        " forward_command_controller takes them; empty for none.",
        default="forward_effort_controller/commands",
        read_only=True,
    ),
    Spec(
        "command_joints",
        str,
        "Coordinates that effort_commands_topic commands, in its order, separated by commas; empty"
        " for all that have a motor, in the model's order.",
        default="",
        read_only=True,
    ),
    Spec(
        "effort_timeout",
        float,
        "Simulated time after which efforts end unless they are commanded anew, s: what a drive"
        " does that no longer hears its controller. 0 for never.",
        default=0.0,
        lower=0.0,
        upper=3600.0,
        read_only=True,
    ),
    Spec(
        "hold_after_timeout",
        bool,
        "Whether servos hold the robot where it is when efforts have ended by effort_timeout, as"
        " drives with a stop of their own do; else it is let go.",
        default=False,
        read_only=True,
    ),
)

_ERRORS: tuple[Spec, ...] = (
    Spec(
        "mass_factor",
        float,
        "Deliberate error: factor on mass and inertia of every link, but for those that have a"
        " mass_factors.LINK of their own; payloads excepted.",
        default=1.0,
        lower=0.01,
        upper=100.0,
        read_only=True,
    ),
    Spec(
        "extra_damping",
        float,
        "Deliberate error: viscous friction added to every joint but a floating base, N m s/rad or"
        " N s/m, but for those that have an extra_dampings.JOINT of their own.",
        default=0.0,
        lower=0.0,
        upper=1e6,
        read_only=True,
    ),
    Spec(
        "extra_friction",
        float,
        "Deliberate error: Coulomb friction added to every joint but a floating base, N m or N, but"
        " for those that have an extra_frictions.JOINT of their own.",
        default=0.0,
        lower=0.0,
        upper=1e6,
        read_only=True,
    ),
    Spec(
        "command_delay",
        float,
        "Deliberate error: simulated time after which commands act, s, in whole steps.",
        default=0.0,
        lower=0.0,
        upper=10.0,
        read_only=True,
    ),
    Spec(
        "state_delay",
        float,
        "Deliberate error: age of the joint states, s, in whole steps. Their stamp is that of their"
        " publication: a driver that does not know its latency cannot tell.",
        default=0.0,
        lower=0.0,
        upper=10.0,
        read_only=True,
    ),
    Spec(
        "position_noise",
        float,
        "Deliberate error: standard deviation of measured positions, rad or m.",
        default=0.0,
        lower=0.0,
        upper=1e3,
    ),
    Spec(
        "velocity_noise",
        float,
        "Deliberate error: standard deviation of measured velocities, rad/s or m/s.",
        default=0.0,
        lower=0.0,
        upper=1e3,
    ),
    Spec(
        "effort_noise",
        float,
        "Deliberate error: standard deviation of measured efforts, N m or N.",
        default=0.0,
        lower=0.0,
        upper=1e6,
    ),
    Spec(
        "encoder_resolution",
        float,
        "Deliberate error: step of measured positions, rad or m, after the noise; 0 for none.",
        default=0.0,
        lower=0.0,
        upper=10.0,
    ),
    Spec(
        "dropped_states",
        float,
        "Deliberate error: share of joint states that are not published.",
        default=0.0,
        lower=0.0,
        upper=1.0,
    ),
    Spec(
        "nan_states",
        float,
        "Deliberate error: share of joint states in which one position is not a number.",
        default=0.0,
        lower=0.0,
        upper=1.0,
    ),
)


def _shared(name: str) -> Spec:
    return replace(_BY_NAME[name], **_OTHERWISE.get(name, {}))  # type: ignore[arg-type]


MUJOCO_PARAMETERS: tuple[Spec, ...] = (
    *map(_shared, _FIRST),
    *_OWN[:3],
    *map(_shared, _SHARED),
    *_OWN[3:],
    *_ERRORS,
)
