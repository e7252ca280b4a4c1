"""The quality of service of every topic, in one place."""

from __future__ import annotations

from rclpy.event_handler import PublisherEventCallbacks
from rclpy.qos import (
    DurabilityPolicy,
    HistoryPolicy,
    QoSProfile,
    ReliabilityPolicy,
)


def _profile(
    depth: int, reliability: ReliabilityPolicy, durability: DurabilityPolicy
) -> QoSProfile:
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST,
        depth=depth,
        reliability=reliability,
        durability=durability,
    )


TF = _profile(100, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
TF_STATIC = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)
LATCHED = TF_STATIC
TF_STATIC_LISTENER = _profile(100, ReliabilityPolicy.RELIABLE, DurabilityPolicy.TRANSIENT_LOCAL)
"""To subscribe to /tf_static with: every publisher of it has its own last message."""
STREAM = _profile(10, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
COMMANDS_LISTENER = _profile(10, ReliabilityPolicy.BEST_EFFORT, DurabilityPolicy.VOLATILE)
"""To subscribe to a stream of commands with: the next one serves as well as one that is repeated,
and who acknowledges waits for whoever holds the sender's shared memory, such as a process that was
stopped while it wrote to the sender (1 s with Fast DDS)."""
SERVICES = _profile(100, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
"""rclpy's default keeps ten requests: of a burst of more the first would be lost without a word."""
CLOCK = _profile(1, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)
DIAGNOSTICS = _profile(10, ReliabilityPolicy.RELIABLE, DurabilityPolicy.VOLATILE)

QUIET = PublisherEventCallbacks(use_default_callbacks=False)
"""For publishers: without handlers of QoS events, each of which costs the executor about 10 us at
every turn. A subscriber that asks for more than is offered is told so at its own end."""

_JOINT_STATES_DEPTH = 64


def joint_states(reliability: str) -> QoSProfile:
    """Return the profile to subscribe joint states with: "best_effort" or "reliable"."""
    policy = {
        "best_effort": ReliabilityPolicy.BEST_EFFORT,
        "reliable": ReliabilityPolicy.RELIABLE,
    }[reliability]
    return _profile(_JOINT_STATES_DEPTH, policy, DurabilityPolicy.VOLATILE)
