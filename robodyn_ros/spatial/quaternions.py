"""Unit quaternions (x, y, z, w), scalar last, child axes to parent axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.spatial.arrays import Array, joined
from robodyn_ros.spatial.exponential import exponential_coefficients


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


def _outer_product_table() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return A (9, 16) and b (16,): vec(R) A + b = vec(4 q q^T) for R of the unit quaternion q."""
    table, offset = np.zeros((3, 3, 4, 4)), np.eye(4)
    for i in range(3):
        table[i, i] = -np.eye(4)
        table[i, i, i, i] = table[i, i, 3, 3] = 1.0
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        for row, column in ((i, j), (j, i)):
            table[row, column, i, j] = table[row, column, j, i] = 1.0
            sign = 1.0 if row == j else -1.0
            table[row, column, k, 3] = table[row, column, 3, k] = sign
    return table.reshape(9, 16), offset.reshape(16)


_OUTER_TABLE, _OUTER_OFFSET = _outer_product_table()


def quaternion_from_matrix(rotation: Array) -> NDArray[np.float64]:
    """Return the quaternion (..., 4) with w >= 0 of a rotation matrix (..., 3, 3). Floats only.

    Of the four rows of 4 q q^T, which are linear in the matrix, the one with the largest diagonal
    entry is normalised (Shepperd's method), so that no rotation loses accuracy.
    """
    matrix = np.asarray(rotation, dtype=np.float64)
    lead = matrix.shape[:-2]
    outer = (matrix.reshape(-1, 9) @ _OUTER_TABLE + _OUTER_OFFSET).reshape(-1, 4, 4)
    largest = np.diagonal(outer, axis1=-2, axis2=-1).argmax(axis=-1)
    row = outer[np.arange(len(outer)), largest]
    row /= np.sqrt(np.einsum("ij,ij->i", row, row))[:, None]
    quaternion: NDArray[np.float64] = np.copysign(1.0, row[:, 3:]) * row
    return quaternion.reshape(*lead, 4)


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


def quaternion_logarithm(quaternion: Array) -> Array:
    """Return the rotation vector (..., 3), norm at most pi, of a quaternion. Floats only."""
    q = np.asarray(quaternion, dtype=np.float64)
    q = np.where(q[..., 3:] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., :3], axis=-1)
    small = sine < 1e-9
    angle = 2.0 * np.arctan2(sine, q[..., 3])
    scale = np.where(small, 2.0, angle / np.where(small, 1.0, sine))
    return np.asarray(scale[..., None] * q[..., :3])
