"""Rotations of one frame at a time, on plain floats.

The functions of `spatial` take batches and symbols, and are ten times slower on a single sample;
here one message moves one frame, at the rate of the messages. Arrays in, arrays out: vectors (3,),
unit quaternions (4,) xyzw.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def cross(a: Floats, b: Floats) -> Floats:
    """Return a x b (3,)."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array((a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0))


def product(a: Floats, b: Floats) -> Floats:
    """Return the Hamilton product a b (4,): rotate by b, then by a."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a.tolist(), b.tolist()
    return np.array(
        (
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        )
    )


def inverse(quaternion: Floats) -> Floats:
    """Return the quaternion (4,) of the inverse rotation."""
    x, y, z, w = quaternion.tolist()
    return np.array((-x, -y, -z, w))


def matrix(quaternion: Floats) -> Floats:
    """Return the rotation matrix (3, 3), child to parent axes."""
    x, y, z, w = quaternion.tolist()
    xx, yy, zz = 2.0 * x * x, 2.0 * y * y, 2.0 * z * z
    xy, xz, yz = 2.0 * x * y, 2.0 * x * z, 2.0 * y * z
    xw, yw, zw = 2.0 * x * w, 2.0 * y * w, 2.0 * z * w
    rows = (1 - yy - zz, xy - zw, xz + yw), (xy + zw, 1 - xx - zz, yz - xw)
    return np.array((*rows, (xz - yw, yz + xw, 1 - xx - yy)))


def rotation_vector(quaternion: Floats) -> Floats:
    """Return the rotation vector (3,), of norm at most pi, of a rotation."""
    x, y, z, w = quaternion.tolist()
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, abs(w)) / sine if sine > 1e-9 else 2.0
    scale = math.copysign(scale, w)
    return np.array((scale * x, scale * y, scale * z))


def turned_by(vector: Floats) -> Floats:
    """Return the quaternion (4,) of a rotation vector (3,) in rad."""
    x, y, z = vector.tolist()
    angle = math.sqrt(x * x + y * y + z * z)
    scale = math.sin(0.5 * angle) / angle if angle > 1e-9 else 0.5
    return np.array((scale * x, scale * y, scale * z, math.cos(0.5 * angle)))


def norm(vector: Floats) -> float:
    """Return the length of a vector of any size."""
    return math.hypot(*vector.tolist())
