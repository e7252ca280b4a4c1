"""The parameters of controller nodes: one row each."""

from __future__ import annotations

from robodyn_ros.control.faults import FaultKind, SafeForm
from robodyn_ros.ros.parameter_specs import Spec

FORWARD, BY_NAME, TRAJECTORY = "forward_command", "joint_state", "joint_trajectory"
INTERFACES = (FORWARD, BY_NAME, TRAJECTORY)
FORMS = tuple(form.value for form in SafeForm)
FAULT_TEXTS: dict[FaultKind, str] = {
    FaultKind.STALE_STATE: "no joint state comes for state_timeout",
    FaultKind.INVALID_STATE: "a commanded joint has no valid state for state_timeout",
    FaultKind.LOW_RATE: "joint states come more slowly than min_rate",
    FaultKind.CLOCK_JUMP: "stamps of joint states jump by more than clock_jump, or back",
    FaultKind.RESIDUAL: "efforts differ from the model's by more than residual_limit",
    FaultKind.DEADMAN: "the deadman is let go, or silent for deadman_timeout",
    FaultKind.DESCRIPTION: "the description is replaced",
    FaultKind.NOT_FINITE: "the law gives an effort that is not finite",
}


DEFAULT_FORMS = {FaultKind.RESIDUAL: SafeForm.HOLD_POSITION}
"""A model that does not fit would let the robot sink or rise if it only held the weight by it."""


def fault_parameter(kind: FaultKind) -> str:
    """Return the name of the parameter that says what is done about a kind of fault."""
    return f"on_{kind.value}"


def _fixed(name: str, default: float, lower: float, upper: float, text: str) -> Spec:
    return Spec(name, float, text, default=default, lower=lower, upper=upper, read_only=True)


