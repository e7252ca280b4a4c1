"""The parameters of external wrenches: which topics tell of them, and what they mean."""

from __future__ import annotations

from robodyn_ros.ros.parameter_specs import Spec

ON_ROBOT, BY_ROBOT = "on_robot", "by_robot"

WRENCH_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "wrench_topics",
        str,
        "Topics of geometry_msgs/WrenchStamped with external wrenches, of force and torque sensors"
        " or of a simulator, separated by commas. frame_id is the link or frame that one acts at,"
        " at its origin and in its axes. Efforts balance them, and accelerations from forward"
        " dynamics follow them.",
        default="",
        read_only=True,
    ),
    Spec(
        "wrench_timeout",
        float,
        "Seconds, by stamps, for which a wrench acts unless a newer one of its topic and frame"
        " comes; 0 for ever.",
        default=0.2,
        lower=0.0,
        upper=86400.0,
    ),
    Spec(
        "wrench_sense",
        str,
        "What the messages have: on_robot, what the surroundings exert on the robot; by_robot, the"
        " opposite, as many sensors report.",
        default=ON_ROBOT,
        choices=(ON_ROBOT, BY_ROBOT),
    ),
)


def topics_named(text: str) -> tuple[str, ...]:
    """Return the topics of `wrench_topics`, each once."""
    return tuple(dict.fromkeys(name for part in text.split(",") if (name := part.strip())))
