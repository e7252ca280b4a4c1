"""The rigid connection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.joints.joint import Joint
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class Fixed(Joint):
    """No motion: M is F."""

    type_name = "fixed"
    nq = 0
    nv = 0

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the identity."""
        return np.eye(3), np.zeros(3)

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return no coordinates."""
        return p_FM[..., :0]

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 0)."""
        return np.zeros((6, 0))
