"""An axis as given and as used, and the joints that have one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.joint import Joint
from robodyn_ros.spatial.arrays import real_array

Axis = tuple[float, float, float]


def unit_axis(axis: ArrayLike) -> Axis:
    """Return the axis (3,) with norm 1; a zero, non-finite or misshapen one is an ArgumentError."""
    vector = real_array("a joint axis", axis)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise ArgumentError(f"a joint axis must be three finite numbers, got {vector.tolist()}")
    largest = float(np.max(np.abs(vector)))
    if largest == 0.0:
        raise ArgumentError("a joint axis must not be zero")
    vector = vector / largest
    vector = vector / np.sqrt(vector @ vector)
    x, y, z = (float(entry) for entry in vector + 0.0)
    return (x, y, z)


@dataclass(frozen=True)
class AxisJoint(Joint):
    """Base of joints with one axis, the same unit vector in F and M."""

    axis: Axis = (1.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Normalise the axis."""
        object.__setattr__(self, "axis", unit_axis(self.axis))
