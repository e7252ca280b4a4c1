"""The ball joint, with sliders on either side or without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.axis import Axis
from robodyn_ros.joints.general import INNER, OUTER, GeneralJoint
from robodyn_ros.joints.joint import Limits, drawn, per_rate
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
)

_IDENTITY = (0.0, 0.0, 0.0, 1.0)


def random_quaternion(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return the quaternion (4,) of a uniformly random attitude."""
    quaternion = rng.normal(size=4)
    return np.asarray(quaternion / np.linalg.norm(quaternion))


@dataclass(frozen=True)
class Spherical(GeneralJoint):
    """q = (qx, qy, qz, qw, inner, outer displacements); v = [omega in M's axes; their rates].

    The quaternion must have norm 1; no singularity (document A, JT 4; document B, spherical).
    """

    inner: tuple[Axis, ...] = ()
    outer: tuple[Axis, ...] = ()
    type_name = "spherical"
    quaternion_start = 0
    parameters = (INNER, OUTER)

    def __post_init__(self) -> None:
        """Check the sliders."""
        self._set_up(("rx", "ry", "rz"), turn_nq=4, successive=False)

    def _turn(self, q: Array) -> Array:
        return quaternion_to_matrix(q[..., :4])

    def _turn_axes(self, q: Array) -> Array:
        return np.eye(3)

    def _turn_at(self, R_FM: Array) -> Array:
        return quaternion_from_matrix(R_FM)

    def rate(self, q: Array, v: Array) -> Array:
        """Return dq/dt (..., nq), the quaternion's by document A's equation 5."""
        return joined(quaternion_rate(q[..., :4], v[..., :3]), v[..., 3:])

    def integrate(self, q: Array, step: Array) -> Array:
        """Return q (..., nq) turned about M's axes, and slid."""
        turned = quaternion_moved(q[..., :4], step[..., :3])
        return joined(turned, q[..., 4:] + step[..., 3:])

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the step (..., nv) from q0 to q1, of the shorter rotation."""
        relative = quaternion_product(quaternion_inverse(q0[..., :4]), q1[..., :4])
        return joined(quaternion_logarithm(relative), q1[..., 4:] - q0[..., 4:])

    def neutral(self) -> NDArray[np.float64]:
        """Return the identity quaternion without displacements (nq,)."""
        return np.array([*_IDENTITY, *[0.0] * (self.nv - 3)])

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return a uniformly random attitude, and displacements within their limits, (nq,)."""
        sliders = per_rate(limits, self.nv)[3:]
        return np.concatenate([random_quaternion(rng), drawn(rng, sliders, self.reaches()[3:])])
