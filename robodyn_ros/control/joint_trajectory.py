"""A trajectory through points, from where the reference is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator, PPoly

from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
MOST_POINTS = 10_000
"""Of more, planning would take as long as states may be late."""
LONGEST = 86400.0
"""s from the start, and from now, to the last point."""
LARGEST = 1e9
"""rad or m, and their rates, beyond which a number is none of a joint."""
_WITHIN = (0.25, 0.5, 0.75)
"""Shares of each piece at which its motion is looked at."""


@dataclass(frozen=True)
class TrajectoryPoints:
    """Points as a message has them.

    Attributes:
        times: (n,) s from the start, increasing, none below 0.
        position: (n, m) rad or m.
        velocity: (n, m) rad/s or m/s; None where points have none.
        acceleration: (n, m) likewise.
    """

    times: Floats
    position: Floats
    velocity: Floats | None = None
    acceleration: Floats | None = None

    def __post_init__(self) -> None:
        """Refuse what is no trajectory.

        Raises:
            ArgumentError: no or too many points, times that do not increase, arrays of other
                lengths, values that are not finite, a last point that moves.
        """
        self._require_times()
        for name in ("position", "velocity", "acceleration"):
            values = getattr(self, name)
            if values is None:
                continue
            if values.shape != self.position.shape or len(values) != len(self.times):
                raise ArgumentError(f"every point needs one {name} for each joint, or none has any")
            if not np.isfinite(values).all():
                raise ArgumentError(f"one {name} of the trajectory is not finite")
            if np.any(np.abs(values) > LARGEST):
                raise ArgumentError(f"one {name} of the trajectory is beyond {LARGEST:g}")
        if self.velocity is not None and np.any(np.abs(self.velocity[-1]) > 0.0):
            raise ArgumentError("the last point must be at rest: its velocities are not 0")
        if self.acceleration is not None and self.velocity is None:
            raise ArgumentError("points with accelerations need velocities too")

    def _require_times(self) -> None:
        count = len(self.times)
        if not 1 <= count <= MOST_POINTS:
            raise ArgumentError(f"a trajectory has 1 to {MOST_POINTS} points, got {count}")
        if not np.isfinite(self.times).all() or self.times[0] < 0.0:
            raise ArgumentError("time_from_start of every point must be finite and at least 0")
        late = np.flatnonzero(np.diff(self.times) <= 0.0)
        if len(late):
            raise ArgumentError(
                f"time_from_start must increase from point to point, point {late[0] + 1} has"
                f" {self.times[late[0] + 1]:g} s after {self.times[late[0]]:g} s"
            )
        if self.times[-1] > LONGEST:
            raise ArgumentError(f"a trajectory lasts at most {LONGEST:g} s")


class JointTrajectory:
    """A motion through points, which begins where the reference was; see `at`.

    Points with accelerations are joined by polynomials of degree five, with velocities by cubic
    ones, as ros2_controllers' joint_trajectory_controller has it. Where there are only positions,
    velocities are those that let no coordinate swing beyond its points (Fritsch & Carlson 1980),
    accelerations 0: degree five, so that efforts do not jump.
    """

    def __init__(self, points: TrajectoryPoints, passed: float, start: Sequence[Floats]) -> None:
        """Plan it.

        Args:
            points: The points.
            passed: Time since the start that points count from, s; below 0 if that is ahead.
            start: (m,) position, velocity and acceleration of the reference now.

        Raises:
            ArgumentError: all of its points lie in the past, or far ahead, or its motion between
                them is not finite.
        """
        ahead = points.times > passed
        due = float(points.times[-1] - passed)
        if points.times[-1] <= 0.0:
            raise ArgumentError("its last point has no time: give a time_from_start above 0")
        if not ahead.any():
            raise ArgumentError(
                f"its last point was due {-due:.3g} s ago: stamp it with the time of its start, or"
                " with 0 for now"
            )
        if due > LONGEST:
            raise ArgumentError(
                f"its last point is due in {due:.3g} s, at most {LONGEST:g} are followed: stamp it"
                " by the clock of the joint states, or with 0 for now"
            )
        q, v, a = start
        times = np.concatenate([[0.0], points.times[ahead] - passed])
        position = np.concatenate([q[None], points.position[ahead]])
        acceleration = None
        with np.errstate(all="ignore"):
            if points.velocity is None:
                velocity = PchipInterpolator(times, position, axis=0).derivative()(times)
                velocity[-1] = 0.0
                velocity[0] = v
                acceleration = np.concatenate([a[None], 0.0 * velocity[1:]])
            else:
                velocity = np.concatenate([v[None], points.velocity[ahead]])
                if points.acceleration is not None:
                    acceleration = np.concatenate([a[None], points.acceleration[ahead]])
            pieces = _pieces(np.diff(times)[:, None], position, velocity, acceleration)
            self._position = PPoly(pieces, times)
            self._velocity = self._position.derivative()
            self._acceleration = self._velocity.derivative()
            finite = all(np.isfinite(x.c).all() for x in (self._position, self._acceleration))
        if not finite:
            raise ArgumentError(
                "its motion between points is not finite: leave more time between them, or give"
                " smaller velocities and accelerations"
            )
        self.duration = float(times[-1])
        self._goal: Floats = position[-1].copy()

    def at(self, time: float) -> tuple[Floats, Floats, Floats]:
        """Return position, velocity and acceleration (m,) at so many s from the making on.

        Behind the last point it stands there.
        """
        if time >= self.duration:
            rest = np.zeros_like(self._goal)
            return self._goal.copy(), rest, rest.copy()
        t = max(time, 0.0)
        return self._position(t), self._velocity(t), self._acceleration(t)

    def within(self) -> tuple[Floats, Floats, Floats]:
        """Return times (n,) between points, and positions and velocities (n, m) there.

        Positions of the first piece, which begins where the reference was, are NaN.
        """
        begin, length = self._position.x[:-1], np.diff(self._position.x)
        times = np.concatenate([begin + share * length for share in _WITHIN])
        position = np.concatenate([_inside(self._position.c, x * length) for x in _WITHIN])
        velocity = np.concatenate([_inside(self._velocity.c, x * length) for x in _WITHIN])
        position[:: len(length)] = np.nan
        return times, position, velocity


def _pieces(
    length: Floats, position: Floats, velocity: Floats, acceleration: Floats | None
) -> Floats:
    """Return coefficients (k, pieces, m), highest first, of polynomials from point to point.

    Args:
        length: (pieces, 1) s.
        position: (pieces + 1, m).
        velocity: (pieces + 1, m).
        acceleration: (pieces + 1, m); None for polynomials of degree three.
    """
    p, v, end = position[:-1], velocity[:-1], velocity[1:]
    mean = np.diff(position, axis=0) / length
    if acceleration is None:
        second = (3.0 * mean - 2.0 * v - end) / length
        return np.stack([(v + end - 2.0 * mean) / length**2, second, v, p])
    a, last = acceleration[:-1] * length, acceleration[1:] * length
    third = (20.0 * mean - 8.0 * end - 12.0 * v - 3.0 * a + last) / (2.0 * length**2)
    fourth = (-30.0 * mean + 14.0 * end + 16.0 * v + 3.0 * a - 2.0 * last) / (2.0 * length**3)
    fifth = (12.0 * mean - 6.0 * end - 6.0 * v - a + last) / (2.0 * length**4)
    return np.stack([fifth, fourth, third, 0.5 * acceleration[:-1], v, p])


def _inside(pieces: Floats, time: Floats) -> Floats:
    """Return values (pieces, m) of polynomials so many s (pieces,) behind their beginnings."""
    value: Floats = pieces[0]
    for coefficient in pieces[1:]:
        value = value * time[:, None] + coefficient
    return value
