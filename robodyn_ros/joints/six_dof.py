"""Document A's joint of six degrees of freedom: a translation, then a ball joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Limits, drawn, per_rate
from robodyn_ros.joints.spherical import random_quaternion
from robodyn_ros.joints.successive import SuccessiveJoint
from robodyn_ros.spatial import (
    Array,
    joined,
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
class SixDof(SuccessiveJoint):
    """q = (x, y, z, qx, qy, qz, qw), position in F's axes; v = [its rate; omega in M's axes].

    The pose is that of a floating joint; the rates differ: linear ones stay in F's axes, and
    `integrate` goes along a straight line. The quaternion must have norm 1; no singularity
    (document A: JT 2, then JT 4).
    """

    type_name = "six_dof"
    nq = 7
    nv = 6
    axes = ("x", "y", "z", "rx", "ry", "rz")
    quaternion_start = 3
    stages = (0, 0, 0, 1, 1, 1)

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation of the quaternion and the position."""
        return quaternion_to_matrix(q[..., 3:]), q[..., :3]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the position and the quaternion with qw >= 0."""
        return joined(p_FM, quaternion_from_matrix(R_FM))

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, 6) = [0 1; R_FM^T 0]."""
        R_MF = transpose(quaternion_to_matrix(q[..., 3:]))
        angular = joined(np.zeros((3, 3)), np.eye(3))
        return joined(angular, joined(R_MF, np.zeros((3, 3))), axis=-2)

    def rate(self, q: Array, v: Array) -> Array:
        """Return dq/dt (..., 7), the quaternion's by document A's equation 5."""
        return joined(v[..., :3], quaternion_rate(q[..., 3:], v[..., 3:]))

    def integrate(self, q: Array, step: Array) -> Array:
        """Return q (..., 7) slid along F's axes and turned about M's."""
        return joined(q[..., :3] + step[..., :3], quaternion_moved(q[..., 3:], step[..., 3:]))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the step (..., 6) from q0 to q1, of the shorter rotation."""
        relative = quaternion_product(quaternion_inverse(q0[..., 3:]), q1[..., 3:])
        return joined(q1[..., :3] - q0[..., :3], quaternion_logarithm(relative))

    def neutral(self) -> NDArray[np.float64]:
        """Return the origin with the identity quaternion (7,)."""
        return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return a position within its limits and a uniformly random attitude, (7,)."""
        position = drawn(rng, per_rate(limits, 6)[:3], self.reaches()[:3])
        return np.concatenate([position, random_quaternion(rng)])
