"""Free motion in space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, Limits, drawn, per_rate
from robodyn_ros.joints.spherical import random_quaternion
from robodyn_ros.spatial import (
    Array,
    apply,
    joined,
    left_jacobian,
    left_jacobian_inverse,
    quaternion_from_matrix,
    quaternion_inverse,
    quaternion_logarithm,
    quaternion_moved,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
    transpose,
)


@dataclass(frozen=True)
class Floating(Joint):
    """q = (x, y, z, qx, qy, qz, qw), position in F's axes; v = [omega; velocity], both in M's axes.

    `integrate` follows the screw of a constant v; the quaternion must have norm 1.
    """

    type_name = "floating"
    nq = 7
    nv = 6
    axes = ("rx", "ry", "rz", "x", "y", "z")
    quaternion_start = 3

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation of the quaternion and the position."""
        return quaternion_to_matrix(q[..., 3:]), q[..., :3]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the position and the quaternion with qw >= 0."""
        return joined(p_FM, quaternion_from_matrix(R_FM))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = 1, (6, 6)."""
        return np.eye(6)

    def rate(self, q: Array, v: Array) -> Array:
        """Return dq/dt (..., 7): position rate in F's axes, quaternion rate."""
        R_FM = quaternion_to_matrix(q[..., 3:])
        spin = quaternion_rate(q[..., 3:], v[..., :3])
        return joined(apply(R_FM, v[..., 3:]), spin)

    def integrate(self, q: Array, step: Array) -> Array:
        """Return q (..., 7) moved along the screw of `step` (..., 6)."""
        moved = apply(left_jacobian(step[..., :3]), step[..., 3:])
        position = q[..., :3] + apply(quaternion_to_matrix(q[..., 3:]), moved)
        return joined(position, quaternion_moved(q[..., 3:], step[..., :3]))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the screw (..., 6) from q0 to q1, of the shorter rotation."""
        relative = quaternion_product(quaternion_inverse(q0[..., 3:]), q1[..., 3:])
        turn = quaternion_logarithm(relative)
        R_MF = transpose(quaternion_to_matrix(q0[..., 3:]))
        shift = apply(R_MF, q1[..., :3] - q0[..., :3])
        return joined(turn, apply(left_jacobian_inverse(turn), shift))

    def neutral(self) -> NDArray[np.float64]:
        """Return the origin with the identity quaternion (7,)."""
        return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return a position within its limits and a uniformly random attitude, (7,)."""
        attitude = random_quaternion(rng)
        return np.concatenate([drawn(rng, per_rate(limits, 6)[3:], self.reaches()[3:]), attitude])
