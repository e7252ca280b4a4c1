"""The axes of joints, where pictures have them: the screw of every rate.

A joint's screws are the columns of its motion subspace. Where they change with its coordinates,
these must be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints import Joint, Placed, Reversed
from robodyn_ros.model.elements import TreeJoint
from robodyn_ros.model.model import Model

Floats = NDArray[np.float64]


class Axis(NamedTuple):
    """A point (3,) in m and a unit direction (3,), both in the body frame, towards positive rates.

    `turns` says whether the rate turns about it, as a screw with pitch does too, or slides along.
    """

    point: Floats
    direction: Floats
    turns: bool


def joint_axes(joint: Joint, q: Floats) -> Iterator[Axis]:
    """Yield the axis of every rate in the frame of the body that the joint moves.

    Its point is the one next to the joint's own frame in that body.

    Args:
        joint: The joint.
        q: Its coordinates (nq,).
    """
    anchor: Floats = np.zeros(3)
    if isinstance(joint, Placed):
        anchor = joint.p_CM
    elif isinstance(joint, Reversed):
        anchor = joint.p_PF
    columns = np.asarray(joint.motion_subspace(q), dtype=np.float64).T
    for screw, turns in zip(columns, joint.turning(), strict=True):
        direction = screw[:3] if turns else screw[3:]
        direction = direction / np.linalg.norm(direction)
        point = anchor
        if turns:
            nearest = np.cross(screw[:3], screw[3:]) / (screw[:3] @ screw[:3])
            point = nearest + ((anchor - nearest) @ direction) * direction
        yield Axis(point, direction, turns)


def joints_with_axes(model: Model) -> Iterator[tuple[int, TreeJoint]]:
    """Yield the joints that move, loops' too, without the one that a base was given."""
    for number, joint in model.moving:
        if joint.joint.type_name == "control":
            continue
        if joint.joint.nv and not (number == 1 and model.base != "fixed"):
            yield number, joint
