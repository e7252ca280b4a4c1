"""Constraint elements as strokes between two bodies, for pictures: rods, planes, lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import BodyMotion, body_motion
from robodyn_ros.model import Model
from robodyn_ros.model.closure import Element, PointOnCylinder, PointOnPlane, Rod, SkewAxes
from robodyn_ros.model.elements import constant

Floats = NDArray[np.float64]

_PATCH = 0.07
"""Half the side of a plane's patch and half the length of a line, of the mechanism's size."""
_RING = 12
"""Sides of the polygon that stands for a cylinder."""
_SMALLEST = 1e-3
"""Size of a mechanism, in m, whose bodies all have their origins in one place."""


class End(NamedTuple):
    """A point (3,) fixed in a body, in its axes, m."""

    body: int
    point: Floats


class Stroke(NamedTuple):
    """A line of a constraint element.

    Attributes:
        begin: its first end.
        end: its second end.
        name: the element's.
        carried: whether both ends are points that their bodies hold, as of a rod.
    """

    begin: End
    end: End
    name: str
    carried: bool = False


def strokes(model: Model) -> tuple[Stroke, ...]:
    """Return what stands for the constraint elements of a model.

    A rod is a line from point to point; a plane is a square about the place where its point is in
    the initial state, a cylinder its axis and a polygon there, and skew axes are two lines.
    """
    if not model.is_closed:
        return ()
    motion = body_motion(model, np.asarray(model.defaults.q))
    size = max(float(np.max(np.ptp(motion.position, axis=0), initial=0.0)), _SMALLEST)
    found: list[Stroke] = []
    for element in model.closure.elements:
        found += _strokes_of(element, motion, _PATCH * size)
    return tuple(found)


def _strokes_of(element: Element, motion: BodyMotion, half: float) -> Iterator[Stroke]:
    """Yield the strokes of one element; a loop has none."""
    first, second = element.body_1, element.body_2
    if isinstance(element, Rod):
        ends = End(first, element.point_1), End(second, element.point_2)
        yield Stroke(*ends, element.name, carried=True)
    elif isinstance(element, PointOnPlane):
        there = _seen_from(motion, first, second, element.point_2)
        across = _across(element.normal)
        corners = [there + half * (x * across[0] + y * across[1]) for x, y in _SQUARE]
        yield from _closed(first, corners, element.name)
        yield _touching(second, element.point_2, element.name)
    elif isinstance(element, PointOnCylinder):
        there = _seen_from(motion, first, second, element.point_2)
        axis = element.axis_1
        foot = element.point_1 + axis * (axis @ (there - element.point_1))
        radius = float(np.linalg.norm(there - foot))
        angles = 2.0 * np.pi * np.arange(_RING) / _RING
        e, f = _across(axis)
        ring = [foot + radius * (np.cos(t) * e + np.sin(t) * f) for t in angles]
        yield from _closed(first, ring, element.name)
        yield _line(first, foot, half * axis, element.name)
        yield _touching(second, element.point_2, element.name)
    elif isinstance(element, SkewAxes):
        yield _line(first, element.point_1, 2.0 * half * element.axis_1, element.name)
        yield _line(second, element.point_2, 2.0 * half * element.axis_2, element.name)


_SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def _seen_from(motion: BodyMotion, first: int, second: int, point: Floats) -> Floats:
    """Return a point of the second body in the first body's frame."""
    world = motion.position[second] + motion.rotation[second] @ point
    seen: Floats = motion.rotation[first].T @ (world - motion.position[first])
    return seen


def _across(axis: Floats) -> tuple[Floats, Floats]:
    """Return two unit vectors at right angles to an axis and to each other."""
    e = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    e = e / np.linalg.norm(e)
    return e, np.cross(axis, e)


def _closed(body: int, corners: list[Floats], name: str) -> Iterator[Stroke]:
    """Yield the sides of a polygon that is fixed in a body."""
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        yield Stroke(End(body, constant(begin)), End(body, constant(end)), name)


def _line(body: int, middle: Floats, reach: Floats, name: str) -> Stroke:
    ends = End(body, constant(middle - reach)), End(body, constant(middle + reach))
    return Stroke(*ends, name)


def _touching(body: int, point: Floats, name: str) -> Stroke:
    """Return a stroke without length where a body touches: the body's line leads to it."""
    return Stroke(End(body, point), End(body, point), name, carried=True)
