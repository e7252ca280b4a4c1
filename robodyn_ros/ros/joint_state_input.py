"""Serialised joint states in, steps of the state path out: what the hot subscription's thread does.

The fast way reads the bytes with the layout of the last message. What it does not know goes through
rclpy's own deserialisation, the reference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.input_plan import InputPlan
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.ros.cdr.joint_state_reader import JointStateReader, Shape
from robodyn_ros.ros.conversions import LAST_STAMP, nanoseconds
from robodyn_ros.ros.meters import StateMeters
from robodyn_ros.ros.rates import Traffic

BACKLOG = 8
"""Messages that may wait; of more only the newest are published, so that no lag builds up."""

LONGEST_PAUSE = 0.05
"""Seconds that the thread of joint states leaves to others at once, while there is no kernel. What
comes meanwhile waits in the subscription, which holds 64 messages: 0.13 s of a driver at 500 Hz."""

SAMPLED = 8
"""One message of so many is compared with the node's clock, which takes microseconds to read."""

_NO_STAMP = Complaint(
    Severity.WARN,
    "without stamp",
    "joint states without a stamp are given the node's time; set header.stamp in their publisher",
)
_NO_TIME = Complaint(
    Severity.WARN,
    "without time",
    "joint states without a stamp are dropped while the node has no time itself: use_sim_time is"
    " set and nothing came on /clock yet",
    once=False,
)
_UNREADABLE = Complaint(
    Severity.WARN,
    "unreadable",
    "a joint state whose bytes cannot be read is dropped",
    once=False,
)


class Received(NamedTuple):
    """One message: what its numbers mean, its stamp in ns (0 for none), and the numbers."""

    plan: InputPlan
    stamp: int
    numbers: Sequence[float]


class JointStateInput:
    """Takes what arrives on joint_states."""

    def __init__(
        self,
        traffic: Traffic,
        meters: StateMeters,
        clock: Callable[[], int],
        complain: Callable[[Iterable[Complaint]], None],
    ) -> None:
        """Prepare.

        Args:
            traffic: Counts what comes and what becomes of it.
            meters: Are fed with times and numbers of arrivals.
            clock: Returns the node's time in ns, 0 where it has none yet.
            complain: Takes what there is to say.
        """
        self._traffic = traffic
        self._meters = meters
        self._clock = clock
        self._complain = complain
        self._reader = JointStateReader()
        self._published = 0
        #: Whether the node is about to end: messages that still wait are left.
        self.closed = False
        # The plan of the last message, good for the same shape and path.
        self._shape: Shape | None = None
        self._path: StatePath | None = None
        self._plan: InputPlan

    def take(
        self,
        path: StatePath,
        data: Sequence[bytes],
        publish: Callable[[Step, float], None],
        *,
        newest: bool = False,
    ) -> None:
        """Merge messages that waited together, oldest first, and publish what they ask for.

        Args:
            path: The state path.
            data: The messages, serialised.
            publish: Called with each step that asks for something, and the monotonic time.
            newest: Whether, of more than `BACKLOG`, to leave out what another message with the same
                names and fields replaces: where taking a message is slow.
        """
        if len(data) == 1:
            # The usual case: not more than this for a single message, whose cost counts.
            received = self._read(path, data[0])
            if received is None:
                self._complain([_UNREADABLE])
            else:
                self._merge(path, received, publish)
            return
        several = [self._read(path, each) for each in data]
        shown = to_publish([each and (each.plan, each.stamp) for each in several])
        if len(shown) > BACKLOG:
            what = "left out, no kernel" if newest else "merged only, backlog"
            self._traffic.count(what, shown.count(False))
        for each, wanted in zip(several, shown, strict=True):
            if self.closed:
                return
            if each is None:
                self._complain([_UNREADABLE])
            elif wanted or not newest:
                self._merge(path, each, publish if wanted else None)

    def _merge(
        self, path: StatePath, received: Received, publish: Callable[[Step, float], None] | None
    ) -> None:
        plan, stamp, numbers = received
        if not stamp:
            stamp = self._now()
            if not stamp:
                return
        step = path.take_numbers(plan, numbers, stamp, wanted=publish is not None)
        if step.complaints:
            self._complain(step.complaints)
        if publish is not None and (step.bodies or len(step.frames)):
            publish(step, time.monotonic())
            self._published += 1
            if self._published % SAMPLED == 0:
                now = self._clock()
                if now:
                    self._meters.end_to_end.add((now - stamp) * 1e-9)

    def _read(self, path: StatePath, data: bytes) -> Received | None:
        reading = self._reader.read(data)
        if reading is not None:
            shape, stamp, numbers = reading
            if shape is not self._shape or path is not self._path:
                self._plan = path.input_plan(
                    shape, shape.names, shape.positions, shape.velocities, shape.efforts
                )
                self._shape, self._path = shape, path
            return Received(self._plan, min(stamp, LAST_STAMP), numbers)
        try:
            message = deserialize_message(data, JointState)
        except Exception:  # noqa: BLE001 - whatever the bytes are, they are no joint state
            return None
        lengths = len(message.position), len(message.velocity), len(message.effort)
        plan = path.input_plan((tuple(message.name), *lengths), message.name, *lengths)
        stamp = nanoseconds(message.header.stamp)
        return Received(plan, stamp, (*message.position, *message.velocity, *message.effort))

    def _now(self) -> int:
        """Return the node's time for a message without a stamp, 0 where there is none."""
        now = self._clock()
        self._complain([_NO_STAMP if now else _NO_TIME])
        return now


def pause_after(seconds: float) -> float:
    """Return how long, s, to leave the processor to others after so long, s, of work.

    As long again, within bounds: half of the time is theirs.
    """
    return min(seconds, LONGEST_PAUSE)


def to_publish(messages: Sequence[tuple[object, int] | None]) -> list[bool]:
    """Return which of the waiting messages, oldest first, are to be published.

    All of a few; of more than `BACKLOG` the newest of each plan, so that an arm's messages do not
    push out its gripper's. Of those that repeat a stamp it is the first, since the others are
    dropped.

    Args:
        messages: What stands for the names of each, and its stamp, 0 for none; None for one that
            cannot be read.
    """
    if len(messages) <= BACKLOG:
        return [True] * len(messages)
    newest: dict[int, tuple[int, int]] = {}
    for place, message in enumerate(messages):
        if message is None:
            continue
        plan, stamp = id(message[0]), message[1]
        if stamp == 0 or plan not in newest or newest[plan][0] != stamp:
            newest[plan] = stamp, place
    keep = {place for _, place in newest.values()}
    return [place in keep for place in range(len(messages))]
