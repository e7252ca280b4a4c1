"""The axes of joints: an arrow for the screw of every rate, where it is now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.joints import Joint
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.model.joint_axes import joint_axes, joints_with_axes
from robodyn_ros.ros.markers.geometry import (
    IDENTITY,
    POSITION,
    Bodies,
    Floats,
    x_axis_onto,
)
from robodyn_ros.ros.markers.prototype import POSE_FIELDS, Rgba, action, marker
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings

_TURNING: Rgba = (1.0, 0.55, 0.1, 0.8)
_SLIDING: Rgba = (0.1, 0.75, 0.75, 0.8)
_WIDTH_SHARE = 0.05


class Axes:
    """The axes of all joints of a robot, but for that of a floating base; followers' too.

    The id of an axis is the number of the body that the joint moves; those of a joint's further
    rates follow in steps of the number of bodies.
    """

    fields = POSE_FIELDS

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make them, if they are switched on."""
        self._length = settings.joint_axis_length
        joints = list(joints_with_axes(model)) if settings.joint_axes else []
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
