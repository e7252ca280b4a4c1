"""Efforts at their joints: arcs about the axes of those that turn, arrows along the others.

The computed ones and the measured ones are side by side; ids are those of the joints' axes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import Model
from robodyn_ros.model.effort_arcs import (
    ARC_POINTS,
    EffortAxes,
    Strengths,
    arcs,
    placed,
    strengths,
)
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.acting import Acting
from robodyn_ros.ros.markers.geometry import Bodies, Flags, Floats, Indices
from robodyn_ros.ros.markers.prototype import (
    COLOR_FIELDS,
    Rgba,
    action,
    marker,
    point_fields,
    points,
)
from robodyn_ros.ros.markers.settings import ACTING, VisualizationSettings

_ANY: Rgba = (0.5, 0.5, 0.5, 1.0)
_MEASURED_RADIUS = 0.8
"""Arcs of measured efforts are inside those of computed ones."""
_WIDTH_SHARE = 0.06
_HEAD_WIDTH, _HEAD_SHARE = 2.5, 0.4
_ARROW = 2.0
"""Length of an arrow at the limit, in radii."""
_SIDE = 0.25
"""How far to the side of its axis an arrow of a measured effort is, in radii."""


class Told(NamedTuple):
    """Which efforts there ever were: others have no markers."""

    computed: bool = False
    measured: bool = False

    def after(self, acting: Acting) -> Told:
        """Return the same once something acts."""
        computed, measured = acting.effort is not None, acting.measured is not None
        return Told(self.computed or computed, self.measured or measured)


class _Efforts:
    """What arcs and arrows have in common: a row for every axis, computed then measured."""

    def __init__(
        self, axes: EffortAxes, settings: VisualizationSettings, told: Told, *, turning: bool
    ) -> None:
        # Numbers of what is not shown are never looked at, but they are to be numbers.
        chosen = np.flatnonzero(axes.turns == turning)
        rows = chosen if settings.efforts else chosen[:0]
        self.axes = axes
        self.rows: Indices = np.tile(rows, told.computed + told.measured)
        self.count = len(rows) * told.computed
        self.radius: Floats = np.full(len(self.rows), settings.effort_radius)
        self.radius[self.count :] *= _MEASURED_RADIUS
        limit = axes.limit[self.rows]
        self._limited: Flags = limit > 0.0
        self._whole: Floats = np.where(self._limited, limit, settings.effort_per_turn)
        self._moves = axes.body[self.rows]
        self._column = axes.column[rows]

    def are_known(self, bodies: Bodies) -> bool:
        """Return whether there is anything to show."""
        acting = bodies.acting
        if bodies.q is not None and not self.axes.are_fixed:
            self.axes.follow(bodies.q)
        told = acting.effort is not None or acting.measured is not None
        return len(self.rows) > 0 and told

    def strengths(self, bodies: Bodies) -> Strengths:
        """Return how strong the efforts are; nothing is shown of bodies that are not sound."""
        acting = bodies.acting
        effort = np.full(len(self.rows), np.nan)
        valid = np.ones(len(self.rows), dtype=bool)
        if acting.effort is not None and self.count:
            effort[: self.count] = acting.effort[self._column]
        if acting.measured is not None and self.count < len(effort):
            effort[self.count :] = acting.measured[self._column]
        if acting.valid is not None and self.count:
            valid[: self.count] = acting.valid[self._column]
        found = strengths(effort, self._whole, self._limited, valid)
        return found._replace(shown=found.shown & bodies.sound[self._moves])

    def places(self, bodies: Bodies, rows: Indices) -> tuple[Floats, Floats, Flags]:
        """Return centres (n, 3) and bases (n, 3, 3) in the world, as `EffortAxes` has them.

        And (n,) where they are: elsewhere both mean nothing.
        """
        chosen = self.rows[rows]
        body, center, basis = (
            x[chosen] for x in (self.axes.body, self.axes.center, self.axes.basis)
        )
        there: Flags = np.ones(len(rows), dtype=bool)
        if not self.axes.are_fixed:
            numbers = np.concatenate([center, basis.reshape(-1, 9)], axis=1)
            there = np.asarray((np.abs(numbers) <= REACH).all(axis=1))
            center = np.where(there[:, None], center, 0.0)
            basis = np.where(there[:, None, None], basis, np.eye(3))
        rotation = bodies.rotation[body]
        middle = bodies.block[body, :3] + np.einsum("ijk,ik->ij", rotation, center)
        return middle, rotation @ basis, there

    def made(self, model: Model, kind: int, scale: tuple[float, ...], count: int) -> list[Marker]:
        """Return the markers of all rows, each with so many points."""
        markers = []
        for k, row in enumerate(self.rows):
            key = int(self.axes.body[row] + self.axes.rate[row] * model.nb)
            found = marker(kind, ACTING["efforts"][k >= self.count], key, scale, _ANY)
            found.points = points(np.zeros((count, 3)))
            markers.append(found)
        return markers


class EffortArcs:
    """An arc for every coordinate that turns: see `model.effort_arcs`."""

    fields = (*point_fields(ARC_POINTS), *COLOR_FIELDS)

    def __init__(
        self, model: Model, axes: EffortAxes, settings: VisualizationSettings, told: Told
    ) -> None:
        """Make them, if they are switched on."""
        self._efforts = _Efforts(axes, settings, told, turning=True)
        width = _WIDTH_SHARE * settings.effort_radius
        self.markers = self._efforts.made(model, Marker.LINE_STRIP, (width, 0.0, 0.0), ARC_POINTS)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write points and colours (n, 3 ARC_POINTS + 4), and the actions (n,)."""
        efforts = self._efforts
        actions[:] = Marker.DELETE
        numbers[:, -4:] = _ANY
        if not efforts.are_known(bodies):
            return
        found = efforts.strengths(bodies)
        rows = np.flatnonzero(found.shown)
        flat = arcs(math.tau * found.share[rows], efforts.radius[rows])
        center, basis, there = efforts.places(bodies, rows)
        numbers[rows, :-4] = placed(flat, center, basis).reshape(len(rows), 3 * ARC_POINTS)
        numbers[rows, -4:] = found.color[rows]
        actions[rows] = action(there)


