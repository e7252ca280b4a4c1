"""What a node's clock does: simulated time that does not begin, stands still or jumps back."""

from __future__ import annotations

from dataclasses import dataclass

from rclpy.clock import Clock, JumpThreshold, ROSClock, TimeJump
from rclpy.duration import Duration
from rclpy.node import Node

CLOCK_TOPIC = "/clock"


def is_simulated(clock: Clock) -> bool:
    """Return whether a node's clock follows the topic."""
    return isinstance(clock, ROSClock) and bool(clock.ros_time_is_active)


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clock at one moment.

    Attributes:
        simulated: Whether the node follows the topic.
        topic: Full name of the topic.
        publishers: Number of publishers on it.
        now: The node's time, ns; 0 before the first message.
        still: How long the time has not changed, s of real time.
        jumps: How often time jumped back since the start.
        jumped_to: Time after the last jump back, ns.
        jumped_by: Length of that jump, ns, not negative.
    """

    simulated: bool
    topic: str = CLOCK_TOPIC
    publishers: int = 0
    now: int = 0
    still: float = 0.0
    jumps: int = 0
    jumped_to: int = 0
    jumped_by: int = 0


class ClockWatch:
    """Follows a node's clock; made before the node spins, kept as long as it lives."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._clock = node.get_clock()
        self._jumps = 0
        self._jumped_to = 0
        self._jumped_by = 0
        self._time = -1
        self._since = 0.0
        back = JumpThreshold(
            min_forward=None, min_backward=Duration(nanoseconds=-1), on_clock_change=False
        )
        self._handle = self._clock.create_jump_callback(back, post_callback=self._jumped)

    def _jumped(self, jump: TimeJump) -> None:
        self._jumped_by = max(0, -jump.delta.nanoseconds)
        self._jumped_to = self._clock.now().nanoseconds
        self._jumps += 1

    def state(self, now: float) -> ClockState:
        """Return how the clock is; `now` is monotonic, s."""
        time = self._clock.now().nanoseconds
        if time != self._time:
            self._time, self._since = time, now
        topic = self._node.resolve_topic_name(CLOCK_TOPIC)
        return ClockState(
            simulated=is_simulated(self._clock),
            topic=topic,
            publishers=self._node.count_publishers(topic),
            now=time,
            still=now - self._since,
            jumps=self._jumps,
            jumped_to=self._jumped_to,
            jumped_by=self._jumped_by,
        )
