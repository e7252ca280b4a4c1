"""An axis as given and as used, and the joints that have one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.spatial.arrays import real_array

Axis = tuple[float, float, float]


def unit_axis(axis: ArrayLike, name: str = "a joint axis") -> Axis:
    """Return the axis (3,) with norm 1; a zero, non-finite or misshapen one is an ArgumentError."""
    vector = real_array(name, axis)
    if vector.shape != (3,) or not np.all(np.isfinite(vector)):
        raise ArgumentError(f"{name} must be three finite numbers, got {vector.tolist()}")
    largest = float(np.max(np.abs(vector)))
    if largest == 0.0:
        raise ArgumentError(f"{name} must not be zero")
    vector = vector / largest
    vector = vector / np.sqrt(vector @ vector)
    x, y, z = (float(entry) for entry in vector + 0.0)
    return (x, y, z)


def unit_axes(name: str, axes: object) -> tuple[Axis, ...]:
    """Return a list of axes, each with norm 1; what is no list of axes is an ArgumentError."""
    if isinstance(axes, str) or not isinstance(axes, (Sequence, np.ndarray)):
        raise ArgumentError(f"{name} must be a list of axes like [[0, 0, 1]], got {axes!r}")
    if any(np.ndim(axis) == 0 for axis in axes):
        raise ArgumentError(f"{name} must be a list of axes like [[0, 0, 1]], got {axes!r}")
    return tuple(unit_axis(axis, f"axis {k} of {name}") for k, axis in enumerate(axes, start=1))


def axis_parameter(default: Axis, meaning: str, name: str = "axis") -> Parameter:
    """Return the description of an axis that has a default."""
    return Parameter(name, "axis", "", default, meaning)


@dataclass(frozen=True)
class AxisJoint(Joint):
    """Base of joints with one axis, the same unit vector in F and M."""

    axis: Axis = (1.0, 0.0, 0.0)
    parameters: ClassVar[tuple[Parameter, ...]] = (
        axis_parameter((1.0, 0.0, 0.0), "the joint's axis, the same in predecessor and child axes"),
    )

    def __post_init__(self) -> None:
        """Normalise the axis."""
        object.__setattr__(self, "axis", unit_axis(self.axis))
