"""Translation along one to three axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.axis import Axis
from robodyn_ros.joints.general import INNER, OUTER, GeneralJoint
from robodyn_ros.spatial import Array

_XYZ = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Translational(GeneralJoint):
    """q = displacements in m along the axes of `inner`, then of `outer`; v = dq/dt.

    F and M stay parallel, so that an outer slider only differs from an inner one by its sign.
    By default document A's JT 2, along x, y and z. S is constant; no singularity.
    """

    inner: tuple[Axis, ...] = _XYZ
    outer: tuple[Axis, ...] = ()
    type_name = "translational"
    parameters = (INNER._replace(default=_XYZ), OUTER)

    def __post_init__(self) -> None:
        """Check the sliders."""
        self._set_up((), turn_nq=0, successive=False)
        if self.nv == 0:
            raise ArgumentError(
                "inner and outer are empty: give one to three axes, or make the joint fixed"
            )

    def _turn(self, q: Array) -> Array:
        return np.eye(3)

    def _turn_at(self, R_FM: Array) -> Array:
        return R_FM[..., :0, 0]

    def _turn_axes(self, q: Array) -> Array:
        return np.zeros((3, 0))
