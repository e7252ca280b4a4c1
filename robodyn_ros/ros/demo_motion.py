"""Smooth motions within joint limits, with exact derivatives: a sum of sines for every coordinate.

Coordinate j moves as c_j + h_j (sum over k of w_k sin(2 pi f_k t + phase_jk)), sum of w_k = 1, so
that it never leaves c_j - h_j ... c_j + h_j; its velocity and acceleration are the exact
derivatives. Frequencies are multiples of 1 / period that are no multiples of each other (1, 1.618,
2.618).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.multi_dof_coordinates import described
from robodyn_ros.conditioning.told_coordinates import ToldCoordinate, told_coordinates
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.constraints.continuation import follow
from robodyn_ros.errors import ArgumentError, ClosureError
from robodyn_ros.joints import Gimbal, Joint, JointLimits
from robodyn_ros.model import AffineFollower, Model

Floats = NDArray[np.float64]
Followers = Sequence[tuple[AffineFollower, JointLimits]]

_MULTIPLES = np.array([1.0, 1.618, 2.618])
_WEIGHTS = np.array([0.6, 0.25, 0.15])
_FREE_TURN, _FREE_SLIDE = math.pi, 0.2
"""Half range of a joint without limits, rad and m."""
FREE_TILT = 1.0
"""Half range of an angle without limits in a joint with several coordinates, rad."""
_FROM_SINGULAR = math.pi / 6.0
"""How far the middle angle of a gimbal with three axes stays off its singular values, rad."""
_LOOKS, _HALVINGS = 24, 5
"""Moments of a closed mechanism's motion that are looked at, and how often it is made smaller."""
SPEED_SHARE = 0.9
"""Share of a joint's speed limit that its fastest moment may reach."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Joint values at one instant, (n,) each: SI."""

    position: Floats
    velocity: Floats
    acceleration: Floats


@dataclass(frozen=True, slots=True)
class Tempo:
    """How a motion goes.

    Attributes:
        amplitude: Share of each range that is used, 0 to 1.
        period: Seconds of the slowest swing.
    """

    amplitude: float
    period: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not (0.0 <= self.amplitude <= 1.0 and self.period > 0.0):
            raise ArgumentError(
                "amplitude must be 0 to 1 and period positive, got"
                f" {self.amplitude} and {self.period}"
            )

    @property
    def rates(self) -> Floats:
        """Angular frequencies of the sines (3,), rad/s."""
        return 2.0 * math.pi * _MULTIPLES / self.period

    @property
    def fastest(self) -> float:
        """Largest speed of a wave of height 1, 1/s."""
        return float(_WEIGHTS @ self.rates)


class Waves:
    """Numbers that swing about their centers.

    Attributes:
        center, reach: (n,) middle and half range of each.
    """

    def __init__(
        self,
        tempo: Tempo,
        ranges: Sequence[tuple[float, float]],
        speeds: Sequence[float],
        seed: int | Sequence[int],
    ) -> None:
        """Plan the swings.

        Args:
            tempo: How they go.
            ranges: Lower and upper end of each number.
            speeds: Highest speed of each, inf for any.
            seed: Seed of the phases.
        """
        ends = np.array([*ranges]).reshape(-1, 2)
        allowed = SPEED_SHARE * np.array([*speeds]) / tempo.fastest
        self.center: Floats = 0.5 * (ends[:, 0] + ends[:, 1])
        self.reach: Floats = np.minimum(0.5 * tempo.amplitude * (ends[:, 1] - ends[:, 0]), allowed)
        self._rates = tempo.rates
        rng = np.random.default_rng(seed)
        self._phases: Floats = rng.uniform(0.0, 2.0 * math.pi, (len(ends), len(_MULTIPLES)))

    def at(self, time: float) -> Sample:
        """Return the numbers at `time` (s)."""
        angles = self._rates * time + self._phases
        sines, cosines = np.sin(angles), np.cos(angles)
        return Sample(
            self.center + self.reach * (sines @ _WEIGHTS),
            self.reach * (cosines @ (_WEIGHTS * self._rates)),
            -self.reach * (sines @ (_WEIGHTS * self._rates**2)),
        )

    def one(self, number: int, times: Floats) -> tuple[Floats, Floats]:
        """Return positions and velocities (...) of one of the numbers at `times` (...), s."""
        angles = times[..., None] * self._rates + self._phases[number]
        reach = self.reach[number]
        position = self.center[number] + reach * (np.sin(angles) @ _WEIGHTS)
        return position, reach * (np.cos(angles) @ (_WEIGHTS * self._rates))


