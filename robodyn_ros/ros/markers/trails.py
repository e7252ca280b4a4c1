"""Lines along which bodies have moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model
from robodyn_ros.ros.markers.geometry import Bodies, Floats
from robodyn_ros.ros.markers.prototype import Rgba, action, marker, point_fields, points
from robodyn_ros.ros.markers.settings import DESCRIBED, NAMESPACES, VisualizationSettings
from robodyn_ros.ros.markers.trail_memory import TrailMemory

_COLOR: Rgba = (1.0, 0.9, 0.3, 0.9)
_WIDTH = 0.004


class Trail(NamedTuple):
    """A point whose trail is shown.

    Attributes:
        namespace, id: Of its marker.
        body: The body that it is fixed in.
        offset: (3,) where in that, m.
    """

    namespace: str
    id: int
    body: int
    offset: Floats


class Trails:
    """The trails of some points; one that has not moved yet is deleted."""

    def __init__(self, trails: Sequence[Trail], memory: TrailMemory) -> None:
        """Make their markers, each with the points of `memory`."""
        length = memory.points.shape[1]
        self.fields = point_fields(length)
        self.markers: list[Marker] = []
        for trail in trails:
            scale = (_WIDTH, 0.0, 0.0)
            line = marker(Marker.LINE_STRIP, trail.namespace, trail.id, scale, _COLOR)
            line.points = points(np.zeros((length, 3)))
            self.markers.append(line)
        self._memory = memory

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write the points (n, 3 length) and the actions (n,)."""
        numbers[:] = self._memory.points.reshape(numbers.shape)
        actions[:] = action(self._memory.visible())


def trail_bodies(model: Model, names: Sequence[str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the bodies that get a trail, and those of the names that the model does not have.

    Args:
        model: The robot.
        names: Names of bodies; empty for the bodies that carry no others.
    """
    if not names:
        seen = [body for body in range(1, model.nb) if not model.bodies[body].auxiliary]
        carriers = {model.parent[body] for body in seen}
        return tuple(body for body in seen if body not in carriers), ()
    number = {x.name: body for body, x in enumerate(model.bodies) if not x.auxiliary}
    wanted = dict.fromkeys(names)
    bodies = tuple(number[name] for name in wanted if name in number)
    return bodies, tuple(name for name in wanted if name not in number)


def trails_of(model: Model, settings: VisualizationSettings) -> Iterator[Trail]:
    """Yield the trails that are switched on: of bodies' origins, then of markers."""
    if settings.trails:
        for body in trail_bodies(model, settings.trail_bodies)[0]:
            yield Trail(NAMESPACES["trails"], body, body, np.zeros(3))
    if settings.marker_trails:
        for number, made in enumerate(model.markers):
            if made.kind == "position":
                yield Trail(DESCRIBED["marker_trails"], number, made.body, made.vector)
