"""Document D's global joint: a ball joint whose coordinates are a rotation vector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, Limits
from robodyn_ros.joints.spherical import random_quaternion
from robodyn_ros.spatial import (
    Array,
    apply,
    left_jacobian_inverse,
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_inverse,
    quaternion_logarithm,
    quaternion_moved,
    quaternion_product,
    rotation_exponential,
)


@dataclass(frozen=True)
class Global(Joint):
    """q = rotation vector in F's axes (as in M's), rad; v = omega in M's axes.

    Any q is a place, and values and derivatives are right at 0. `rate` is singular at |q| = 2 pi,
    where dq/dt would be infinite; `integrate` goes by rotations, is right everywhere and ends with
    |q| <= pi, so that whoever uses it never comes near. S is constant (document D, joint G).
    """

    type_name = "global"
    nq = 3
    nv = 3
    axes = ("rx", "ry", "rz")

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation by |q| about q."""
        return rotation_exponential(q), np.zeros(3)

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the rotation vector (..., 3), norm at most pi."""
        return quaternion_logarithm(quaternion_from_matrix(R_FM))

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 3) = [1; 0]."""
        return np.eye(6, 3)

    def rate(self, q: Array, v: Array) -> Array:
        """Return dq/dt (..., 3), by the inverse of the right Jacobian."""
        return apply(left_jacobian_inverse(-q), v)

    def integrate(self, q: Array, step: Array) -> Array:
        """Return the rotation vector (..., 3), norm at most pi, turned by `step` in M's axes."""
        return quaternion_logarithm(quaternion_moved(quaternion_exponential(q), step))

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the step (..., 3) from q0 to q1, of the shorter rotation."""
        start, end = quaternion_exponential(q0), quaternion_exponential(q1)
        return quaternion_logarithm(quaternion_product(quaternion_inverse(start), end))

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return the rotation vector (3,) of a uniformly random attitude."""
        return np.asarray(quaternion_logarithm(random_quaternion(rng)))
