"""The rotation exponential and its Jacobians by smooth functions of the squared angle.

Each of these is evaluated by a series of ten terms or so for theta^2 < 1 and in closed form above,
both branches made safe before the choice, so that values and two derivatives are right to rounding
at 0.
"""

from __future__ import annotations

import math

import numpy as np

from robodyn_ros.kernels.scalar import cos, less, sin, sqrt, where
from robodyn_ros.spatial.arrays import Array
from robodyn_ros.spatial.rotations import skew

_TERMS = 10
_SWITCH = 1.0
_BERNOULLI = (
    *(1 / 6, 1 / 30, 1 / 42, 1 / 30, 5 / 66, 691 / 2730, 7 / 6, 3617 / 510, 43867 / 798),
    *(174611 / 330, 854513 / 138),
)
#: Coefficients |B_2k| / (2k)! of the series of (1 - (t/2) cot(t/2)) / t^2 in t^2.
_INVERSE = tuple(number / math.factorial(2 * k) for k, number in enumerate(_BERNOULLI, start=1))


def _series(square: Array, first: int) -> Array:
    """Return sum_k (-square)^k / (2k + first)! by Horner's rule."""
    result: Array = np.asarray(1.0 / math.factorial(2 * (_TERMS - 1) + first))
    for k in reversed(range(_TERMS - 1)):
        result = 1.0 / math.factorial(2 * k + first) - square * result
    return result


def exponential_coefficients(square: Array) -> tuple[Array, Array, Array]:
    """Return sin t / t, (1 - cos t) / t^2 and (t - sin t) / t^3 from `square` = t^2, each (...)."""
    small = less(square, _SWITCH)
    near = where(small, square, 0.0 * square)
    far = where(small, 0.0 * square + _SWITCH, square)
    angle = sqrt(far)
    sine = sin(angle)
    return (
        where(small, _series(near, 1), sine / angle),
        where(small, _series(near, 2), (1.0 - cos(angle)) / far),
        where(small, _series(near, 3), (angle - sine) / (far * angle)),
    )


def left_jacobian(rotation_vector: Array) -> Array:
    """Return J_l(r) = 1 + (1 - cos t)/t^2 r~ + (t - sin t)/t^3 r~^2, (..., 3, 3) from (..., 3).

    It turns the rate of the rotation vector into the angular velocity in the predecessor's axes
    (document D, section 3.2.2).
    """
    square = (rotation_vector * rotation_vector).sum(axis=-1)
    _, second, third = (np.asarray(c)[..., None, None] for c in exponential_coefficients(square))
    tilde = skew(rotation_vector)
    jacobian: Array = np.eye(3) + second * tilde + third * (tilde @ tilde)
    return jacobian


def left_jacobian_inverse(rotation_vector: Array) -> Array:
    """Return the inverse of `left_jacobian`, (..., 3, 3); singular at |r| = 2 pi."""
    square = (rotation_vector * rotation_vector).sum(axis=-1)
    coefficient = np.asarray(_inverse_coefficient(square))[..., None, None]
    tilde = skew(rotation_vector)
    inverse: Array = np.eye(3) - 0.5 * tilde + coefficient * (tilde @ tilde)
    return inverse


def rotation_exponential(rotation_vector: Array) -> Array:
    """Return the rotation matrix (..., 3, 3) of a rotation vector (..., 3) in rad."""
    square = (rotation_vector * rotation_vector).sum(axis=-1)
    first, second, _ = (np.asarray(c)[..., None, None] for c in exponential_coefficients(square))
    tilde = skew(rotation_vector)
    rotation: Array = np.eye(3) + first * tilde + second * (tilde @ tilde)
    return rotation


def _inverse_coefficient(square: Array) -> Array:
    """Return (1 - (t/2) cot(t/2)) / t^2 from `square` = t^2; infinite at t = 2 pi."""
    small = less(square, _SWITCH)
    near = where(small, square, 0.0 * square)
    series: Array = np.asarray(_INVERSE[-1])
    for coefficient in reversed(_INVERSE[:-1]):
        series = coefficient + near * series
    far = where(small, 0.0 * square + _SWITCH, square)
    half = 0.5 * sqrt(far)
    closed = (1.0 - half * cos(half) / sin(half)) / far
    return np.asarray(where(small, series, closed))
