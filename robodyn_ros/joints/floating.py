"""Free motion in space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, JointLimits
from robodyn_ros.spatial import (
    Array,
    apply,
    joined,
    left_jacobian,
    left_jacobian_inverse,
    quaternion_exponential,
    quaternion_inverse,
    quaternion_logarithm,
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
        turned = quaternion_product(q[..., 3:], quaternion_exponential(step[..., :3]))
        square = np.asarray((turned * turned).sum(axis=-1))[..., None]
        turned = turned * (1.5 - 0.5 * square)  # a step of Newton's towards norm 1
        return joined(position, turned)

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

    def random(self, rng: np.random.Generator, limits: JointLimits) -> NDArray[np.float64]:
        """Return a position within 1 m along each axis and a uniformly random attitude, (7,)."""
        quaternion = rng.normal(size=4)
        return np.concatenate([rng.uniform(-1.0, 1.0, 3), quaternion / np.linalg.norm(quaternion)])
