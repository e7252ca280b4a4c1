"""The coordinates of a model that joint states can give, one number each.

They are those whose rate is their derivative: of joints with one, by the joint's name, and
of joints with several (planar, gimbal, cylindrical, ...) each by `joint/axis`. What turns freely
about three axes (spherical, floating, ...) has no such numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.multi_dof_coordinates import described, is_told_by_poses
from robodyn_ros.joints import Joint
from robodyn_ros.model import Model, TreeJoint

Indices = NDArray[np.intp]


class ToldCoordinate(NamedTuple):
    """One coordinate.

    Attributes:
        name: By which joint states give it.
        joint: Its joint.
        q, v: Its places in q and in v.
        is_shared: Whether something else gives it too, so that it counts only once it was received:
            a multi-DOF joint state its joint, a parameter or the time a control element.
        turns_endlessly: Whether it is an angle that may jump by whole turns.
    """

    name: str
    joint: TreeJoint
    q: int
    v: int
    is_shared: bool
    turns_endlessly: bool


def told_coordinates(model: Model) -> tuple[ToldCoordinate, ...]:
    """Return the coordinates in the order of v."""
    own = (joint for _, joint in model.moving if not joint.is_follower)
    return tuple(told for joint in own for told in _of(joint))


def _of(joint: TreeJoint) -> Iterator[ToldCoordinate]:
    kind = joint.joint
    if not kind.nv or not has_plain_rates(kind):
        return
    if kind.nv == 1:
        endless = kind.type_name == "continuous"
        shared = kind.type_name == "control"
        yield ToldCoordinate(joint.name, joint, joint.q_index, joint.v_index, shared, endless)
        return
    shared = is_told_by_poses(described(kind))
    turning = kind.turning()
    for k, axis in enumerate(kind.axes):
        limits = joint.rate_limits[k]
        endless = turning[k] and limits.lower is None and limits.upper is None
        q, v = joint.q_index + k, joint.v_index + k
        yield ToldCoordinate(f"{joint.name}/{axis}", joint, q, v, shared, endless)


def has_plain_rates(joint: Joint) -> bool:
    """Return whether every rate of a joint has a name, and is the derivative of its coordinate."""
    kind = described(joint)
    named = kind.nv == 1 or len(kind.axes) == kind.nv
    return named and kind.nq == kind.nv and type(kind).rate is Joint.rate


class Group(NamedTuple):
    """A joint that several slots stand for.

    Attributes:
        name: The joint's name.
        slots: Those of its coordinates, in order.
        pose: That of its poses, None where multi-DOF joint states cannot move it.
    """

    name: str
    slots: Indices
    pose: int | None


def groups_of(movers: Sequence[str], count: int) -> Iterator[Group]:
    """Yield the joints that several slots, or one of both kinds, stand for."""
    by_joint: dict[str, list[int]] = {}
    for slot, name in enumerate(movers):
        by_joint.setdefault(name, []).append(slot)
    for name, slots in by_joint.items():
        if len(slots) > 1:
            pose = next((slot for slot in slots if slot >= count), None)
            own = np.array([slot for slot in slots if slot < count], dtype=np.intp)
            yield Group(name, own, pose)
