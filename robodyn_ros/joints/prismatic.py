"""Translation along one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.joints.axis import Axis, unit_axis
from robodyn_ros.joints.joint import Joint
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class Prismatic(Joint):
    """Translation by q[0] m along `axis`, the same in F and M; v = dq/dt (document A, JT 1)."""

    axis: Axis = (1.0, 0.0, 0.0)
    type_name = "prismatic"
    nq = 1
    nv = 1

    def __post_init__(self) -> None:
        """Normalise the axis."""
        object.__setattr__(self, "axis", unit_axis(self.axis))

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the translation along the axis."""
        return np.eye(3), np.array(self.axis) * q[..., :1]

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 1) = [0; axis]."""
        return np.array([0.0, 0.0, 0.0, *self.axis])[:, None]
