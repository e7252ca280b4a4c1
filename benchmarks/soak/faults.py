"""What is done to a stream of joint states: one class a kind of fault.

All faults keep to what can be told from the truth. An outlier differs by at least `SMALLEST_JUMP`
and comes alone or with one other elsewhere, because a second sample near the first, and a third in
a row, are by rule a jump that really happened. A publisher that fights sends one message between
two or more true ones. Whoever has another clock sends true values.
"""

# ruff: noqa: D102 - the base class says what each method does
from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from sensor_msgs.msg import JointState

from benchmarks.soak.motion import Label, Truth
from fault_injection import DAMAGES, FORMS, noise
from robodyn_ros.ros.conversions import set_time

SMALLEST_JUMP = 0.5
LARGEST_JUMP = 2.5
"""rad or m: less than a turn, because a turn is no change where a joint has no end stops."""
KICK = 50.0
"""rad/s or m/s by which a velocity is off at least, to be an outlier without any doubt."""
DERIVED_LAG = 0.4
"""Seconds that a filtered velocity may be behind, right after a gap."""
NODE_LAG = 0.1
"""Seconds from sending to a stamp that the node gives itself."""
INSANE = (float("nan"), float("inf"), float("-inf"), 2e9, -1e15, 1e60, -1e308)
SECOND = 1_000_000_000


class Message(NamedTuple):
    """One message: what is published, what its stamp stands for, and by whom."""

    data: JointState | bytes
    stamp: int = 0
    label: Label | None = None
    fights: bool = False


class Tick:
    """One moment of the stream: the true state and the stamp it would have."""

    def __init__(self, truth: Truth, time: float, stamp: int) -> None:
        self.truth = truth
        self.time = time
        self.stamp = stamp
        self.names = list(truth.names)
        self.position, self.velocity = truth.joints(time)

    def message(
        self,
        names: Sequence[str] | None = None,
        position: Sequence[float] | None = None,
        velocity: Sequence[float] | None = None,
        *,
        stamp: int | None = None,
        slope_lag: float = 0.0,
        fights: bool = False,
    ) -> Message:
        """Return a message: the truth, but for what is given."""
        stamp = self.stamp if stamp is None else stamp
        data = JointState(
            name=list(self.names if names is None else names),
            position=list(self.position if position is None else position),
            velocity=list(self.velocity if velocity is None else velocity),
        )
        set_time(data.header.stamp, stamp)
        return Message(data, stamp, Label(self.time, 0.0, slope_lag), fights)


class Fault:
    """A kind of fault; by itself none at all.

    Attributes:
        least, most: Length of a spell, s.
    """

    least, most = 0.05, 2.0

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.next = 3

    @classmethod
    def kind(cls) -> str:
        """Return its name in the table."""
        return cls.__name__

    def begin(self, stream: Any) -> None:
        """Do what is to be done at the start of a spell."""

    def end(self, stream: Any) -> None:
        """Do what is to be done at its end."""

    def messages(self, tick: Tick) -> list[Message]:
        """Return what is sent instead of one true message."""
        return [tick.message()]

    def is_due(self, least: int = 8, most: int = 60) -> bool:
        """Return whether something is wrong with this message; seldom, never twice in a row."""
        self.count += 1
        if self.count < self.next:
            return False
        self.next = self.count + self.rng.randint(least, most)
        return True

    def some(self, tick: Tick) -> list[int]:
        """Return one joint, several, or all."""
        n = len(tick.names)
        return self.rng.sample(range(n), self.rng.choice([1, 1, 2, n]))


class InsanePositions(Fault):
    """NaN, infinite, or beyond all bounds."""

    def begin(self, stream: Any) -> None:
        self.value = self.rng.choice(INSANE)
        self.slots: list[int] = []

    def messages(self, tick: Tick) -> list[Message]:
        self.slots = self.slots or self.some(tick)
        position = [self.value if k in self.slots else x for k, x in enumerate(tick.position)]
        return [tick.message(position=position)]


class InsaneVelocities(InsanePositions):
    """The same of velocities."""

    def messages(self, tick: Tick) -> list[Message]:
        self.slots = self.slots or self.some(tick)
        velocity = [self.value if k in self.slots else x for k, x in enumerate(tick.velocity)]
        return [tick.message(velocity=velocity, slope_lag=DERIVED_LAG)]


class NoVelocities(Fault):
    """Not given at all."""

    def messages(self, tick: Tick) -> list[Message]:
        return [tick.message(velocity=[], slope_lag=DERIVED_LAG)]


