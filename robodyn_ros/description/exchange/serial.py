"""Joints of several coordinates as chains of joints of one, with massless bodies between them."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints import Joint
from robodyn_ros.joints.exponentials import exponentials
from robodyn_ros.spatial import axis_alignment, compose, invert
from robodyn_ros.spatial.poses import Pose
from robodyn_ros.spatial.rotations import snapped

Floats = NDArray[np.float64]
Motion = Literal["revolute", "prismatic", "helical"]

#: A screw's pitch below it, in m/rad, is none.
_NO_PITCH = 1e-12
_AXES = np.eye(3)


class Step(NamedTuple):
    """A joint of one coordinate in a chain.

    Attributes:
        rate: number of the coordinate in the joint that the chain stands for.
        motion: what it does.
        axis: (3,) unit vector in its own frame.
        pitch: m/rad of a helical one, else 0.
        pose: of its predecessor frame in the frame before: the last step's successor frame.
    """

    rate: int
    motion: Motion
    axis: Floats
    pitch: float
    pose: Pose


class Serial(NamedTuple):
    """The steps from a joint's predecessor frame F, and M's pose in the last step's frame."""

    steps: tuple[Step, ...]
    end: Pose


def serial_chain(joint: Joint, *, along_z: bool) -> Serial | None:
    """Return a joint as a chain of joints of one coordinate; None where it is no such chain.

    Args:
        joint: any joint.
        along_z: whether every step's axis must be one of its frame's coordinate axes, z for a
            screw; else frames keep F's axes and steps have any axis.
    """
    found = exponentials(joint)
    if found is None:
        return None
    before: Pose = (np.eye(3), np.zeros(3))
    steps = []
    for rate, screw in zip(found.order, found.screws, strict=True):
        motion, axis, pitch, point = _line(screw)
        R = np.eye(3)
        allowed = _AXES[2:] if motion == "helical" else _AXES
        if along_z and not any(np.array_equal(axis, row) for row in allowed):
            R, axis = snapped(axis_alignment(axis)), np.array([0.0, 0.0, 1.0])
        frame = (R, point)
        steps.append(Step(rate, motion, axis, pitch, compose(invert(before), frame)))
        before = frame
    return Serial(tuple(steps), compose(invert(before), found.home))


def _line(screw: Floats) -> tuple[Motion, Floats, float, Floats]:
    """Return what a unit screw does, its axis, pitch, and the point of it nearest to the origin."""
    turn, slide = screw[:3], screw[3:]
    if not np.any(turn):
        return "prismatic", slide, 0.0, np.zeros(3)
    pitch = float(turn @ slide)
    point = np.array(np.cross(turn, slide) + 0.0, dtype=np.float64)
    if abs(pitch) < _NO_PITCH:
        return "revolute", turn, 0.0, point
    return "helical", turn, pitch, point
