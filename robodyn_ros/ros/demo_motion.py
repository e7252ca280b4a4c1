"""Smooth motions within joint limits, with exact derivatives: a sum of sines for every joint.

Joint j moves as c_j + h_j (sum over k of w_k sin(2 pi f_k t + phase_jk)), sum of w_k = 1, so that
it never leaves c_j - h_j ... c_j + h_j; its velocity and acceleration are the exact derivatives.
Frequencies are multiples of 1 / period that are no multiples of each other (1, 1.618, 2.618).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import JointLimits
from robodyn_ros.model import AffineFollower, Model, TreeJoint

Floats = NDArray[np.float64]

_MULTIPLES = np.array([1.0, 1.618, 2.618])
_WEIGHTS = np.array([0.6, 0.25, 0.15])
_FREE_TURN, _FREE_SLIDE = math.pi, 0.2
"""Half range of a joint without limits, rad and m."""
_SPEED_SHARE = 0.9
"""Share of a joint's speed limit that its fastest moment may reach."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Joint values at one instant, (n,) each: SI."""

    position: Floats
    velocity: Floats
    acceleration: Floats


class SmoothMotion:
    """A motion of all single-coordinate joints of a model; followers go along by themselves."""

    def __init__(self, model: Model, *, amplitude: float, period: float, seed: int) -> None:
        """Plan the motion.

        Args:
            model: The robot.
            amplitude: Share of each joint's range that is used, 0 to 1.
            period: Seconds of the slowest swing.
            seed: Seed of the phases.

        Raises:
            ArgumentError: the amplitude or the period is out of range.
        """
        if not (0.0 <= amplitude <= 1.0 and period > 0.0):
            raise ArgumentError(
                f"amplitude must be 0 to 1 and period positive, got {amplitude} and {period}"
            )
        joints = [joint for joint in model.own_joints if joint.joint.nv == 1]
        self.names = tuple(joint.name for joint in joints)
        self._rates = 2.0 * math.pi * _MULTIPLES / period
        ranges = [_range(joint, _followers(model, joint)) for joint in joints]
        lower = np.array([low for low, _ in ranges])
        upper = np.array([high for _, high in ranges])
        self.center: Floats = 0.5 * (lower + upper)
        speeds = np.array([_speed(joint, _followers(model, joint)) for joint in joints])
        fastest = float(_WEIGHTS @ self._rates)
        self.reach: Floats = np.minimum(
            amplitude * 0.5 * (upper - lower), _SPEED_SHARE * speeds / fastest
        )
        rng = np.random.default_rng(seed)
        self._phases: Floats = rng.uniform(0.0, 2.0 * math.pi, (len(joints), len(_MULTIPLES)))

    def at(self, time: float) -> Sample:
        """Return the joint values at `time` (s)."""
        angles = self._rates * time + self._phases
        sines, cosines = np.sin(angles), np.cos(angles)
        return Sample(
            self.center + self.reach * (sines @ _WEIGHTS),
            self.reach * (cosines @ (_WEIGHTS * self._rates)),
            -self.reach * (sines @ (_WEIGHTS * self._rates**2)),
        )


def _followers(model: Model, driver: TreeJoint) -> list[tuple[AffineFollower, JointLimits]]:
    return [
        (joint.coordinates, joint.limits)
        for _, joint in model.moving
        if joint.driver == driver.name and isinstance(joint.coordinates, AffineFollower)
    ]


def _range(
    joint: TreeJoint, followers: Sequence[tuple[AffineFollower, JointLimits]]
) -> tuple[float, float]:
    """Return the interval in which the joint and all of its followers are within limits."""
    (turns,) = joint.joint.turning()
    free = _FREE_TURN if turns else _FREE_SLIDE
    lower, upper = joint.limits.lower, joint.limits.upper
    low = -free if lower is None else lower
    high = (low + 2.0 * free) if upper is None else upper
    if lower is None and upper is not None:
        low = upper - 2.0 * free
    low, high = max(low, -1e3), min(high, 1e3)
    for coordinates, limits in followers:
        if coordinates.multiplier == 0.0 or limits.lower is None or limits.upper is None:
            continue
        ends = [
            (end - coordinates.offset) / coordinates.multiplier
            for end in (limits.lower, limits.upper)
        ]
        low, high = max(low, min(ends)), min(high, max(ends))
    low, high = (min(max(end, -LIMIT), LIMIT) for end in (low, high))
    if low > high:  # limits that contradict each other: stand still between them
        low = high = 0.5 * (low + high)
    return low, high


def _speed(joint: TreeJoint, followers: Sequence[tuple[AffineFollower, JointLimits]]) -> float:
    """Return the highest speed that the joint and its followers allow, inf for any."""
    allowed = joint.limits.velocity or math.inf
    for coordinates, limits in followers:
        if coordinates.multiplier != 0.0 and limits.velocity:
            allowed = min(allowed, limits.velocity / abs(coordinates.multiplier))
    return allowed
