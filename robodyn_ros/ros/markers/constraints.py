"""The constraint elements of a closed mechanism, each as what it is.

A rod, and the normal or common perpendicular of the other elements: a line between two points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model, PointOnCylinder, PointOnPlane, Rod, SkewAxes
from robodyn_ros.ros.markers.geometry import REACH, Bodies, Floats
from robodyn_ros.ros.markers.prototype import Rgba, action, marker, point_fields, points
from robodyn_ros.ros.markers.settings import DESCRIBED, VisualizationSettings

_COLORS: dict[str, Rgba] = {
    "rod": (0.7, 0.75, 0.8, 1.0),
    "point_on_plane": (0.5, 0.8, 0.5, 0.9),
    "point_on_cylinder": (0.8, 0.6, 0.9, 0.9),
    "skew_axes": (0.95, 0.8, 0.4, 0.9),
}
_WIDTH_SHARE = 0.1
_PARALLEL = 1e-9


class Constraints:
    """A line for every constraint element; loops have none, their joints are drawn as such.

    Of a rod from point to point; of a point on a plane from the plane's nearest point, of a point
    on a cylinder from the nearest of the axis; of skew axes their common perpendicular.
    """

    fields = point_fields(2)

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make them, if they are switched on; ids are the numbers of the elements."""
        numbered = enumerate(model.closure.elements) if settings.constraints else ()
        lines = (Rod, PointOnPlane, PointOnCylinder, SkewAxes)
        self._elements = [(k, x) for k, x in numbered if isinstance(x, lines)]
        self.markers: list[Marker] = []
        for number, element in self._elements:
            scale = (_WIDTH_SHARE * settings.frame_size, 0.0, 0.0)
            color = _COLORS[element.type_name]
            line = marker(Marker.LINE_STRIP, DESCRIBED["constraints"], number, scale, color)
            line.points = points(np.zeros((2, 3)))
            self.markers.append(line)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write both ends (n, 6) and the actions (n,)."""
        shown = np.zeros(len(self._elements), dtype=bool)
        for row, (_, element) in enumerate(self._elements):
            if bodies.sound[[element.body_1, element.body_2]].all():
                ends = np.concatenate(_ends(element, bodies))
                shown[row] = bool((np.abs(ends) <= REACH).all())
                numbers[row] = np.where(shown[row], ends, 0.0)
        actions[:] = action(shown)


Drawn = Rod | PointOnPlane | PointOnCylinder | SkewAxes


def _ends(element: Drawn, bodies: Bodies) -> tuple[Floats, Floats]:
    """Return the ends (3,) of an element's line."""
    end = _point(bodies, element.body_2, element.point_2)
    if isinstance(element, Rod):
        return _point(bodies, element.body_1, element.point_1), end
    R_1 = bodies.rotation[element.body_1]
    if isinstance(element, PointOnPlane):
        normal = R_1 @ element.normal
        origin = bodies.block[element.body_1, :3]
        offset = element.measure.value(bodies.q) if bodies.q is not None else 0.0
        return end - (normal @ (end - origin) - offset) * normal, end
    begin, axis = _point(bodies, element.body_1, element.point_1), R_1 @ element.axis_1
    if isinstance(element, PointOnCylinder):
        return begin + (axis @ (end - begin)) * axis, end
    other = bodies.rotation[element.body_2] @ element.axis_2
    between, cosine = end - begin, float(axis @ other)
    sine = 1.0 - cosine**2
    if sine < _PARALLEL:
        return begin + (axis @ between) * axis, end
    along, beside = float(axis @ between), float(other @ between)
    return (
        begin + (along - cosine * beside) / sine * axis,
        end + (cosine * along - beside) / sine * other,
    )


def _point(bodies: Bodies, body: int, point: Floats) -> Floats:
    """Return a point of a body, given in its frame."""
    place: Floats = bodies.block[body, :3] + bodies.rotation[body] @ point
    return place
