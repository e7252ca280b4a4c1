"""Translation along one to three axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.joints.axis import Axis, unit_axes
from robodyn_ros.joints.general import INNER, OUTER, GeneralJoint
from robodyn_ros.spatial import Array

_XYZ = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Translational(GeneralJoint):
    """q = displacements in m along the axes of `inner`, then of `outer`; v = dq/dt.

    F and M stay parallel, so that an outer slider only differs from an inner one by its sign.
    Without any axis along x, y and z: document A's JT 2. S is constant; no singularity.
    """

    inner: tuple[Axis, ...] = ()
    outer: tuple[Axis, ...] = ()
    type_name = "translational"
    parameters = (
        INNER._replace(meaning=f"{INNER.meaning}; without any axis, inner or outer, x, y and z"),
        OUTER,
    )

    def __post_init__(self) -> None:
        """Check the sliders."""
        inner, outer = unit_axes("inner", self.inner), unit_axes("outer", self.outer)
        if not (inner or outer):
            object.__setattr__(self, "inner", _XYZ)
        self._set_up((), turn_nq=0, successive=False)

    def _turn(self, q: Array) -> Array:
        return np.eye(3)

    def _turn_at(self, R_FM: Array) -> Array:
        return R_FM[..., :0, 0]

    def _turn_axes(self, q: Array) -> Array:
        return np.zeros((3, 0))
