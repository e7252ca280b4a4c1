"""A coordinate without a motion of its own: what a control element supplies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.joints.joint import Joint
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class Control(Joint):
    """A number q[0] that moves nothing by itself; v = dq/dt (document D, control elements).

    Joints that follow it, and lengths of constraint elements that depend on it, give it effect.
    """

    type_name = "control"
    nq = 1
    nv = 1

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the identity."""
        return np.eye(3), np.zeros(3)

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 1) = 0."""
        return np.zeros((6, 1))

    def turning(self) -> tuple[bool, ...]:
        """Return that it does not turn anything: its unit is that of its formula."""
        return (False,)
