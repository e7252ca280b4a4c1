"""Faults of time and of what is round a stream of joint states: stamps, silence, the operator."""

# ruff: noqa: D102 - the base class says what each method does
from __future__ import annotations

import random
from typing import Any

from rclpy.parameter import Parameter

from benchmarks.soak import faults
from benchmarks.soak.faults import DERIVED_LAG, NODE_LAG, SECOND, Fault, Message, Tick
from benchmarks.soak.motion import Label

BURST = 100
_SETTINGS: tuple[tuple[str, Any, Any], ...] = (
    ("velocity_source", "filtered", "message"),
    ("acceleration_source", "none", "filtered"),
    ("filter_time_constant", 0.2, 0.02),
    ("filter_time_constant", 0.0, 0.02),
    ("publish_frequency", 30.0, 0.0),
    ("stale_after", 0.2, 1.0),
    ("visualization_rate", 5.0, 30.0),
    ("outlier_rejection", False, True),
    ("ignore_timestamp", True, False),
    ("publish_frequency", -1.0, 0.0),
    ("velocity_source", "none of these", "message"),
)
"""Name, value for a spell, value after it."""
_BAD_DESCRIPTIONS = (
    "",
    "<robot/>",
    "<robot name='r'><link name='a'/><link name='b'/></robot>",
    "no description at all",
    "<robot name='${x}' xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:include/></robot>",
    "<" * 10_000,
)


def jump(rng: random.Random, *seconds: float) -> int:
    """Return one of some times in ns, and a bit: no stamp ever stands for two times."""
    return int(rng.choice(seconds) * SECOND) + rng.randrange(1_000_000)


class NoStamps(Fault):
    """The node has to give its own time."""

    def messages(self, tick: Tick) -> list[Message]:
        message = tick.message(stamp=0)
        return [message._replace(label=Label(tick.time, NODE_LAG, NODE_LAG))]


class RepeatedStamps(Fault):
    """The same stamp three times, first with the state that belongs to it."""

    def messages(self, tick: Tick) -> list[Message]:
        self.count += 1
        if self.count % 3 == 1:
            self.stamp = tick.stamp
            return [tick.message()]
        return [tick.message(stamp=self.stamp)._replace(label=None)]


class BackwardStamps(Fault):
    """Now and then a message that is late by less than a second."""

    def messages(self, tick: Tick) -> list[Message]:
        if not self.is_due():
            return [tick.message()]
        return [tick.message(stamp=tick.stamp - self.rng.randint(3, 900) * 1_000_000 + 333)]


class FutureStamps(Fault):
    """Now and then a message of a time long after, with the true state."""

    def messages(self, tick: Tick) -> list[Message]:
        if not self.is_due(20, 100):
            return [tick.message()]
        far = self.rng.choice([SECOND // 2, 2 * SECOND, 1000 * SECOND])
        return [tick.message(), tick.message(stamp=tick.stamp + far + 777)]


class ClockForward(Fault):
    """The clock jumps."""

    def begin(self, stream: Any) -> None:
        stream.offset += jump(self.rng, 0.2, 0.7, 5.0, 1000.0)


class ClockBack(Fault):
    """The clock jumps back: by more than a second it is a reset."""

    def begin(self, stream: Any) -> None:
        stream.offset -= jump(self.rng, 0.2, 0.7, 1.5, 5.0, 1000.0)


class Silence(Fault):
    """Nothing comes."""

    def messages(self, tick: Tick) -> list[Message]:
        return []


class Burst(Fault):
    """Nothing comes, and then all that should have, at once."""

    def begin(self, stream: Any) -> None:
        self.waiting: list[Message] = []

    def messages(self, tick: Tick) -> list[Message]:
        self.waiting.append(tick.message())
        if len(self.waiting) < BURST:
            return []
        sent, self.waiting = self.waiting, []
        return sent


class OtherParameters(Fault):
    """The operator changes a parameter, and changes it back; some values are refused.

    It is changed back early in the spell: when the node takes it is not known, and its velocities
    may be filtered until then.
    """

    least = 0.5
    HELD = 100
    """Messages until it is changed back, 0.2 s."""

    def begin(self, stream: Any) -> None:
        self.stream = stream
        self.name, value, self.after = self.rng.choice(_SETTINGS)
        stream.set_parameter(Parameter(self.name, value=value))

    def messages(self, tick: Tick) -> list[Message]:
        self.count += 1
        if self.count == self.HELD:
            self.stream.set_parameter(Parameter(self.name, value=self.after))
        return [tick.message(slope_lag=2.0 * DERIVED_LAG)]

    def end(self, stream: Any) -> None:
        if self.count < self.HELD:
            stream.set_parameter(Parameter(self.name, value=self.after))


class BadDescription(Fault):
    """A description that cannot be used, on the topic and as the parameter."""

    def begin(self, stream: Any) -> None:
        text = self.rng.choice(_BAD_DESCRIPTIONS)
        stream.describe(text)
        if self.rng.random() < 0.5:
            stream.set_parameter(Parameter("robot_description", value=text))


KINDS: tuple[type[Fault], ...] = (
    faults.InsanePositions,
    faults.InsaneVelocities,
    faults.NoVelocities,
    faults.WrongLengths,
    faults.ReversedNames,
    faults.PartialNames,
    faults.MissingNames,
    faults.RepeatedNames,
    faults.OtherNames,
    faults.Outliers,
    faults.VelocityOutliers,
    faults.Fight,
    faults.Garbage,
    NoStamps,
    RepeatedStamps,
    BackwardStamps,
    FutureStamps,
    ClockForward,
    ClockBack,
    Silence,
    Burst,
    OtherParameters,
    BadDescription,
)
