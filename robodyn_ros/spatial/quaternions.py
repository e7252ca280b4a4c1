"""Unit quaternions (x, y, z, w), scalar last, child axes to parent axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.kernels.scalar import arctan2, less, less_equal, sqrt, where
from robodyn_ros.spatial.arrays import Array, joined
from robodyn_ros.spatial.exponential import exponential_coefficients

#: Where the series of the logarithm serves, and how many of its terms.
_FLAT = 0.05
_TERMS = 13


def quaternion_to_matrix(quaternion: Array) -> Array:
    """Return the rotation matrix (..., 3, 3), child to parent, of a quaternion (..., 4).

    Document A, equation 2c, divided by the squared norm so that a norm a little off 1 still
    gives an orthonormal matrix.
    """
    x, y, z, w = (quaternion[..., i] for i in range(4))
    s = 2.0 / (x * x + y * y + z * z + w * w)
    entries = [
        1.0 - s * (y * y + z * z),
        s * (x * y - z * w),
        s * (x * z + y * w),
        s * (x * y + z * w),
        1.0 - s * (x * x + z * z),
        s * (y * z - x * w),
        s * (x * z - y * w),
        s * (y * z + x * w),
        1.0 - s * (x * x + y * y),
    ]
    return np.stack(entries, axis=-1).reshape((*quaternion.shape[:-1], 3, 3))


def quaternion_from_matrix(rotation: Array) -> Array:
    """Return the quaternion (..., 4) with w >= 0 of a rotation matrix (..., 3, 3).

    Of the four rows of 4 q q^T, which are linear in the matrix, the one with the largest diagonal
    entry is normalised (Shepperd's method), so that no rotation loses accuracy.
    """
    R = [[rotation[..., i, j] for j in range(3)] for i in range(3)]
    xx = 1.0 + R[0][0] - R[1][1] - R[2][2]
    yy = 1.0 - R[0][0] + R[1][1] - R[2][2]
    zz = 1.0 - R[0][0] - R[1][1] + R[2][2]
    ww = 1.0 + R[0][0] + R[1][1] + R[2][2]
    xy, xz, yz = R[0][1] + R[1][0], R[0][2] + R[2][0], R[1][2] + R[2][1]
    xw, yw, zw = R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]
    first, second = less_equal(yy, xx), less_equal(ww, zz)
    upper = _choose(first, (xx, xy, xz, xw), (xy, yy, yz, yw))
    lower = _choose(second, (xz, yz, zz, zw), (xw, yw, zw, ww))
    largest = less_equal(where(second, zz, ww), where(first, xx, yy))
    row = _choose(largest, upper, lower)
    x, y, z, w = row
    scale = 1.0 / sqrt(x * x + y * y + z * z + w * w)
    scale = where(less(w, 0.0), -scale, scale)
    return np.stack([np.asarray(entry * scale) for entry in row], axis=-1)


def _choose(condition: Array, yes: Sequence[Array], no: Sequence[Array]) -> tuple[Array, ...]:
    return tuple(where(condition, a, b) for a, b in zip(yes, no, strict=True))


def quaternion_product(a: Array, b: Array) -> Array:
    """Return the Hamilton product a b, (..., 4): rotate by b, then by a."""
    ax, ay, az, aw = (a[..., i] for i in range(4))
    bx, by, bz, bw = (b[..., i] for i in range(4))
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def quaternion_inverse(quaternion: Array) -> Array:
    """Return the conjugate, which is the inverse of a unit quaternion, (..., 4)."""
    conjugate: Array = quaternion * np.array([-1.0, -1.0, -1.0, 1.0])
    return conjugate


def quaternion_rate(quaternion: Array, angular_velocity: Array) -> Array:
    """Return d(quaternion)/dt (..., 4) for an angular velocity (..., 3) in CHILD axes, rad/s.

    Document A, equation 5: one half E(quaternion) Omega.
    """
    zero = 0.0 * angular_velocity[..., :1]
    pure = joined(angular_velocity, zero)
    rate: Array = 0.5 * quaternion_product(quaternion, pure)
    return rate


def quaternion_exponential(rotation_vector: Array) -> Array:
    """Return the quaternion (..., 4) of a rotation vector (..., 3) in rad."""
    half = 0.5 * rotation_vector
    square = (half * half).sum(axis=-1)
    sinc, versine, _ = exponential_coefficients(square)
    vector = np.asarray(sinc)[..., None] * half
    scalar = np.asarray(1.0 - square * versine)[..., None]
    return joined(vector, scalar)


def quaternion_moved(quaternion: Array, step: Array) -> Array:
    """Return the quaternion (..., 4) turned by a rotation vector (..., 3) in CHILD axes, rad.

    A step of Newton's pulls its norm to 1, so that rounding does not pile up.
    """
    turned = quaternion_product(quaternion, quaternion_exponential(step))
    square = np.asarray((turned * turned).sum(axis=-1))[..., None]
    moved: Array = turned * (1.5 - 0.5 * square)
    return moved


def quaternion_logarithm(quaternion: Array) -> Array:
    """Return the rotation vector (..., 3), norm at most pi, of a quaternion (..., 4).

    Smooth but at half a turn, where the shorter way changes sides.
    """
    x, y, z, w = (quaternion[..., i] for i in range(4))
    sign = where(less(w, 0.0), -1.0, 1.0)
    w = sign * w
    square = x * x + y * y + z * z
    # Near no rotation atan(u) / u for u = sin / cos of half the angle, as a series in u^2.
    small = less(square, _FLAT * (w * w))
    cosine = where(small, w, 1.0)
    ratio = where(small, square, 0.0) / (cosine * cosine)
    series: Array = np.asarray(1.0 / (2 * _TERMS - 1))
    for k in reversed(range(_TERMS - 1)):
        series = 1.0 / (2 * k + 1) - ratio * series
    sine = sqrt(where(small, 1.0, square))
    scale = sign * where(small, 2.0 * series / cosine, 2.0 * arctan2(sine, w) / sine)
    vector: Array = quaternion[..., :3] * np.asarray(scale)[..., None]
    return vector
