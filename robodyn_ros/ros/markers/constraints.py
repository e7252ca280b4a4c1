"""The constraint elements of a closed mechanism, each as what it is.

A rod, the distance from a cylinder's axis and the common perpendicular of two axes are lines; a
plane is a plate at the point that stays in it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model, PointOnPlane
from robodyn_ros.model.element_lines import LINED, element_line
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.geometry import Bodies, Floats, x_axis_onto
from robodyn_ros.ros.markers.prototype import (
    POSE_FIELDS,
    Rgba,
    action,
    marker,
    point_fields,
    points,
)
from robodyn_ros.ros.markers.settings import CLOSED, VisualizationSettings

_COLORS: dict[str, Rgba] = {
    "rod": (0.7, 0.75, 0.8, 1.0),
    "point_on_plane": (0.5, 0.8, 0.5, 0.4),
    "point_on_cylinder": (0.8, 0.6, 0.9, 0.9),
    "skew_axes": (0.95, 0.8, 0.4, 0.9),
}
_WIDTH_SHARE = 0.1
_PLATE = 3.0
"""Side of a plate as a multiple of the axes' length."""


class Constraints:
    """A line for every element that keeps a length; loops have none, but joint axes.

    Of a rod from point to point; of a point on a cylinder from the nearest point of the axis; of
    skew axes their common perpendicular.
    """

    fields = point_fields(2)

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make them, if they are switched on; ids are the numbers of the elements."""
        numbered = enumerate(model.closure.elements) if settings.constraints else ()
        self._elements = [(k, x) for k, x in numbered if isinstance(x, LINED)]
        self.markers: list[Marker] = []
        for number, element in self._elements:
            scale = (_WIDTH_SHARE * settings.frame_size, 0.0, 0.0)
            color = _COLORS[element.type_name]
            line = marker(Marker.LINE_STRIP, CLOSED["constraints"], number, scale, color)
            line.points = points(np.zeros((2, 3)))
            self.markers.append(line)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write both ends (n, 6) and the actions (n,)."""
        shown = np.zeros(len(self._elements), dtype=bool)
        for row, (_, element) in enumerate(self._elements):
            if bodies.sound[[element.body_1, element.body_2]].all():
                ends = np.concatenate(element_line(element, bodies.block[:, :3], bodies.rotation))
                shown[row] = bool((np.abs(ends) <= REACH).all())
                numbers[row] = np.where(shown[row], ends, 0.0)
        actions[:] = action(shown)


class Planes:
    """A thin plate for every plane that a point stays in, at that point; ids as `Constraints`."""

    fields = POSE_FIELDS

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make them, if they are switched on."""
        numbered = enumerate(model.closure.elements) if settings.constraints else ()
        planes = [(k, x) for k, x in numbered if isinstance(x, PointOnPlane)]
        side = _PLATE * settings.frame_size
        scale = (_WIDTH_SHARE * _WIDTH_SHARE * side, side, side)
        color = _COLORS["point_on_plane"]
        self.markers = [
            marker(Marker.CUBE, CLOSED["constraints"], k, scale, color) for k, _ in planes
        ]
        self._points = [(x.body_2, x.point_2) for _, x in planes]
        self._body_1 = np.array([x.body_1 for _, x in planes], dtype=np.intp)
        self._body_2 = np.array([x.body_2 for _, x in planes], dtype=np.intp)
        self._turn = np.array([x_axis_onto(x.normal) for _, x in planes]).reshape(-1, 4)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write the poses (n, 7) and the actions (n,)."""
        shown = bodies.sound[self._body_1] & bodies.sound[self._body_2]
        places = [_point(bodies, *point) for point in self._points]
        anchor = np.array(places, dtype=np.float64).reshape(-1, 3)
        shown &= (np.abs(anchor) <= REACH).all(axis=1)
        anchor[~shown] = 0.0
        numbers[:] = bodies.poses(self._body_1, anchor, np.zeros_like(anchor), self._turn)
        actions[:] = action(shown)


def _point(bodies: Bodies, body: int, point: Floats) -> Floats:
    """Return a point of a body, given in its frame."""
    place: Floats = bodies.block[body, :3] + bodies.rotation[body] @ point
    return place
