"""The axes of joints: an arrow for the screw of every rate, where it is now.

A joint's screws are the columns of its motion subspace. Where they change with its coordinates,
these must be known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.joints import Joint, Placed, Reversed
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.ros.markers.geometry import (
    IDENTITY,
    POSITION,
    REACH,
    Bodies,
    Floats,
    x_axis_onto,
)
from robodyn_ros.ros.markers.prototype import POSE_FIELDS, Rgba, action, marker
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings

_TURNING: Rgba = (1.0, 0.55, 0.1, 0.8)
_SLIDING: Rgba = (0.1, 0.75, 0.75, 0.8)
_WIDTH_SHARE = 0.05


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


class Axes:
    """The axes of all joints of a robot, but for that of a floating base; followers' too.

    The id of an axis is the number of the body that the joint moves; those of a joint's further
    rates follow in steps of the number of bodies.
    """

    fields = POSE_FIELDS

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make them, if they are switched on."""
        self._length = settings.joint_axis_length
        joints = list(_described(model)) if settings.joint_axes else []
        self._body = np.repeat(
            np.array([number for number, _ in joints], dtype=np.intp),
            np.array([joint.joint.nv for _, joint in joints], dtype=np.intp),
        )
        self._columns = np.tile(POSITION + np.arange(3), (len(self._body), 1))
        self._offset: Floats = np.zeros((len(self._body), 3))
        self._turn: Floats = np.tile(IDENTITY, (len(self._body), 1))
        self._changing: list[tuple[slice, int, TreeJoint]] = []
        self.markers: list[Marker] = []
        for number, joint in joints:
            rows = slice(len(self.markers), len(self.markers) + joint.joint.nv)
            if joint.joint.subspace_derivative(joint.joint.neutral()) is None:
                self._put(rows, joint.joint, joint.joint.neutral())
            else:
                self._changing.append((rows, number, joint))
            for rate, turns in enumerate(joint.joint.turning()):
                self.markers.append(self._arrow(number + rate * model.nb, turns=turns))

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write the poses (n, 7) and the actions (n,)."""
        shown = bodies.sound[self._body]
        for rows, number, joint in self._changing:
            if bodies.q is None or not bodies.sound[number]:
                shown[rows] = False
            else:
                self._put(rows, joint.joint, joint.coordinates.position(bodies.q))
                shown[rows] = (np.abs(self._offset[rows]) <= REACH).all(axis=1)
        # What is out of reach is not to be computed with.
        self._offset[~shown], self._turn[~shown] = 0.0, IDENTITY
        anchor = bodies.points(self._body, self._columns)
        numbers[:] = bodies.poses(self._body, anchor, self._offset, self._turn)
        actions[:] = action(shown)

    def _arrow(self, id: int, *, turns: bool) -> Marker:
        width = _WIDTH_SHARE * self._length
        color = _TURNING if turns else _SLIDING
        return marker(
            Marker.ARROW, NAMESPACES["joint_axes"], id, (self._length, width, width), color
        )

    def _put(self, rows: slice, joint: Joint, q: Floats) -> None:
        """Put the arrows of a joint where they are at its coordinates."""
        for row, axis in zip(range(rows.start, rows.stop), joint_axes(joint, q), strict=True):
            self._offset[row] = axis.point - 0.5 * self._length * axis.direction
            self._turn[row] = x_axis_onto(axis.direction)


def _described(model: Model) -> Iterator[tuple[int, TreeJoint]]:
    """Yield the joints that move, loops' too, without the one that a base was given."""
    for number, joint in model.moving:
        if joint.joint.type_name == "control":
            continue
        if joint.joint.nv and not (number == 1 and model.base != "fixed"):
            yield number, joint
