"""Coefficients of the rotation exponential as smooth functions of the squared angle.

Each is evaluated by a ten-term series for theta^2 < 1 and in closed form above, both branches
made safe before the choice, so that values and two derivatives are right to rounding at 0.
"""

from __future__ import annotations

import math

import numpy as np

from robodyn_ros.kernels.scalar import cos, less, sin, sqrt, where
from robodyn_ros.spatial.arrays import Array
from robodyn_ros.spatial.rotations import skew

_TERMS = 10
_SWITCH = 1.0


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
    """Return the inverse of `left_jacobian`, (..., 3, 3); singular at |r| = 2 pi. Floats only."""
    square = (rotation_vector * rotation_vector).sum(axis=-1)
    small = square < 1e-4
    angle = np.sqrt(np.where(small, 1.0, square))
    closed = (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / (angle * angle)
    series = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    tilde = skew(rotation_vector)
    coefficient = np.where(small, series, closed)[..., None, None]
    inverse: Array = np.eye(3) - 0.5 * tilde + coefficient * (tilde @ tilde)
    return inverse