class SmoothMotion(Waves):
    """A motion of all coordinates that joint states give; followers go along by themselves.

    Attributes:
        names: The coordinates' names: the joint's, or `joint/axis`.
    """

    def __init__(self, model: Model, *, amplitude: float, period: float, seed: int) -> None:
        """Plan the motion.

        Args:
            model: The robot.
            amplitude: Share of each coordinate's range that is used, 0 to 1.
            period: Seconds of the slowest swing.
            seed: Seed of the phases.

        Raises:
            ArgumentError: the amplitude or the period is out of range.
        """
        tempo = Tempo(amplitude, period)
        told = [one for one in told_coordinates(model) if is_played(model, one)]
        self.names = tuple(coordinate.name for coordinate in told)
        followers = [followers_of(model, coordinate) for coordinate in told]
        pairs = [*zip(told, followers, strict=True)]
        ranges = [_range(coordinate, others) for coordinate, others in pairs]
        speeds = [speed_of(limits_of(coordinate), others) for coordinate, others in pairs]
        super().__init__(tempo, ranges, speeds, seed)
        if model.is_closed:
            self._stay_closed(model, told, period)

    def _stay_closed(self, model: Model, told: Sequence[ToldCoordinate], period: float) -> None:
        """Swing about the state that a closed mechanism begins with, as far as it follows."""
        begin = np.array([model.defaults.q[one.q] for one in told], dtype=np.float64)
        low, high = self.center - self.reach, self.center + self.reach
        bounded = np.array([_is_bounded(one) for one in told], dtype=bool)
        room = np.minimum(begin - low, high - begin)
        self.reach = np.where(bounded, np.maximum(np.minimum(self.reach, room), 0.0), self.reach)
        self.center = begin
        for _ in range(_HALVINGS):
            times = np.linspace(0.0, period, _LOOKS)
            path = [dict(zip(self.names, self.at(float(x)).position, strict=True)) for x in times]
            try:
                follow(model, model.defaults.q, path)
            except ClosureError:
                self.reach = 0.5 * self.reach
            else:
                return
        self.reach = np.zeros_like(self.reach)


def is_played(model: Model, coordinate: ToldCoordinate) -> bool:
    """Return whether a coordinate is moved: of a closed mechanism the independent ones are."""
    partition = model.closure.partition
    return partition is None or coordinate.v in partition.independent


def _is_bounded(coordinate: ToldCoordinate) -> bool:
    limits = limits_of(coordinate)
    return limits.lower is not None or limits.upper is not None


def interval(limits: JointLimits, free: float) -> tuple[float, float]:
    """Return the range of a coordinate, of `free` to both sides where nothing limits it."""
    lower, upper = limits.lower, limits.upper
    low = -free if lower is None else lower
    high = (low + 2.0 * free) if upper is None else upper
    if lower is None and upper is not None:
        low = upper - 2.0 * free
    low, high = max(low, -1e3), min(high, 1e3)
    if low > high:  # limits that contradict each other: stand still between them
        low = high = 0.5 * (low + high)
    return low, high


def free_range(joint: Joint, turns: bool) -> float:
    """Return half the range of a coordinate of a joint where nothing limits it, rad or m."""
    if not turns:
        return _FREE_SLIDE
    return _FREE_TURN if joint.nv == 1 else FREE_TILT


def limits_of(coordinate: ToldCoordinate) -> JointLimits:
    """Return the limits of a coordinate."""
    return coordinate.joint.rate_limits[coordinate.v - coordinate.joint.v_index]


def followers_of(model: Model, driver: ToldCoordinate) -> Followers:
    """Return the joints that follow a coordinate, with their limits."""
    return [
        (joint.coordinates, joint.limits)
        for _, joint in model.moving
        if isinstance(joint.coordinates, AffineFollower) and joint.coordinates.q_index == driver.q
    ]


def _range(coordinate: ToldCoordinate, followers: Followers) -> tuple[float, float]:
    """Return the interval in which a coordinate and all of its followers are within limits."""
    joint, rate = coordinate.joint.joint, coordinate.v - coordinate.joint.v_index
    limits = limits_of(coordinate)
    regular = [*_regular(described(joint), rate)]
    if regular and limits.lower is None and limits.upper is None:
        low, high = regular[0]
    else:
        low, high = interval(limits, free_range(joint, joint.turning()[rate]))
        if regular:
            low, high = _common(low, high, regular)
    for coordinates, others in followers:
        if coordinates.multiplier == 0.0 or others.lower is None or others.upper is None:
            continue
        ends = [
            (end - coordinates.offset) / coordinates.multiplier
            for end in (others.lower, others.upper)
        ]
        low, high = max(low, min(ends)), min(high, max(ends))
    low, high = (min(max(end, -LIMIT), LIMIT) for end in (low, high))
    if low > high:  # limits that contradict each other: stand still between them
        low = high = 0.5 * (low + high)
    return low, high


def _regular(joint: Joint, rate: int) -> Iterable[tuple[float, float]]:
    """Yield the intervals of a coordinate without singular attitudes; none where all are regular.

    Only the middle angle of three has such: see `Gimbal`.
    """
    if not isinstance(joint, Gimbal) or len(joint.sequence) < 3 or rate != 1:
        return
    first = 0.0 if len(set(joint.sequence)) == 3 else 0.5 * math.pi
    half = 0.5 * math.pi - _FROM_SINGULAR
    for turns in (0, -1, 1, -2, 2):
        center = first + turns * math.pi
        yield center - half, center + half


def _common(low: float, high: float, regular: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the largest part of a range that lies in a regular interval, else its middle."""
    parts = [(max(low, begin), min(high, end)) for begin, end in regular]
    begin, end = max(parts, key=lambda part: part[1] - part[0])
    middle = 0.5 * (low + high)
    return (begin, end) if begin <= end else (middle, middle)


def speed_of(limits: JointLimits, followers: Followers) -> float:
    """Return the highest speed that a coordinate and its followers allow, inf for any."""
    allowed = limits.velocity or math.inf
    for coordinates, others in followers:
        if coordinates.multiplier != 0.0 and others.velocity:
            allowed = min(allowed, others.velocity / abs(coordinates.multiplier))
    return allowed
