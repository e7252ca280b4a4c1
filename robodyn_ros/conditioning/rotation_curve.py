"""A curve of attitudes with given angular velocities, and accelerations if wanted, at its points.

Between two points it is R(t) = exp(r(t)) R_k, with a polynomial r of order 3 (5 with accelerations)
that has at both ends the rotation vectors, rates and second derivatives that go with what is given:
w = J_l(r) r' and dw = J_l(r) r'' + J_l'(r) r' (document D, section 3.2.2). From one point to the
next the shorter way is taken.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.one_frame import cross, inverse, product, rotation_vector, turned_by
from robodyn_ros.spatial import left_jacobian_inverse

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

Floats = NDArray[np.float64]

_SMALL = 1e-2
"""Squared angles under which series serve for what closed forms lose digits in."""


class Attitude(NamedTuple):
    """Quaternion xyzw of a frame, angular velocity and acceleration, in the reference's axes."""

    quaternion: Floats
    angular_velocity: Floats
    angular_acceleration: Floats


class RotationCurve:
    """The curve; times are those of its points, from the first to the last."""

    def __init__(
        self, time: Floats, quaternion: Floats, rate: Floats, change: Floats | None = None
    ) -> None:
        """Work the polynomials out.

        Args:
            time: (n,) rising, s.
            quaternion: (n, 4) xyzw, unit.
            rate: (n, 3) angular velocity, reference axes, rad/s.
            change: (n, 3) angular acceleration, rad/s^2.
        """
        self._time, self._quaternion = time, quaternion
        self._pieces = _pieces(time, quaternion, rate, change)
        self._slopes = self._pieces.derivative(1)
        self._bends = self._pieces.derivative(2)

    def at(self, time: float) -> Attitude:
        """Return the attitude at a time, s, between the first point's and the last's."""
        place = int(np.searchsorted(self._time, time, side="right")) - 1
        start = self._quaternion[min(max(place, 0), len(self._time) - 2)]
        r, slope, bend = self._pieces(time), self._slopes(time), self._bends(time)
        return Attitude(product(turned_by(r), start), *turning_rates(r, slope, bend))


def _pieces(time: Floats, quaternion: Floats, rate: Floats, change: Floats | None) -> PPoly:
    """Return the polynomials of rotation vectors, piece by piece."""
    # Imported here: it takes a while, and few bases move by a program.
    from scipy.interpolate import PPoly

    step = np.diff(time)[:, None]
    pairs = zip(quaternion[1:], quaternion[:-1], strict=True)
    turn = np.array([rotation_vector(product(after, inverse(before))) for after, before in pairs])
    from_rates = np.asarray(left_jacobian_inverse(turn))
    slope = (from_rates @ rate[1:, :, None])[..., 0]
    # In s = (t - t_k) / step, from r = 0; what is left for the powers from the third on.
    zero, first = np.zeros_like(turn), step * rate[:-1]
    if change is None:
        left, left_slope = turn - first, step * slope - first
        powers = [left_slope - 2.0 * left, 3.0 * left - left_slope, first, zero]
    else:
        turning = np.array([_turning(r, d) for r, d in zip(turn, slope, strict=True)])
        bend = (from_rates @ (change[1:] - turning)[..., None])[..., 0]
        second = 0.5 * step**2 * change[:-1]
        left = turn - first - second
        left_slope = step * slope - first - 2.0 * second
        left_bend = step**2 * bend - 2.0 * second
        powers = [
            6.0 * left - 3.0 * left_slope + 0.5 * left_bend,
            -15.0 * left + 7.0 * left_slope - left_bend,
            10.0 * left - 4.0 * left_slope + 0.5 * left_bend,
            *(second, first, zero),
        ]
    order = len(powers) - 1
    return PPoly(np.array([c / step ** (order - k) for k, c in enumerate(powers)]), time)


def turning_rates(r: Floats, slope: Floats, bend: Floats) -> tuple[Floats, Floats]:
    """Return angular velocity and acceleration of exp(r), from its first two derivatives."""
    second, third, _, _ = _coefficients(float(r @ r))

    def to_rate(x: Floats) -> Floats:
        along = cross(r, x)
        return np.asarray(x + second * along + third * cross(r, along))

    return to_rate(slope), to_rate(bend) + _turning(r, slope)


def _turning(r: Floats, slope: Floats) -> Floats:
    """Return J_l'(r) r', what angular acceleration has without second derivatives."""
    _, third, second_slope, third_slope = _coefficients(float(r @ r))
    along = cross(r, slope)
    growth = 2.0 * float(r @ slope)
    return np.asarray(
        growth * (second_slope * along + third_slope * cross(r, along))
        + third * cross(slope, along)
    )


def _coefficients(square: float) -> tuple[float, float, float, float]:
    """Return (1 - cos t)/t^2, (t - sin t)/t^3 and their derivatives by t^2, from t^2."""
    if square < _SMALL:
        second = 1 / 2 - square * (
            1 / 24 - square * (1 / 720 - square * (1 / 40320 - square / 3628800))
        )
        third = 1 / 6 - square * (1 / 120 - square * (1 / 5040 - square / 362880))
        second_slope = -1 / 24 + square * (1 / 360 - square * (1 / 13440 - square / 907200))
        third_slope = -1 / 120 + square * (1 / 2520 - square * (1 / 120960 - square / 9979200))
        return second, third, second_slope, third_slope
    angle = math.sqrt(square)
    sine = math.sin(angle) / angle
    second, third = (1.0 - math.cos(angle)) / square, (1.0 - sine) / square
    return (
        second,
        third,
        (sine - 2.0 * second) / (2.0 * square),
        (second - 3.0 * third) / (2.0 * square),
    )
