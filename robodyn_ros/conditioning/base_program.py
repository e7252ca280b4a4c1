"""The motion of a prescribed base as a program: poses at times, and a smooth way between them.

The position is a cubic spline through the points, so that velocity and acceleration are continuous;
where velocities are given too it is a cubic Hermite curve, and with accelerations a quintic one,
that has them at the points. The attitude is a spline of rotations (scipy's RotationSpline), whose
angular velocity and acceleration are continuous and are its derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frame_motion import NORM_TOLERANCE, Motion
from robodyn_ros.errors import ArgumentError

if TYPE_CHECKING:
    from scipy.spatial.transform import RotationSpline

Floats = NDArray[np.float64]
_Curve = Callable[[float], tuple[Floats, Floats, Floats]]

CLOSED = 1e-6
"""How far the last pose of a loop may be off the first: m, and 1 - |cos| of half the angle."""
_FADED = 24
"""Points within which the influence of a spline's end fades: to (2 - sqrt 3)^24 = 2e-14."""
_ZERO = np.zeros(3)


class BaseProgram:
    """Where a base is at any time: before and after the program it rests at its ends.

    Attributes:
        start: Time of the first pose, s.
        duration: s.
    """

    def __init__(
        self,
        time: Floats,
        position: Floats,
        quaternion: Floats,
        velocity: Floats | None = None,
        acceleration: Floats | None = None,
        *,
        loop: bool = False,
    ) -> None:
        """Work the curves out.

        Args:
            time: (n,) rising, s; two at least.
            position: (n, 3) of the root link in the world, m.
            quaternion: (n, 4) xyzw, its axes to the world's.
            velocity: (n, 3) of its origin, world axes, m/s.
            acceleration: (n, 3), m/s^2; only with a velocity.
            loop: Whether it begins again where it ends.

        Raises:
            ArgumentError: numbers that are no such program; the text names the row.
        """
        quaternion = _checked(time, position, quaternion, velocity, acceleration)
        self.start, self.duration = float(time[0]), float(time[-1] - time[0])
        self._loop = loop
        if loop:
            _require_closed(position, quaternion)
        times = time - time[0]
        self._position = _curve(times, position, velocity, acceleration, loop=loop)
        self._attitude = _attitude(times, quaternion, loop=loop)

    def at(self, time: float) -> Motion:
        """Return the motion at a time, s, of the program's."""
        since = time - self.start
        inside = 0.0 <= since <= self.duration
        if self._loop:
            since, inside = since % self.duration, True
        else:
            since = min(max(since, 0.0), self.duration)
        position, velocity, acceleration = self._position(since)
        attitude = self._attitude(since)
        quaternion = np.asarray(attitude.as_quat())
        if not inside:
            return Motion(position, quaternion, _ZERO, _ZERO, _ZERO, _ZERO)
        # The spline's rates have the body's axes.
        R_WB = np.asarray(attitude.as_matrix())
        turning = (R_WB @ np.asarray(self._attitude(since, order)) for order in (1, 2))
        rate, change = turning
        return Motion(position, quaternion, rate, velocity, change, acceleration)


def _checked(
    time: Floats,
    position: Floats,
    quaternion: Floats,
    velocity: Floats | None,
    acceleration: Floats | None,
) -> Floats:
    """Return the quaternions normalised, their signs such that each is near the one before."""
    if len(time) < 2:
        raise ArgumentError(f"a motion of the base needs two rows or more, got {len(time)}")
    if acceleration is not None and velocity is None:
        raise ArgumentError("a motion of the base with accelerations needs velocities too")
    given = {"time": time, "position": position, "quaternion": quaternion}
    more = {"velocity": velocity, "acceleration": acceleration}
    for name, values in (given | {k: x for k, x in more.items() if x is not None}).items():
        finite = np.isfinite(values).reshape(len(values), -1).all(axis=1)
        if not finite.all():
            raise ArgumentError(f"row {1 + int(np.argmin(finite))}: {name} is not finite")
    rising = np.diff(time) > 0.0
    if not rising.all():
        row = 2 + int(np.argmin(rising))
        raise ArgumentError(f"row {row}: time {time[row - 1]:g} s is not later than the one before")
    norms = np.linalg.norm(quaternion, axis=1)
    near = np.abs(norms - 1.0) <= NORM_TOLERANCE
    if not near.all():
        row = int(np.argmin(near))
        raise ArgumentError(f"row {row + 1}: the quaternion has norm {norms[row]:g} instead of 1")
    return np.asarray(quaternion / norms[:, None])


def _require_closed(position: Floats, quaternion: Floats) -> None:
    gap = float(np.linalg.norm(position[-1] - position[0]))
    turn = 1.0 - abs(float(quaternion[-1] @ quaternion[0]))
    if gap > CLOSED or turn > CLOSED:
        raise ArgumentError(
            f"a motion of the base that loops must end with the pose that it begins with, and ends"
            f" {gap:g} m and {2.0 * np.arccos(min(1.0, max(-1.0, 1.0 - turn))):g} rad off"
        )


def _curve(
    time: Floats,
    position: Floats,
    velocity: Floats | None,
    acceleration: Floats | None,
    *,
    loop: bool,
) -> _Curve:
    # Imported here: it takes a while, and few bases move by a program.
    from scipy.interpolate import BPoly, CubicSpline

    if velocity is None:
        if loop:
            position = np.vstack([position[:-1], position[:1]])
        ends = "periodic" if loop and len(time) > 2 else "natural"
        spline = CubicSpline(time, position, bc_type=ends)
        return lambda t: (spline(t), spline(t, 1), spline(t, 2))
    rows: Sequence[Floats] = [x for x in (position, velocity, acceleration) if x is not None]
    curve = BPoly.from_derivatives(time, np.stack(rows, axis=1))
    first, second = curve.derivative(1), curve.derivative(2)
    return lambda t: (curve(t), first(t), second(t))


def _attitude(time: Floats, quaternion: Floats, *, loop: bool) -> RotationSpline:
    from scipy.spatial.transform import Rotation, RotationSpline

    if loop:
        # What is at a spline's ends fades within some points: so many are put before and after.
        rounds = -(-_FADED // (len(time) - 1))
        period, places = time[-1], range(-rounds, rounds + 1)
        time = np.concatenate([*(time[:-1] + k * period for k in places), [(rounds + 1) * period]])
        quaternion = np.vstack([*(quaternion[:-1] for _ in places), quaternion[:1]])
    return RotationSpline(time, Rotation.from_quat(quaternion))