COMMAND_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "command_interface",
        str,
        "How efforts are sent. forward_command: std_msgs/Float64MultiArray in the order of"
        " command_joints, as ros2_control's forward_command_controller takes them; joint_state:"
        " sensor_msgs/JointState by name; joint_trajectory: trajectory_msgs/JointTrajectory of one"
        " point with the reference's positions and velocities, and efforts as feed-forward.",
        default=FORWARD,
        choices=INTERFACES,
        read_only=True,
    ),
    Spec(
        "command_topic",
        str,
        "Topic of the commands; empty for forward_effort_controller/commands,"
        " simulator/effort_command or joint_trajectory_controller/joint_trajectory, as the"
        " interface is.",
        default="",
        read_only=True,
    ),
    Spec(
        "command_joints",
        str,
        "Commanded joints, separated by commas, in the order in which the receiver has them; empty"
        " for all that a motor can move, in the model's order.",
        default="",
        read_only=True,
    ),
    Spec(
        "command_controller",
        str,
        "Name of the node whose parameter joints the order of command_joints is checked against;"
        " empty for the namespace of command_topic.",
        default="",
        read_only=True,
    ),
    Spec(
        "check_order",
        str,
        "Whether activation needs that check: required, also where nobody answers; if_known,"
        " unless the order is known to differ; never.",
        default="if_known",
        choices=("required", "if_known", "never"),
        read_only=True,
    ),
    _fixed(
        "effort_limit_share",
        1.0,
        0.001,
        1.0,
        "Share of each effort limit that is used. Limits are those of the description, or"
        " effort_limits.JOINT in N m or N; without one of both the controller is not activated.",
    ),
    _fixed("slew_time", 0.05, 0.0, 10.0, "s in which an effort goes from 0 to its limit at best."),
    _fixed("ramp_time", 1.0, 0.0, 60.0, "s in which the law comes in after activation."),
    Spec(
        "ramp_from",
        str,
        "What efforts are ramped from: measured, those of joint states where they have any and the"
        " driver does not add gravity; zero.",
        default="measured",
        choices=("measured", "zero"),
        read_only=True,
    ),
)
WATCHDOG_PARAMETERS: tuple[Spec, ...] = (
    _fixed(
        "state_timeout",
        0.05,
        0.001,
        10.0,
        "s without a joint state, or without a valid one of a commanded joint, that are a fault.",
    ),
    _fixed(
        "min_rate",
        50.0,
        0.0,
        10000.0,
        "Joint states a second, over rate_window, below which there is a fault; 0 for none.",
    ),
    _fixed("rate_window", 0.5, 0.05, 10.0, "s over which the rate of joint states is counted."),
    _fixed(
        "clock_jump",
        0.5,
        0.01,
        1e6,
        "s by which stamps may leap ahead of the time that passed; back is a fault at once.",
    ),
    _fixed(
        "residual_limit",
        0.0,
        0.0,
        10.0,
        "Share of the effort limit by which measured and computed efforts may differ for"
        " residual_time; 0 for any.",
    ),
    _fixed("residual_time", 0.1, 0.0, 10.0, "s for which they may differ by more."),
    _fixed("observer_gain", 25.0, 0.1, 1000.0, "Of the momentum observer of residuals, 1/s."),
    _fixed("watchdog_period", 0.005, 0.001, 1.0, "s between two looks of the watchdog."),
    _fixed(
        "safe_rate",
        100.0,
        1.0,
        1000.0,
        "Commands a second in a safe form while no joint states come.",
    ),
    Spec(
        "thread_priority",
        int,
        "Real-time priority (SCHED_FIFO) of all threads of the node's process while it is active,"
        " so that a busy machine does not keep it waiting; 0 for none. Where the user may not have"
        " it, that is said and it goes on without.",
        default=40,
        lower=0,
        upper=99,
        read_only=True,
    ),
    Spec(
        "deadman_topic",
        str,
        "Topic of a std_msgs/Bool that has to be true; empty for none.",
        default="",
        read_only=True,
    ),
    _fixed("deadman_timeout", 0.2, 0.01, 10.0, "s for which the deadman may be silent."),
    _fixed(
        "safe_frequency",
        10.0,
        0.1,
        100.0,
        "Natural frequency of hold_position, rad/s, critically damped.",
    ),
    _fixed(
        "safe_damping_time",
        0.2,
        0.01,
        100.0,
        "s in which damping of hold_gravity slows motion down.",
    ),
    *(
        Spec(
            fault_parameter(kind),
            str,
            f"What is done when {FAULT_TEXTS[kind]}. hold_gravity: the weight is held, with"
            " damping while states come; hold_position: where it was, likewise; stop: nothing is"
            " sent any more.",
            default=DEFAULT_FORMS.get(kind, SafeForm.HOLD_GRAVITY).value,
            choices=FORMS,
            read_only=True,
        )
        for kind in FaultKind
    ),
)
GRAVITY_PARAMETERS: tuple[Spec, ...] = (
    _fixed(
        "damping_time",
        0.5,
        0.0,
        1000.0,
        "s in which damping slows all motion down; 0 for none. gains.JOINT.damping in N m s/rad or"
        " N s/m is added for single joints.",
    ),
)
TRACKING_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "law",
        str,
        "computed_torque: the dynamics are cancelled; joint_pd: PD with gravity compensation, of"
        " the same gains for joints that move alone, to compare with.",
        default="computed_torque",
        choices=("computed_torque", "joint_pd"),
        read_only=True,
    ),
    _fixed(
        "frequency",
        10.0,
        0.0,
        1000.0,
        "Natural frequency of the error, rad/s; gains.JOINT.frequency replaces it.",
    ),
    _fixed("damping_ratio", 1.0, 0.0, 100.0, "Damping ratio of the error."),
    Spec(
        "friction_compensation",
        bool,
        "Whether the friction of joints at the reference's velocities is added.",
        default=False,
        read_only=True,
    ),
)
IMPEDANCE_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "space",
        str,
        "joint: springs at the joints, along a JointTrajectory; cartesian: a spring at a frame,"
        " towards a PoseStamped.",
        default="joint",
        choices=("joint", "cartesian"),
        read_only=True,
    ),
    _fixed(
        "stiffness",
        50.0,
        0.0,
        1e6,
        "Of joint springs, N m/rad or N/m; gains.JOINT.stiffness replaces it.",
    ),
    _fixed("damping_ratio", 1.0, 0.0, 100.0, "Damping ratio of every mode of the springs."),
    _fixed(
        "frequency_limit",
        40.0,
        0.1,
        10000.0,
        "Highest natural frequency of a mode, rad/s: faster ones, those of light wrists, are"
        " softened to it, since the loop's delay would let them swing.",
    ),
    Spec(
        "frame",
        str,
        "Link or frame of the cartesian spring, as the description calls it.",
        default="",
        read_only=True,
    ),
    _fixed("translational_stiffness", 200.0, 0.0, 1e6, "Of the cartesian spring, N/m."),
    _fixed("rotational_stiffness", 10.0, 0.0, 1e5, "Of the cartesian spring, N m/rad."),
    _fixed(
        "posture_frequency",
        2.0,
        0.0,
        1000.0,
        "Natural frequency of the posture in its null space, rad/s, critically damped.",
    ),
    _fixed("linear_speed", 0.25, 0.001, 100.0, "Highest on the way to a pose, m/s."),
    _fixed("angular_speed", 0.5, 0.001, 100.0, "Highest on the way to a pose, rad/s."),
)
