"""The constraint elements of a closed mechanism, each as what it is, red where it does not hold.

Of a rod, a cylinder and skew axes the line along which a length is kept, with the axes, and the
circle on which a point keeps its distance; of a plane a patch under the point that stays in it; of
a closed loop a ball, and a line where its frames have come apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from visualization_msgs.msg import Marker

from robodyn_ros.model import (
    Element,
    Model,
    PointOnCylinder,
    PointOnPlane,
    SkewAxes,
    Weld,
)
from robodyn_ros.model.element_pictures import ElementPicture, element_picture, violation_color
from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.geometry import IDENTITY, Bodies, Floats, x_axis_onto
from robodyn_ros.ros.markers.prototype import (
    COLOR_FIELDS,
    POSE_FIELDS,
    Rgba,
    action,
    marker,
    point_fields,
    points,
)
from robodyn_ros.ros.markers.settings import CLOSED, VisualizationSettings
from robodyn_ros.spatial import axis_alignment

_COLORS: dict[str, Rgba] = {
    "loop": (0.85, 0.85, 0.9, 0.9),
    "rod": (0.7, 0.75, 0.8, 1.0),
    "point_on_plane": (0.5, 0.8, 0.5, 0.4),
    "point_on_cylinder": (0.8, 0.6, 0.9, 0.9),
    "skew_axes": (0.95, 0.8, 0.4, 0.9),
}
_WIDTH_SHARE = 0.1
_THIN = 0.04
_PLATE = 3.0
"""Side of a plate, and length of an axis, as a multiple of the axes' length."""
_BALL = 0.25
_SHORTEST = 1e-6
"""Frames of a loop, a point and its plane, that are closer than this are not taken apart, m."""
_CIRCLE = 25
LINE, FIRST_AXIS, SECOND_AXIS, SOLID = range(4)
"""The id of a marker is its element's number, plus so many times the number of elements."""


class Elements:
    """The elements of a model as they are at one instant, found once for all of their markers."""

    def __init__(self, model: Model, settings: VisualizationSettings) -> None:
        """Find none if they are switched off."""
        self.all: tuple[Element, ...] = model.closure.elements if settings.constraints else ()
        self.size = settings.frame_size
        self._pictures: list[ElementPicture | None] = []
        self._seen: Bodies | None = None

    def at(self, bodies: Bodies) -> list[ElementPicture | None]:
        """Return what each is like; None for one that cannot be shown."""
        if bodies is not self._seen:
            self._pictures = [self._picture(element, bodies) for element in self.all]
            self._seen = bodies
        return self._pictures

    def id(self, number: int, part: int) -> int:
        """Return the id of a part of an element."""
        return number + part * len(self.all)

    def _picture(self, element: Element, bodies: Bodies) -> ElementPicture | None:
        if not bodies.sound[[element.body_1, element.body_2]].all():
            return None
        found = element_picture(element, bodies.block[:, :3], bodies.rotation, bodies.q)
        near = (np.abs([*found.begin, *found.end]) <= REACH).all()
        return found if near and math.isfinite(found.gap) else None


