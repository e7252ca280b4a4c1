"""Rotation matrices and 3-vectors, with any leading batch axes, on floats or symbols."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.kernels.scalar import arctan2, cos, sin
from robodyn_ros.spatial.arrays import Array, joined

# Entries of a constant rotation nearer to 0 or +-1 than this are rounding of sin and cos at
# multiples of a right angle; snapping them lets a trace drop whole products.
_SNAP = 4.0 * np.finfo(np.float64).eps
# An axis that misses -z by less than this means -z; the rest is rounding of whoever wrote it.
_NO_HEADING = 1e-14


def cross(a: Array, b: Array) -> Array:
    """Return the vector product a x b, shape (..., 3)."""
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], axis=-1)


def skew(a: Array) -> Array:
    """Return the matrix of a x (.), shape (..., 3, 3)."""
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    zero = 0.0 * a0
    entries = [zero, -a2, a1, a2, zero, -a0, -a1, a0, zero]
    return np.stack(entries, axis=-1).reshape((*a.shape[:-1], 3, 3))


def apply(matrix: Array, vector: Array) -> Array:
    """Return matrix @ vector over leading axes: (..., n, m) and (..., m) give (..., n)."""
    product: Array = (matrix @ vector[..., None])[..., 0]
    return product


def transpose(matrix: Array) -> Array:
    """Return the transpose of the last two axes."""
    return np.swapaxes(matrix, -1, -2)


def axis_rotation(axis: Array, angle: Array) -> Array:
    """Return the rotation by `angle` (...) rad about the constant unit `axis` (3,), (..., 3, 3).

    Rodrigues' formula as a a^T + cos (1 - a a^T) + sin skew(a): about a coordinate axis every
    entry is then exactly 0, 1, +-sin or cos (document A, equation 2b, without its C-bar).
    """
    along = np.outer(axis, axis)
    sine = np.asarray(sin(angle))[..., None, None]
    cosine = np.asarray(cos(angle))[..., None, None]
    rotation: Array = along + cosine * (np.eye(3) - along) + sine * skew(axis)
    return rotation


def angle_about(rotation: Array, axis: Array) -> Array:
    """Return the angle (...), within +-pi, of the turn about `axis` (3,) nearest to a rotation."""
    R = [[rotation[..., i, j] for j in range(3)] for i in range(3)]
    x, y, z = axis
    sine = x * (R[2][1] - R[1][2]) + y * (R[0][2] - R[2][0]) + z * (R[1][0] - R[0][1])
    trace = R[0][0] + R[1][1] + R[2][2]
    angle: Array = arctan2(sine, trace - (axis * apply(rotation, axis)).sum(axis=-1))
    return angle


def successive_angles(rotation: Array, axes: Sequence[Array]) -> Array:
    """Return the angles (..., n) of successive turns about n constant axes that make a rotation.

    The turns are R = R_1 R_2 ... about unit axes (3,); of two solutions that with the second angle
    within +-pi/2, or from 0 to pi where the third axis is the first. Where the outer axes fall
    together, where only their sum or difference counts, any. Of a rotation that such turns cannot
    make, those of one near it.

    Args:
        rotation: (..., 3, 3).
        axes: one or two that are not parallel, or three of which each is square to the one before
            it and the third is square to the first or equal to it.
    """
    if len(axes) == 1:
        return np.asarray(angle_about(rotation, axes[0]))[..., None]
    first, second = axes[:2]
    other = np.cross(first, second)
    if len(axes) == 2:
        # R_1 takes the second axis to R's image of it.
        image = apply(rotation, second)
        along = second - (first @ second) * first
    else:
        image = apply(rotation, axes[2])
        # R_2 leaves the third axis in the plane of the first and `other`, on this side of it:
        along = np.sign(axes[2] @ other) * other if abs(axes[2] @ other) > 0.5 else -other
    across = np.cross(first, along)
    angle = arctan2((image * across).sum(axis=-1), (image * along).sum(axis=-1))
    left = transpose(axis_rotation(first, angle)) @ rotation
    return joined(np.asarray(angle)[..., None], successive_angles(left, axes[1:]))


def axis_alignment(axis: Array) -> Array:
    """Return the smallest rotation (3, 3) that takes z onto the unit vector `axis` (3,).

    For axis = -z, where it is not unique, it is the half turn about x.
    """
    x, y, z = (float(entry) for entry in axis)
    square = x * x + y * y
    if z < 0.0 and square < _NO_HEADING**2:
        return np.diag([1.0, -1.0, -1.0])
    # 1 / (1 + z) would cancel near -z; (1 + z) (1 - z) = x^2 + y^2 does not.
    scale = (1.0 - z) / square if z < 0.0 else 1.0 / (1.0 + z)
    return np.array(
        [
            [1.0 - x * x * scale, -x * y * scale, x],
            [-x * y * scale, 1.0 - y * y * scale, y],
            [-x, -y, z],
        ]
    )


def rotation_from_rpy(rpy: ArrayLike) -> NDArray[np.float64]:
    """Return Rz(yaw) Ry(pitch) Rx(roll), (3, 3), from URDF's fixed-axis angles (3,) in rad."""
    roll, pitch, yaw = np.asarray(rpy, dtype=np.float64)
    x, y, z = np.eye(3)
    rotation = axis_rotation(z, yaw) @ axis_rotation(y, pitch) @ axis_rotation(x, roll)
    return snapped(rotation)


def snapped(matrix: ArrayLike) -> NDArray[np.float64]:
    """Return a constant matrix with entries a few ulp from 0 or +-1 set to them exactly."""
    result = np.array(matrix, dtype=np.float64)
    for exact in (-1.0, 0.0, 1.0):
        result[np.abs(result - exact) <= _SNAP] = exact
    return result