class WrongLengths(Fault):
    """Arrays of another length than the names."""

    def messages(self, tick: Tick) -> list[Message]:
        cut = self.rng.randint(1, len(tick.names))
        longer = [*tick.position, 7.0]
        position, velocity = self.rng.choice(
            [
                (tick.position[:-cut], tick.velocity),
                (longer, tick.velocity),
                (tick.position, tick.velocity[:-cut] or [1.0]),
                (longer, [*tick.velocity, 7.0]),
            ]
        )
        return [tick.message(position=position, velocity=velocity, slope_lag=DERIVED_LAG)]


class ReversedNames(Fault):
    """Another order than the robot's."""

    def messages(self, tick: Tick) -> list[Message]:
        return [tick.message(tick.names[::-1], tick.position[::-1], tick.velocity[::-1])]


class PartialNames(Fault):
    """Some joints in one message, the others in the next."""

    def messages(self, tick: Tick) -> list[Message]:
        self.count += 1
        half = slice(self.count % 2, None, 2)
        return [tick.message(tick.names[half], tick.position[half], tick.velocity[half])]


class MissingNames(Fault):
    """Only some of the joints, all the time."""

    def messages(self, tick: Tick) -> list[Message]:
        some = slice(0, len(tick.names) // 2)
        return [tick.message(tick.names[some], tick.position[some], tick.velocity[some])]


class RepeatedNames(Fault):
    """Every joint twice, first with any value: the last one counts."""

    def messages(self, tick: Tick) -> list[Message]:
        wrong = [self.rng.uniform(-3.0, 3.0) for _ in tick.names]
        return [tick.message(tick.names * 2, wrong + tick.position, wrong + tick.velocity)]


class OtherNames(Fault):
    """Names with something added, or of another robot."""

    def messages(self, tick: Tick) -> list[Message]:
        form = self.rng.choice([*FORMS[:-1], "other_{}_robot"])
        wrong = [self.rng.uniform(-3.0, 3.0) for _ in tick.names]
        return [tick.message([form.format(x) for x in tick.names], wrong, wrong)]


class Outliers(Fault):
    """A position far off, of one joint or several, or two in a row on different sides."""

    def messages(self, tick: Tick) -> list[Message]:
        if not self.is_due():
            return [tick.message()]
        slots = self.some(tick)
        jump = self.rng.choice([1.0, -1.0]) * self.rng.uniform(SMALLEST_JUMP, LARGEST_JUMP)
        first = [x + jump * (k in slots) for k, x in enumerate(tick.position)]
        messages = [tick.message(position=first)]
        if self.rng.random() < 0.3:
            second = [x - jump * (k in slots) for k, x in enumerate(tick.position)]
            messages.append(tick.message(position=second, stamp=tick.stamp + 1_000_000))
        return messages


class VelocityOutliers(Fault):
    """A velocity far off."""

    def messages(self, tick: Tick) -> list[Message]:
        if not self.is_due():
            return [tick.message()]
        slots = self.some(tick)
        kick = self.rng.choice([1.0, -1.0]) * self.rng.uniform(KICK, 1e4)
        return [
            tick.message(velocity=[x + kick * (k in slots) for k, x in enumerate(tick.velocity)])
        ]


class Fight(Fault):
    """A second publisher with another idea of where the robot is, every now and then."""

    def begin(self, stream: Any) -> None:
        self.offset = self.rng.choice([1.0, -1.0]) * self.rng.uniform(SMALLEST_JUMP, LARGEST_JUMP)
        self.rest = self.rng.choice([True, False])

    def messages(self, tick: Tick) -> list[Message]:
        sent = [tick.message()]
        if self.is_due(3, 6):
            position = [x + self.offset for x in tick.position]
            velocity = [0.0] * len(position) if self.rest else tick.velocity
            stamp = tick.stamp + self.rng.choice([500_000, 0, -5_000_000])
            sent.append(tick.message(None, position, velocity, stamp=stamp, fights=True))
        return sent


class Garbage(Fault):
    """Bytes that are no joint state, between true ones."""

    def messages(self, tick: Tick) -> list[Message]:
        from rclpy.serialization import serialize_message

        true = tick.message()
        damage = self.rng.choice(DAMAGES[:3])
        data = bytes(serialize_message(true.data))
        # Damage that leaves a joint state with other numbers would be one that is plausible.
        broken = noise(self.rng) if self.rng.random() < 0.3 else damage(data[:-24], self.rng)
        huge = data[:12] + b"\xff\xff\xff\xff" + data[16:]
        return [Message(self.rng.choice([broken[: len(data) - 24], huge])), true]
