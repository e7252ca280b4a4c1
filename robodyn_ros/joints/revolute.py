"""Rotation about one axis: revolute (with a range) and continuous (without)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.axis import AxisJoint
from robodyn_ros.joints.joint import Limits
from robodyn_ros.spatial import Array, angle_about, axis_rotation


@dataclass(frozen=True)
class Revolute(AxisJoint):
    """Rotation by q[0] rad about `axis`, the same in F and M; v = dq/dt (document A, JT 3)."""

    type_name = "revolute"
    nq = 1
    nv = 1

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation about the axis; the origins coincide."""
        return axis_rotation(np.array(self.axis), q[..., 0]), np.zeros(3)

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 1) = [axis; 0]."""
        return np.array([*self.axis, 0.0, 0.0, 0.0])[:, None]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the angle about the axis."""
        return angle_about(R_FM, np.array(self.axis))[..., None]

    def reaches(self) -> tuple[float, ...]:
        """Return a turn."""
        return (2.0 * np.pi,)


@dataclass(frozen=True)
class Continuous(Revolute):
    """A revolute joint without a range; still one number, in rad, never wrapped here."""

    type_name = "continuous"

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return an angle (1,) within half a turn either way."""
        return rng.uniform(-np.pi, np.pi, 1)
