"""A trajectory through points, from where the reference is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly, PchipInterpolator, PPoly

from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
MOST_POINTS = 100_000
LONGEST = 86400.0
"""s from the start to the last point."""


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
                raise ArgumentError(f"a {name} of the trajectory is not finite")
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
            ArgumentError: all of its points lie in the past.
        """
        ahead = points.times > passed
        if not ahead.any():
            raise ArgumentError(
                f"its last point was due {passed - points.times[-1]:.3g} s ago: stamp it with the"
                " time of its start, or with 0 for now"
            )
        q, v, a = start
        times = np.concatenate([[0.0], points.times[ahead] - passed])
        position = np.concatenate([q[None], points.position[ahead]])
        if points.velocity is None:
            slopes = PchipInterpolator(times, position, axis=0).derivative()(times)
            slopes[-1] = 0.0
            slopes[0] = v
            derivatives = [position, slopes, np.concatenate([a[None], 0.0 * slopes[1:]])]
        else:
            derivatives = [position, np.concatenate([v[None], points.velocity[ahead]])]
            if points.acceleration is not None:
                derivatives.append(np.concatenate([a[None], points.acceleration[ahead]]))
        joined = BPoly.from_derivatives(times, np.stack(derivatives, axis=1))
        self._position = PPoly.from_bernstein_basis(joined)
        self._velocity = self._position.derivative()
        self._acceleration = self._velocity.derivative()
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
