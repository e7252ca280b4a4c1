"""The motion of a prescribed base as a program: poses at times, and a smooth way between them.

The position is a cubic spline through the points, so that velocity and acceleration are continuous;
where velocities are given too it is a cubic Hermite curve, and with accelerations a quintic one,
that has them at the points. The attitude is a spline of rotations (scipy's RotationSpline), whose
angular velocity and acceleration are continuous; where angular velocities are given too, and
angular accelerations, it is a `RotationCurve` that has them at the points. So what is given for a
row holds there, also where it does not go with the poses beside it (`doubts` says so); everywhere
rates are the derivatives of the pose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.base_consistency import Given, doubts
from robodyn_ros.conditioning.frame_motion import NORM_TOLERANCE, Motion
from robodyn_ros.conditioning.rotation_curve import Attitude, RotationCurve
from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
_Curve = Callable[[float], tuple[Floats, Floats, Floats]]
_Turning = Callable[[float], Attitude]

CLOSED = 1e-6
"""How far the last pose of a loop may be off the first: m, and 1 - |cos| of half the angle."""
_FADED = 24
"""Points within which the influence of a spline's end fades: to (2 - sqrt 3)^24 = 2e-14."""
_ZERO = np.zeros(3)
COLUMNS = {
    "velocity": ("vx", "vy", "vz"),
    "acceleration": ("ax", "ay", "az"),
    "angular_velocity": ("wx", "wy", "wz"),
    "angular_acceleration": ("dwx", "dwy", "dwz"),
}
"""What rates are called, and their components in world axes."""
_UNITS = {
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "angular_velocity": "rad/s",
    "angular_acceleration": "rad/s^2",
}
_NEEDED = {"acceleration": "velocity", "angular_acceleration": "angular_velocity"}


class BaseProgram:
    """Where a base is at any time: before and after the program it rests at its ends.

    Attributes:
        start: Time of the first pose, s.
        duration: s.
        doubts: A sentence for each kind of rate that does not go with the poses, or with the rates
            that it is the derivative of.
    """

    def __init__(
        self,
        time: Floats,
        position: Floats,
        quaternion: Floats,
        velocity: Floats | None = None,
        acceleration: Floats | None = None,
        angular_velocity: Floats | None = None,
        angular_acceleration: Floats | None = None,
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
            angular_velocity: (n, 3), world axes, rad/s.
            angular_acceleration: (n, 3), rad/s^2; only with an angular velocity.
            loop: Whether it begins again where it ends.

        Raises:
            ArgumentError: numbers that are no such program; the text names the row.
        """
        every = (velocity, acceleration, angular_velocity, angular_acceleration)
        rates = {k: x for k, x in zip(COLUMNS, every, strict=True) if x is not None}
        quaternion = _checked(time, position, quaternion, rates)
        self.start, self.duration = float(time[0]), float(time[-1] - time[0])
        self._loop = loop
        if loop:
            _require_closed(position, quaternion)
        times = time - time[0]
        self._position = _curve(times, position, velocity, acceleration, loop=loop)
        self._attitude = _attitude(
            times, quaternion, angular_velocity, angular_acceleration, loop=loop
        )
        given = [
            Given(rates[name], COLUMNS[name], _UNITS[name]) if name in rates else None
            for name in COLUMNS
        ]
        linear, angular = (given[0], given[1]), (given[2], given[3])
        self.doubts = doubts(time, position, quaternion, linear, angular, loop=loop)

    def at(self, time: float) -> Motion:
        """Return the motion at a time, s, of the program's."""
        since = time - self.start
        inside = 0.0 <= since <= self.duration
        if self._loop:
            since, inside = since % self.duration, True
        else:
            since = min(max(since, 0.0), self.duration)
        position, velocity, acceleration = self._position(since)
        quaternion, rate, change = self._attitude(since)
        if not inside:
            return Motion(position, quaternion, _ZERO, _ZERO, _ZERO, _ZERO)
        return Motion(position, quaternion, rate, velocity, change, acceleration)


def _checked(
    time: Floats,
    position: Floats,
    quaternion: Floats,
    rates: Mapping[str, Floats],
) -> Floats:
    """Return the quaternions normalised, their signs such that each is near the one before."""
    if len(time) < 2:
        raise ArgumentError(f"a motion of the base needs two rows or more, got {len(time)}")
    for name, needed in _NEEDED.items():
        if name in rates and needed not in rates:
            raise ArgumentError(f"a motion of the base with {name} needs {needed} too")
    given = {"time": time, "position": position, "quaternion": quaternion}
    for name, values in {**given, **rates}.items():
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


def _attitude(
    time: Floats,
    quaternion: Floats,
    rate: Floats | None,
    change: Floats | None,
    *,
    loop: bool,
) -> _Turning:
    if rate is not None:
        return RotationCurve(time, quaternion, rate, change).at
    # Imported here: it takes a while, and few bases move by a program.
    from scipy.spatial.transform import Rotation, RotationSpline

    if loop:
        # What is at a spline's ends fades within some points: so many are put before and after.
        rounds = -(-_FADED // (len(time) - 1))
        period, places = time[-1], range(-rounds, rounds + 1)
        time = np.concatenate([*(time[:-1] + k * period for k in places), [(rounds + 1) * period]])
        quaternion = np.vstack([*(quaternion[:-1] for _ in places), quaternion[:1]])
    spline = RotationSpline(time, Rotation.from_quat(quaternion))

    def at(t: float) -> Attitude:
        attitude = spline(t)
        R_WB = np.asarray(attitude.as_matrix())  # the spline's rates have the body's axes
        rates = (R_WB @ np.asarray(spline(t, order)) for order in (1, 2))
        return Attitude(np.asarray(attitude.as_quat()), *rates)

    return at
