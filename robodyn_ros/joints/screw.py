"""Joints that turn about an axis and slide along it: cylindrical and helical."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.axis import AxisJoint
from robodyn_ros.joints.parameter import Parameter, finite_number
from robodyn_ros.spatial import Array, angle_about, axis_rotation, joined


def pitch_number(value: float) -> float:
    """Return a pitch in m/rad; one that is zero, or no finite number, is an ArgumentError."""
    pitch = finite_number("pitch", value, "metres per radian")
    if pitch == 0.0:
        raise ArgumentError("pitch must not be 0; a joint that only turns is a revolute joint")
    return pitch


PITCH = Parameter(
    "pitch",
    "number",
    "m/rad",
    None,
    "metres along the axis per radian about it, that is the lead of a turn divided by 2 pi; not 0",
)


@dataclass(frozen=True)
class Cylindrical(AxisJoint):
    """q = (theta, s): a turn about `axis` and a displacement along it in m; v = dq/dt.

    S is constant; no singularity (document D, joint C).
    """

    type_name = "cylindrical"
    nq = 2
    nv = 2
    axes = ("rz", "z")

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation about the axis and the displacement along it."""
        axis = np.array(self.axis)
        return axis_rotation(axis, q[..., 0]), axis * q[..., 1:]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the angle about the axis and the displacement along it."""
        axis = np.array(self.axis)
        return joined(angle_about(R_FM, axis)[..., None], p_FM @ axis[:, None])

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 2) = [axis 0; 0 axis]."""
        return np.kron(np.eye(2), np.array(self.axis)[:, None])

    def reaches(self) -> tuple[float, ...]:
        """Return half a turn and 1 m."""
        return (np.pi, 1.0)


@dataclass(frozen=True)
class Helical(AxisJoint):
    """A screw: q[0] rad about `axis` move it by pitch q[0] m along it; v = dq/dt.

    S = [axis; pitch axis] is constant; no singularity (document D, joint H; document C).
    """

    pitch: float = field(kw_only=True)
    type_name = "helical"
    nq = 1
    nv = 1
    parameters = (*AxisJoint.parameters, PITCH)

    def __post_init__(self) -> None:
        """Normalise the axis and look at the pitch."""
        super().__post_init__()
        object.__setattr__(self, "pitch", pitch_number(self.pitch))

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the rotation about the axis and the displacement along it."""
        axis = np.array(self.axis)
        return axis_rotation(axis, q[..., 0]), (self.pitch * axis) * q[..., :1]

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array:
        """Return the angle (..., 1), whole turns included, that the displacement tells."""
        axis = np.array(self.axis)
        whole = p_FM @ axis[:, None] / self.pitch
        turn = angle_about(R_FM, axis)[..., None]
        q: Array = turn + 2.0 * np.pi * np.round((whole - turn) / (2.0 * np.pi))
        return q

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, 1) = [axis; pitch axis]."""
        axis = np.array(self.axis)
        S: Array = np.concatenate([axis, self.pitch * axis])[:, None]
        return S

    def reaches(self) -> tuple[float, ...]:
        """Return a turn."""
        return (2.0 * np.pi,)
