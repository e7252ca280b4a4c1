"""Arrows from the origins of bodies: velocities and accelerations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model
from robodyn_ros.ros.markers.geometry import (
    ANGULAR_ACCELERATION,
    ANGULAR_VELOCITY,
    LINEAR_ACCELERATION,
    LINEAR_VELOCITY,
    Bodies,
    Floats,
)
from robodyn_ros.ros.markers.prototype import Rgba, action, marker, point_fields, points
from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings

_KINDS: tuple[tuple[str, int, Rgba], ...] = (
    ("linear_velocity", LINEAR_VELOCITY, (0.15, 0.7, 0.95, 0.9)),
    ("angular_velocity", ANGULAR_VELOCITY, (0.6, 0.9, 0.3, 0.9)),
    ("linear_acceleration", LINEAR_ACCELERATION, (0.95, 0.35, 0.3, 0.9)),
    ("angular_acceleration", ANGULAR_ACCELERATION, (0.95, 0.4, 0.8, 0.9)),
)

_HEAD_WIDTH = 2.0
_HEAD_LENGTH = 3.0
_HEAD_SHARE = 0.4


class Arrows:
    """The arrows of a robot; one of (almost) no length is deleted."""

    fields = (*point_fields(2), "scale.z")

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Make all that are switched on."""
        kinds = [kind for kind in _KINDS if getattr(settings, kind[0])]
        width = settings.arrow_width
        self._head = _HEAD_LENGTH * width
        self._shortest, self._longest = settings.arrow_min_length, settings.arrow_max_length
        seen = [k for k, body in enumerate(model.bodies) if not body.auxiliary]
        self.markers: list[Marker] = []
        for name, _, color in kinds:
            scale = (width, _HEAD_WIDTH * width, self._head)
            for body in seen:
                arrow = marker(Marker.ARROW, NAMESPACES[name], body, scale, color)
                arrow.points = points(np.zeros((2, 3)))
                self.markers.append(arrow)
        self._body = np.tile(np.array(seen, dtype=np.intp), len(kinds))
        starts = np.repeat([start for _, start, _ in kinds], len(seen)).astype(np.intp)
        self._columns = starts[:, None] + np.arange(3)
        self._scale = np.repeat(
            [float(getattr(settings, f"{name}_scale")) for name, _, _ in kinds], len(seen)
        )
        self._origin = np.tile(np.arange(3), (len(self._body), 1))

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write start, end and length of head (n, 7), and the actions (n,)."""
        start = bodies.points(self._body, self._origin)
        tip, length, shown = bodies.tips(
            self._body, self._columns, self._scale, self._shortest, self._longest
        )
        numbers[:, :3] = start
        numbers[:, 3:6] = start + tip
        numbers[:, 6] = np.minimum(self._head, _HEAD_SHARE * length)
        actions[:] = action(shown)
