"""From the entries of joints to what a builder is given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.description.mechanism.placement import Pose
from robodyn_ros.description.mechanism.ranges import Bounds
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import JOINT_TYPES, Joint, JointLimits
from robodyn_ros.joints.joint import per_rate

_LIMITS = ("range", "velocity_limit", "effort_limit")
#: Keys of a file and a builder's keywords.
_PER_RATE = {
    "damping": "damping",
    "friction": "friction",
    "armature": "armature",
    "initial_velocity": "initial_velocity",
}


class OwnJoint(NamedTuple):
    """A joint that the file itself describes, ready for a builder.

    Attributes:
        joint: its kind.
        parent: name of the body that carries it.
        child: name of the body that it moves.
        placed: where it sits on both, as a builder takes it.
        entry: what else is written of it.
        table: of a row, the table that it stands in.
    """

    joint: Joint
    parent: str
    child: str
    placed: Mapping[str, Any]
    entry: Entry
    table: Entry | None = None

    def place_of(self, role: str) -> Place:
        """Return where its parent or child is named."""
        return (self.table or self.entry).at(role)

    @property
    def properties(self) -> dict[str, Any]:
        """What it has besides its kind and bodies, as a builder takes it."""
        rates = rate_properties(self.entry, self.joint)
        return {**self.placed, **rates, "where": self.entry.where}


def own_joint(entry: Entry) -> OwnJoint:
    """Return the joint of an entry that has a type, parent and child."""
    return OwnJoint(joint_of(entry), entry["parent"], entry["child"], placements(entry), entry)


def joint_of(entry: Entry) -> Joint:
    """Return the joint that an entry's type and parameters stand for."""
    joint_type = JOINT_TYPES[entry["type"]]
    names = [parameter.name for parameter in joint_type.parameters]
    parameters = entry.given(*names)
    # Document D's joints are about n, the second axis of the frames that m and n give.
    poses = [entry[key] for key in ("on_parent", "on_child")]
    if "axis" in names and "axis" not in parameters and any(p and p.by_axes for p in poses):
        parameters["axis"] = (0.0, 1.0, 0.0)
    try:
        return joint_type(**parameters)
    except ArgumentError as error:
        text = str(error)
        given = [name for name in names if entry.gives(name)]
        first = [name for name in given if re.match(rf"{name}\b", text)]
        about = next((name for name in (*first, *given) if name in text), "type")
        raise entry.failure(about, text) from None


def placements(entry: Entry) -> dict[str, Any]:
    """Return where an entry's joint sits on both bodies, as a builder takes it."""
    on_parent: Pose = entry["on_parent"] or Pose()
    on_child: Pose = entry["on_child"] or Pose()
    return {
        **on_parent.arguments,
        "child_position": on_child.position,
        "child_rotation": on_child.rotation,
    }


def rate_properties(
    entry: Entry, joint: Joint, described: JointLimits | Sequence[JointLimits] | None = None
) -> dict[str, Any]:
    """Return what an entry says of a joint's rates, as a builder takes it.

    Args:
        entry: of a section with rate keys.
        joint: the joint, which says how many rates there are.
        described: the limits that another description gives.
    """
    properties: dict[str, Any] = {}
    for key, keyword in _PER_RATE.items():
        if entry.gives(key):
            properties[keyword] = counted(entry.at(key), entry[key], joint)
    if entry.gives("initial_position"):
        properties["initial"] = initial_position(
            entry.at("initial_position"), entry["initial_position"], joint
        )
    if entry.gives(*_LIMITS):
        properties["limits"] = _limits(entry, joint, described)
    return properties


def counted(place: Place, values: Any, joint: Joint) -> Any:
    """Return one value for all rates, or a list of them checked to have one per rate."""
    if np.ndim(values) and len(values) != joint.nv:
        names = f" ({', '.join(joint.axes)})" if joint.axes else ""
        raise place.failure(
            f"has {len(values)} entries; the joint has {joint.nv} rate{'s' * (joint.nv != 1)}"
            f"{names}, so give as many, or one for all"
        )
    return values


def initial_position(place: Place, values: Any, joint: Joint) -> Any:
    """Return coordinates, checked to be as many as the joint has, quaternions to have norm 1."""
    coordinates = np.atleast_1d(values)
    if len(coordinates) != joint.nq:
        raise place.failure(
            f"has {len(coordinates)} entries; the joint has {joint.nq} coordinate"
            f"{'s' * (joint.nq != 1)}, so give as many"
        )
    start = joint.quaternion_start
    if start is not None:
        norm = float(np.linalg.norm(coordinates[start : start + 4]))
        if abs(norm - 1.0) > 1e-3:
            raise place.failure(f"its quaternion (x, y, z, w) has norm {norm:.6g}, not 1")
    return coordinates


def _limits(
    entry: Entry, joint: Joint, described: JointLimits | Sequence[JointLimits] | None
) -> list[JointLimits]:
    """Return limits per rate: those described, with what the entry gives in their place."""
    known = (JointLimits(),) * joint.nv if described is None else per_rate(described, joint.nv)
    ranges = _spread(entry, "range", joint)
    speeds = _spread(entry, "velocity_limit", joint)
    efforts = _spread(entry, "effort_limit", joint)
    limits = []
    for k, limit in enumerate(known):
        changed = limit
        if ranges is not None:
            bounds: Bounds = ranges[k]
            changed = replace(changed, lower=bounds[0], upper=bounds[1])
        if speeds is not None:
            changed = replace(changed, velocity=float(speeds[k]))
        if efforts is not None:
            changed = replace(changed, effort=float(efforts[k]))
        limits.append(changed)
    return limits


def _spread(entry: Entry, key: str, joint: Joint) -> list[Any] | None:
    """Return a value for each rate, or None where the key is not written."""
    if not entry.gives(key):
        return None
    value = entry[key]
    if key == "range":
        return value * joint.nv if len(value) == 1 else list(counted_ranges(entry, value, joint))
    values = counted(entry.at(key), value, joint)
    return [values] * joint.nv if np.ndim(values) == 0 else list(values)


def counted_ranges(entry: Entry, ranges: list[Bounds], joint: Joint) -> list[Bounds]:
    """Return a range for each rate, checked to be as many."""
    counted(entry.at("range"), np.zeros(len(ranges)), joint)
    return ranges
