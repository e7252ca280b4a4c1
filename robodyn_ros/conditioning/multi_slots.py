"""The joints of a model that are moved as whole poses: of several rates, and of a moving base.

Their slots follow those of the joints with one coordinate; see `frames.FramePlan`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from robodyn_ros.conditioning.multi_dof_coordinates import described, is_told_by_poses
from robodyn_ros.joints import Joint
from robodyn_ros.model import Model


class MultiSlot(NamedTuple):
    """A joint that a multi-DOF joint state, or the base's own input, can move.

    Attributes:
        name: The joint's name.
        type_name: The joint's or, for that of a prescribed base, "prescribed".
        body: The body that it moves.
        joint: What kind of joint it is, as described: neither turned round by re-rooting nor placed
            in the child's frame.
        q, v: Its places in q and in v; empty for a prescribed base.
    """

    name: str
    type_name: str
    body: int
    joint: Joint
    q: slice
    v: slice


def multi_slots(model: Model) -> Iterator[MultiSlot]:
    """Yield the joints of a model that are moved as whole poses, in model order."""
    for body, joint in model.moving:
        if body == 1 and model.base == "prescribed":
            nothing = slice(0, 0)
            yield MultiSlot(joint.name, "prescribed", body, joint.joint, nothing, nothing)
            continue
        kind = described(joint.joint)
        if not joint.is_follower and is_told_by_poses(kind):
            q = slice(joint.q_index, joint.q_index + kind.nq)
            v = slice(joint.v_index, joint.v_index + kind.nv)
            yield MultiSlot(joint.name, kind.type_name, body, kind, q, v)
