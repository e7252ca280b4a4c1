"""Translation along one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.joints.axis import AxisJoint
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class Prismatic(AxisJoint):
    """Translation by q[0] m along `axis`, the same in F and M; v = dq/dt (document A, JT 1)."""

    type_name = "prismatic"
    nq = 1
    nv = 1

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the translation along the axis."""
        return np.eye(3), np.array(self.axis) * q[..., :1]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the displacement along the axis."""
        q: Array = p_FM @ np.array(self.axis)[:, None]
        return q

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 1) = [0; axis]."""
        return np.array([0.0, 0.0, 0.0, *self.axis])[:, None]