class ElementLines:
    """Lines: of what is kept, of axes, and between what has come apart."""

    fields = (*point_fields(2), *COLOR_FIELDS)

    def __init__(self, elements: Elements) -> None:
        """Make them."""
        self._elements = elements
        self._parts = list(_lines(elements.all))
        self.markers: list[Marker] = []
        for number, part in self._parts:
            share = _WIDTH_SHARE if part == LINE else _THIN
            scale = (share * elements.size, 0.0, 0.0)
            color = _COLORS[elements.all[number].type_name]
            key = CLOSED["constraints"], elements.id(number, part)
            line = marker(Marker.LINE_STRIP, *key, scale, color)
            line.points = points(np.zeros((2, 3)))
            self.markers.append(line)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write both ends and colours (n, 10), and the actions (n,)."""
        pictures = self._elements.at(bodies)
        half = 0.5 * _PLATE * self._elements.size
        shown = np.zeros(len(self._parts), dtype=bool)
        for row, (number, part) in enumerate(self._parts):
            found, element = pictures[number], self._elements.all[number]
            color = _COLORS[element.type_name]
            numbers[row] = (*np.zeros(6), *color)
            if found is None:
                continue
            shown[row] = True
            ends = found.begin, found.end
            if part == LINE and isinstance(element, (Weld, PointOnPlane)):
                shown[row] = np.linalg.norm(found.end - found.begin) >= _SHORTEST
            elif part == FIRST_AXIS:
                ends = found.begin - half * found.axis_1, found.begin + half * found.axis_1
            elif part == SECOND_AXIS:
                ends = found.end - half * found.axis_2, found.end + half * found.axis_2
            numbers[row, :6] = np.concatenate(ends)
            numbers[row, 6:] = violation_color(color, found.gap)
        actions[:] = action(shown)


class ElementCircles:
    """The circle about a cylinder's axis on which the point is that keeps its distance."""

    fields = (*point_fields(_CIRCLE), *COLOR_FIELDS)

    def __init__(self, elements: Elements) -> None:
        """Make them."""
        self._elements = elements
        numbered = enumerate(elements.all)
        self._numbers = [k for k, x in numbered if isinstance(x, PointOnCylinder)]
        color = _COLORS["point_on_cylinder"]
        scale = (_THIN * elements.size, 0.0, 0.0)
        turn = np.linspace(0.0, math.tau, _CIRCLE)
        self._round = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        self.markers: list[Marker] = []
        for number in self._numbers:
            key = CLOSED["constraints"], elements.id(number, SECOND_AXIS)
            made = marker(Marker.LINE_STRIP, *key, scale, color)
            made.points = points(np.zeros((_CIRCLE, 3)))
            self.markers.append(made)

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write points and colours (n, 3 points + 4), and the actions (n,)."""
        pictures = self._elements.at(bodies)
        for row, number in enumerate(self._numbers):
            found = pictures[number]
            numbers[row] = (*np.zeros(3 * _CIRCLE), *_COLORS["point_on_cylinder"])
            actions[row] = Marker.DELETE if found is None else Marker.ADD
            if found is not None:
                radius = np.linalg.norm(found.end - found.begin)
                across = radius * axis_alignment(found.axis_1)[:, :2]
                numbers[row, :-4] = (found.begin + self._round @ across.T).reshape(-1)
                numbers[row, -4:] = violation_color(_COLORS["point_on_cylinder"], found.gap)


class ElementSolids:
    """A patch of a plane, under the point that stays in it; a ball where a loop is closed."""

    fields = (*POSE_FIELDS, *COLOR_FIELDS)

    def __init__(self, elements: Elements) -> None:
        """Make them."""
        self._elements = elements
        numbered = enumerate(elements.all)
        self._numbers = [k for k, x in numbered if isinstance(x, (PointOnPlane, Weld))]
        side, ball = _PLATE * elements.size, _BALL * elements.size
        self.markers: list[Marker] = []
        for number in self._numbers:
            element = elements.all[number]
            kind, scale, part = Marker.CUBE, (0.01 * side, side, side), FIRST_AXIS
            if isinstance(element, Weld):
                kind, scale, part = Marker.SPHERE, (ball, ball, ball), SOLID
            key = CLOSED["constraints"], elements.id(number, part)
            self.markers.append(marker(kind, *key, scale, _COLORS[element.type_name]))

    def write(self, bodies: Bodies, numbers: Floats, actions: NDArray[np.int32]) -> None:
        """Write poses and colours (n, 11), and the actions (n,)."""
        pictures = self._elements.at(bodies)
        for row, number in enumerate(self._numbers):
            found, element = pictures[number], self._elements.all[number]
            color = _COLORS[element.type_name]
            numbers[row] = (*np.zeros(3), *IDENTITY, *color)
            actions[row] = Marker.DELETE if found is None else Marker.ADD
            if found is not None:
                plane = isinstance(element, PointOnPlane)
                numbers[row, :3] = found.begin if plane else found.end
                if plane:
                    turn = x_axis_onto(found.axis_1)
                    numbers[row, 3:7] = turn / np.linalg.norm(turn)
                numbers[row, 7:] = violation_color(color, found.gap)


def _lines(elements: tuple[Element, ...]) -> Iterator[tuple[int, int]]:
    """Yield number and part of the lines that elements have."""
    for number, element in enumerate(elements):
        yield number, LINE
        if isinstance(element, (PointOnCylinder, SkewAxes)):
            yield number, FIRST_AXIS
        if isinstance(element, SkewAxes):
            yield number, SECOND_AXIS
