"""Denavit-Hartenberg tables: rows to joints, in each of three conventions.

    classic   Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha)
    modified  Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)
    thesis    Trans_y(a) Rot_y(alpha) Trans_x(d) Rot_x(theta)

take a row's frame to the frame before it. The joint's axis is z of the frame before (classic), z of
the row's own frame (modified), x of the row's own frame (thesis, document D equations 3-5 to 3-7,
where the offset is called s). Every body frame is the row's frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints import Cylindrical, Helical, Joint, Prismatic, Revolute
from robodyn_ros.spatial import axis_rotation, compose, invert
from robodyn_ros.spatial.rotations import snapped

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]
Axis = tuple[float, float, float]

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TYPES = ("revolute", "prismatic", "cylindrical", "helical")


@dataclass(frozen=True)
class Row:
    """One row: lengths in m, angles in rad; d and theta at coordinate 0; pitch in m/rad."""

    a: float
    alpha: float
    d: float
    theta: float
    type: str = "revolute"
    pitch: float = 0.0


class Convention(NamedTuple):
    """The axes of the common normal and of the joint, and whether the joint comes first."""

    normal: Axis
    joint: Axis
    joint_first: bool
    formula: str


CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        "classic": Convention(_X, _Z, True, "Rot_z(theta) Trans_z(d) Trans_x(a) Rot_x(alpha)"),
        "modified": Convention(_X, _Z, False, "Rot_x(alpha) Trans_x(a) Rot_z(theta) Trans_z(d)"),
        "thesis": Convention(_Y, _X, False, "Trans_y(a) Rot_y(alpha) Trans_x(d) Rot_x(theta)"),
    }
)

_JOINTS: Mapping[str, Callable[[Row, Axis], Joint]] = MappingProxyType(
    {
        "revolute": lambda row, axis: Revolute(axis),
        "prismatic": lambda row, axis: Prismatic(axis),
        "cylindrical": lambda row, axis: Cylindrical(axis),
        "helical": lambda row, axis: Helical(axis, pitch=row.pitch),
    }
)


def screw(axis: Axis, angle: float, length: float) -> Pose:
    """Return a turn about an axis and a slide along it, which commute."""
    along = np.array(axis)
    return snapped(axis_rotation(along, np.array(angle))), length * along


def row_joint(row: Row, convention: str) -> tuple[Joint, dict[str, Any]]:
    """Return a row's joint and its placements on both bodies, as a builder takes them.

    Raises:
        ArgumentError: a helical row without a pitch.
    """
    normal, axis, joint_first, _ = CONVENTIONS[convention]
    link = screw(normal, row.alpha, row.a)
    offset = screw(axis, row.theta, row.d)
    joint = _JOINTS[row.type](row, axis)
    if joint_first:
        position_child = invert(link)
        return joint, _placed(offset, position_child)
    return joint, _placed(compose(link, offset), (np.eye(3), np.zeros(3)))


def _placed(on_parent: Pose, on_child: Pose) -> dict[str, Any]:
    return {
        "rotation": snapped(on_parent[0]),
        "position": on_parent[1] + 0.0,
        "child_rotation": snapped(on_child[0]),
        "child_position": on_child[1] + 0.0,
    }
