"""The parameters of the simulator: one row each."""

from __future__ import annotations

from robodyn_ros.ros.base_parameters import DESCRIBED
from robodyn_ros.ros.parameter_specs import Spec, Value

FASTEST, SLOWEST = 100.0, 0.01
"""Bounds of the real-time factor, besides 0."""
INTEGRATORS = ("rk4", "semi_implicit_euler")
AS_DESCRIBED, RANDOM = "described", "random"


def _factor_problem(value: Value) -> str:
    if float(value) == 0.0 or float(value) >= SLOWEST:  # type: ignore[arg-type]
        return ""
    return (
        f"real_time_factor must be 0, for as fast as possible, or between {SLOWEST:g} and"
        f" {FASTEST:g}, got {value:g}"
    )


SIMULATOR_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "frame_prefix",
        str,
        "What frame names of wrenches and payloads may begin with, and begin with where they are"
        " published: that of the nodes that publish the robot's frames.",
        default="",
        read_only=True,
    ),
    Spec(
        "world_frame",
        str,
        "The world's name in ~/environment, as the node that follows it calls it; empty for the"
        " root link's frame, or for world where the base moves.",
        default="",
        read_only=True,
    ),
    Spec(
        "base",
        str,
        "How the root link is held: fixed to the world; floating, free to move and to fall;"
        " prescribed, at rest where it is; or described, as a mechanism file says, and fixed where"
        " nothing is said.",
        default=DESCRIBED,
        choices=(DESCRIBED, "fixed", "floating", "prescribed"),
        read_only=True,
    ),
    Spec(
        "step",
        float,
        "Fixed step of the integration, s. Commands and wrenches hold still during one.",
        default=0.001,
        lower=1e-6,
        upper=0.1,
        read_only=True,
    ),
    Spec(
        "integrator",
        str,
        "How a step is taken: rk4, four evaluations of the dynamics and fourth order;"
        " semi_implicit_euler, one evaluation and first order.",
        default="rk4",
        choices=INTEGRATORS,
        read_only=True,
    ),
    Spec(
        "real_time_factor",
        float,
        "Simulated seconds per second of wall time, 0.01 to 100; 0 for as fast as possible.",
        default=1.0,
        lower=0.0,
        upper=FASTEST,
        check=_factor_problem,
    ),
    Spec(
        "rate",
        float,
        "Joint states published a second of simulated time, Hz; taken to a whole number of steps.",
        default=200.0,
        lower=0.1,
        upper=10000.0,
        read_only=True,
    ),
    Spec(
        "publish_clock",
        bool,
        "Whether /clock is published, with every joint state; set it to false where something"
        " else does.",
        default=True,
        read_only=True,
    ),
    Spec(
        "publish_passive",
        bool,
        "Whether joints that follow from others in a closed mechanism are published too.",
        default=True,
        read_only=True,
    ),
    Spec(
        "paused",
        bool,
        "Whether simulated time stands still at the start, until ~/pause lets it go on.",
        default=False,
        read_only=True,
    ),
    Spec(
        "reset_clock",
        bool,
        "Whether ~/reset sets simulated time back to 0 too: nodes on /clock see it jump back."
        " Otherwise time goes on.",
        default=False,
    ),
    Spec(
        "initial_state",
        str,
        "Where the robot begins, and ~/reset returns to: described, as the description says, else"
        " in its neutral position; random, anywhere within its limits, at rest.",
        default=AS_DESCRIBED,
        choices=(AS_DESCRIBED, RANDOM),
        read_only=True,
    ),
    Spec(
        "seed",
        int,
        "Seed of a random initial state: the same seed gives the same state, and the same commands"
        " then the same motion.",
        default=0,
        lower=0,
        upper=2**31 - 1,
        read_only=True,
    ),
    Spec(
        "friction",
        bool,
        "Whether damping and Coulomb friction of the joints act.",
        default=True,
        read_only=True,
    ),
    Spec(
        "limits",
        bool,
        "Whether joints stop at the ends of their ranges, by a stiff spring and damper.",
        default=True,
        read_only=True,
    ),
    Spec(
        "limit_time_constant",
        float,
        "Time in which a joint comes back from beyond the end of its range, s.",
        default=0.02,
        lower=1e-4,
        upper=10.0,
        read_only=True,
    ),
    Spec(
        "limit_damping_ratio",
        float,
        "Damping ratio of the ends of ranges: 1 without overshoot, less lets joints bounce.",
        default=1.0,
        lower=0.001,
        upper=100.0,
        read_only=True,
    ),
    Spec(
        "hold",
        bool,
        "Whether servos hold the robot where it begins, and after ~/reset again, until something"
        " else is commanded or ~/release lets it go.",
        default=False,
        read_only=True,
    ),
    Spec(
        "servo_frequency",
        float,
        "Natural frequency of the servos that hold commanded positions, from the inertia of each"
        " coordinate at the initial state, Hz; velocities are held with the same damping.",
        default=5.0,
        lower=0.01,
        upper=1000.0,
        read_only=True,
    ),
    Spec(
        "servo_damping_ratio",
        float,
        "Damping ratio of the servos that hold commanded positions.",
        default=1.0,
        lower=0.001,
        upper=100.0,
        read_only=True,
    ),
    Spec(
        "servo_gravity_compensation",
        bool,
        "Whether servos hold the robot's weight besides, so that positions are reached without an"
        " offset.",
        default=True,
        read_only=True,
    ),
    Spec(
        "wrench_timeout",
        float,
        "Simulated time for which a wrench on ~/external_wrench acts unless another one for its"
        " frame comes, s.",
        default=0.2,
        lower=1e-3,
        upper=3600.0,
    ),
    Spec(
        "gravity",
        list,
        "The physical gravity vector (it points down), world axes, m/s^2; by default the"
        " description's, else (0, 0, -9.81).",
        lower=-1000.0,
        upper=1000.0,
        length=3,
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
)