class EffortArrows:
    """An arrow for every coordinate that slides, from the joint's frame to where it is pushed."""

    fields = (*point_fields(2), "scale.z", *COLOR_FIELDS)

    def __init__(
        self, model: Model, axes: EffortAxes, settings: VisualizationSettings, told: Told
    ) -> None:
        """Make them, if they are switched on."""
        self._efforts = _Efforts(axes, settings, told, turning=False)
        self._side = np.full(len(self._efforts.rows), _SIDE * settings.effort_radius)
        self._side[: self._efforts.count] = 0.0
        width = _WIDTH_SHARE * settings.effort_radius
        scale = (width, _HEAD_WIDTH * width, width)
        self.markers = self._efforts.made(model, Marker.ARROW, scale, 2)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write start, end, length of head and colours (n, 11), and the actions (n,)."""
        efforts = self._efforts
        actions[:] = Marker.DELETE
        numbers[:, 6:] = (1.0, *_ANY)
        if not efforts.are_known(bodies):
            return
        found = efforts.strengths(bodies)
        rows = np.flatnonzero(found.shown)
        center, basis, there = efforts.places(bodies, rows)
        start = center + self._side[rows, None] * basis[:, :, 0]
        length = _ARROW * efforts.radius[rows] * found.share[rows]
        numbers[rows, :3] = start
        numbers[rows, 3:6] = start + length[:, None] * basis[:, :, 2]
        numbers[rows, 6] = _HEAD_SHARE * np.abs(length)
        numbers[rows, 7:] = found.color[rows]
        actions[rows] = action(there)
