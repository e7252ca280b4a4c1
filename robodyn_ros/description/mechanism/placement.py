"""Where a frame sits in a body: a position, and a rotation in one of five forms."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.kinds import (
    UNIT_TOLERANCE,
    Kind,
    Matrix,
    Number,
    Numbers,
    Scope,
    UnitVector,
)
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.sections import Entry, Key, Section
from robodyn_ros.model.checks import ROTATION_TOLERANCE
from robodyn_ros.spatial import axis_rotation, quaternion_to_matrix, rotation_from_rpy
from robodyn_ros.spatial.rotations import snapped

FORMS = ("rpy", "quaternion", "matrix", "axis", "m")


@dataclass(frozen=True)
class Pose:
    """A frame in a body frame B: R_BF (3, 3) and p_BF (3,) in m.

    `by_axes` where document D's vectors m and n gave the rotation.
    """

    rotation: NDArray[np.float64] = field(default_factory=lambda: np.eye(3))
    position: NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    by_axes: bool = False

    @property
    def arguments(self) -> dict[str, Any]:
        """Position and rotation as a builder takes them."""
        return {"position": self.position, "rotation": self.rotation}


POSITION = Key("position", Numbers(3, "m"), "origin of the frame", None, "0, 0, 0")
ROTATION_KEYS = (
    Key("rpy", Numbers(3, "rad"), "turns about the fixed x, then y, then z, as in URDF", None),
    Key("quaternion", Numbers(4, example="[0, 0, 0, 1]"), "x, y, z, w, scalar last", None),
    Key("matrix", Matrix(), "rotation matrix; its columns are the frame's axes", None),
    Key("axis", UnitVector(), "axis of one turn, with `angle`", None),
    Key("angle", Number("rad"), "angle of the turn about `axis`", None),
    Key("m", UnitVector(), "the frame's first axis, with `n`", None),
    Key(
        "n",
        UnitVector(),
        "the frame's second axis, at right angles to `m`; document D's joint axis",
        None,
    ),
)
PLACEMENT_KEYS = (POSITION, *ROTATION_KEYS)
_FORMS_TEXT = "give one of rpy, quaternion, matrix, axis with angle, m with n"
#: What is said of keys that other descriptions have.
PLACEMENT_HINTS = {
    "xyz": "is called position",
    "translation": "is called position",
    "rotation": f"is no key; {_FORMS_TEXT}",
    "orientation": f"is no key; {_FORMS_TEXT}",
    "quat_xyzw": "is called quaternion; x, y, z, w",
}


@dataclass(frozen=True)
class Placement(Kind):
    """A section of placement keys alone; `keys` may be those of the rotation only."""

    what: str = "a placement"
    keys: tuple[Key, ...] = PLACEMENT_KEYS

    @property
    def section(self) -> Section:
        """The section that is read."""
        return Section(self.what, self.keys, (FORMS,), PLACEMENT_HINTS)

    @property
    def text(self) -> str:
        """Say what keys it has."""
        return self.section.text

    def read(self, place: Place, scope: Scope) -> Pose:
        """Return the pose."""
        return pose_of(self.section.read(place, scope))


def pose_of(entry: Entry) -> Pose:
    """Return the pose that the placement keys of an entry give, the identity where none is."""
    position = entry["position"] if entry.gives("position") else np.zeros(3)
    return Pose(_rotation(entry), position, entry.gives("m"))


def _rotation(entry: Entry) -> NDArray[np.float64]:
    for key, partner in (("axis", "angle"), ("m", "n")):
        for one, other in ((key, partner), (partner, key)):
            if entry.gives(one) and not entry.gives(other):
                raise entry.failure(one, f"needs {other} beside it")
    if entry.gives("rpy"):
        return rotation_from_rpy(entry["rpy"])
    if entry.gives("quaternion"):
        return _from_quaternion(entry)
    if entry.gives("matrix"):
        return _from_matrix(entry)
    if entry.gives("axis"):
        return snapped(axis_rotation(entry["axis"], np.array(entry["angle"])))
    return _from_axes(entry) if entry.gives("m") else np.eye(3)


def _from_quaternion(entry: Entry) -> NDArray[np.float64]:
    quaternion = entry["quaternion"]
    norm = float(np.linalg.norm(quaternion))
    if norm == 0.0:
        raise entry.failure("quaternion", "is zero; the identity is [0, 0, 0, 1]")
    if abs(norm - 1.0) > UNIT_TOLERANCE:
        listed = ", ".join(f"{value:.6g}" for value in quaternion / norm)
        raise entry.failure("quaternion", f"has norm {norm:.6g}, not 1; write [{listed}]")
    return snapped(quaternion_to_matrix(quaternion / norm))


def _from_matrix(entry: Entry) -> NDArray[np.float64]:
    matrix = entry["matrix"]
    off = float(np.max(np.abs(matrix @ matrix.T - np.eye(3))))
    if not off <= ROTATION_TOLERANCE or np.linalg.det(matrix) < 0.0:
        raise entry.failure(
            "matrix", "is no rotation: its columns must be orthonormal and right-handed"
        )
    if off == 0.0:
        return np.array(matrix)
    left, _, right = np.linalg.svd(matrix)
    return snapped(left @ right)


def _from_axes(entry: Entry) -> NDArray[np.float64]:
    """Return (m, n, m x n) as columns, n exact (document D's A)."""
    m, n = entry["m"], entry["n"]
    along = float(m @ n)
    if abs(along) > UNIT_TOLERANCE:
        degrees = np.degrees(np.arccos(np.clip(along, -1.0, 1.0)))
        raise entry.failure("n", f"must be at right angles to m; the angle is {degrees:.4g} deg")
    m = m - along * n
    m = m / np.linalg.norm(m)
    return snapped(np.stack([m, n, np.cross(m, n)], axis=-1))
