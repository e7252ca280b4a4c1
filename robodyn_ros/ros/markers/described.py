"""What mechanism files have of things fixed in bodies: markers, and shapes to draw bodies with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.fixed import Fixed
from robodyn_ros.ros.markers.geometry import x_axis_onto
from robodyn_ros.ros.markers.prototype import Rgba, marker
from robodyn_ros.ros.markers.settings import DESCRIBED, VisualizationSettings
from robodyn_ros.spatial import quaternion_from_matrix

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Shape

_POINT: Rgba = (1.0, 0.3, 0.6, 1.0)
_DIRECTION: Rgba = (0.3, 0.9, 0.7, 1.0)
_WIDTH_SHARE = 0.08
_KINDS = {
    "box": Marker.CUBE,
    "sphere": Marker.SPHERE,
    "cylinder": Marker.CYLINDER,
    "mesh": Marker.MESH_RESOURCE,
}


def marker_shapes(model: Model, settings: VisualizationSettings) -> Iterator[Fixed]:
    """Yield a sphere for every point, an arrow for every direction; ids are markers' numbers."""
    diameter, length = settings.marker_size, settings.marker_length
    for number, made in enumerate(model.markers):
        if made.kind == "position":
            scale = (diameter, diameter, diameter)
            sphere = marker(Marker.SPHERE, DESCRIBED["markers"], number, scale, _POINT)
            yield Fixed(made.body, sphere, offset=made.vector)
        else:
            scale = (length, _WIDTH_SHARE * length, _WIDTH_SHARE * length)
            arrow = marker(Marker.ARROW, DESCRIBED["markers"], number, scale, _DIRECTION)
            yield Fixed(made.body, arrow, turn=x_axis_onto(made.vector))


def drawn_shapes(model: Model, drawing: Sequence[Shape]) -> Iterator[Fixed]:
    """Yield the shapes of a drawing that can be shown; ids are numbers within it."""
    for number, shape in enumerate(drawing):
        color: Rgba = tuple(shape.color.tolist())
        if not is_visible(shape) or (shape.kind == "mesh" and not mesh_uri(shape)):
            continue
        frame = model.frame(shape.body)
        size = tuple(shape.size.tolist())
        made = marker(_KINDS[shape.kind], DESCRIBED["drawing"], number, size, color)
        made.mesh_resource = mesh_uri(shape) if shape.kind == "mesh" else ""
        yield Fixed(
            frame.body,
            made,
            offset=frame.position + frame.rotation @ shape.position,
            turn=quaternion_from_matrix(frame.rotation @ shape.rotation),
        )


def is_visible(shape: Shape) -> bool:
    """Return whether a shape is neither transparent nor flat nor out of viewers' reach."""
    numbers = np.abs([*shape.position, *shape.size])
    return bool(shape.color[3] > 0.0 and shape.size.all() and (numbers <= REACH).all())


def mesh_uri(shape: Shape) -> str:
    """Return where viewers find a mesh, "" for a relative path, which leads nowhere for them."""
    if "://" in shape.file:
        return shape.file
    return Path(shape.file).as_uri() if Path(shape.file).is_absolute() else ""
