"""Things that are fixed in bodies: frames, centres of mass, inertia ellipsoids.

And what a mechanism file has of them, see `described`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model
from robodyn_ros.model.inertia_ellipsoid import (
    REACH,
    SMALLEST,
    inertia_ellipsoid,
    sphere_diameter,
)
from robodyn_ros.ros.markers.described import drawn_shapes, marker_shapes
from robodyn_ros.ros.markers.fixed import Fixed
from robodyn_ros.ros.markers.geometry import (
    CENTER_OF_MASS,
    POSITION,
    Bodies,
    Floats,
)
from robodyn_ros.ros.markers.prototype import POSE_FIELDS, Rgba, action, marker, points, rgba
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Shape as Drawn

_RED: Rgba = (0.9, 0.15, 0.15, 1.0)
_GREEN: Rgba = (0.15, 0.8, 0.15, 1.0)
_BLUE: Rgba = (0.2, 0.35, 1.0, 1.0)
_WHITE: Rgba = (1.0, 1.0, 1.0, 1.0)
_MASS: Rgba = (0.95, 0.75, 0.1, 0.9)
_INERTIA: Rgba = (0.55, 0.4, 0.9, 0.35)

_LINE_SHARE = 0.08


class Shapes:
    """The shapes of a robot: their poses follow the bodies."""

    fields = POSE_FIELDS

    def __init__(
        self, model: Model, settings: VisualizationSettings, drawing: Sequence[Drawn] = ()
    ) -> None:
        """Make all that are switched on."""
        shapes = [
            *(_frames(model, settings) if settings.frames else ()),
            *(_centers_of_mass(model, settings) if settings.center_of_mass else ()),
            *(_ellipsoids(model) if settings.inertia else ()),
            *(marker_shapes(model, settings) if settings.markers else ()),
            *(drawn_shapes(model, drawing) if settings.drawing else ()),
        ]
        self.markers = [shape.marker for shape in shapes]
        self._body = np.array([shape.body for shape in shapes], dtype=np.intp)
        starts = [CENTER_OF_MASS if shape.at_com else POSITION for shape in shapes]
        self._columns = np.array(starts, dtype=np.intp)[:, None] + np.arange(3)
        self._offset = np.array([shape.offset for shape in shapes]).reshape(-1, 3)
        self._turn = np.array([shape.turn for shape in shapes]).reshape(-1, 4)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write the poses (n, 7) and the actions (n,)."""
        anchor = bodies.points(self._body, self._columns)
        numbers[:] = bodies.poses(self._body, anchor, self._offset, self._turn)
        actions[:] = action(bodies.sound[self._body])


def _frames(model: Model, settings: VisualizationSettings) -> Iterator[Fixed]:
    size = settings.frame_size
    ends = np.zeros((6, 3))
    ends[1::2] = size * np.eye(3)
    for body, made in enumerate(model.bodies):
        if made.auxiliary:
            continue
        scale = (_LINE_SHARE * size, 0.0, 0.0)
        triad = marker(Marker.LINE_LIST, NAMESPACES["frames"], body, scale, _WHITE)
        triad.points = points(ends)
        triad.colors = [rgba(color) for color in (_RED, _GREEN, _BLUE) for _ in range(2)]
        yield Fixed(body, triad)


def _centers_of_mass(model: Model, settings: VisualizationSettings) -> Iterator[Fixed]:
    for number, body in enumerate(model.bodies):
        diameter = sphere_diameter(body.mass, settings.density) if body.mass > 0.0 else 0.0
        if SMALLEST <= diameter <= REACH:
            scale = (diameter, diameter, diameter)
            sphere = marker(Marker.SPHERE, NAMESPACES["center_of_mass"], number, scale, _MASS)
            yield Fixed(number, sphere, at_com=True)


def _ellipsoids(model: Model) -> Iterator[Fixed]:
    for number, body in enumerate(model.bodies):
        ellipsoid = inertia_ellipsoid(body)
        if ellipsoid is not None:
            x, y, z = 2.0 * ellipsoid.semi_axes
            solid = marker(Marker.SPHERE, NAMESPACES["inertia"], number, (x, y, z), _INERTIA)
            yield Fixed(number, solid, at_com=True, turn=ellipsoid.quaternion)
