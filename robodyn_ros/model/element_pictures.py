"""Constraint elements as pictures have them: what they hold together, and how far that is off."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.closure import Element, PointOnCylinder, PointOnPlane, SkewAxes, Weld
from robodyn_ros.model.element_lines import LINED, element_line

Floats = NDArray[np.float64]
Rgba = tuple[float, float, float, float]

VIOLATED = 1e-3
"""m or rad by which an element fails to hold that is shown in full red."""
_RED = np.array([1.0, 0.05, 0.05])
_NOWHERE: Floats = np.zeros(3)


class ElementPicture(NamedTuple):
    """An element in the world.

    Attributes:
        begin: (3,) on body 1, m: an end of the line along which a length is kept, the point of a
            plane nearest to the point that stays in it, or the origin of a loop's first frame.
        end: (3,) on body 2, m: the other end, the point, or the origin of the second frame.
        gap: how far it is from holding, m; of a loop the larger of that and of the angle, rad.
        axis_1: (3,) unit vector on body 1: a plane's normal, a cylinder's axis, the first of skew
            axes; zero for others.
        axis_2: (3,) the second of skew axes; zero for others.
    """

    begin: Floats
    end: Floats
    gap: float
    axis_1: Floats = _NOWHERE
    axis_2: Floats = _NOWHERE


def element_picture(
    element: Element, position: Floats, rotation: Floats, q: Floats | None = None
) -> ElementPicture:
    """Return an element for the poses of all bodies.

    Args:
        element: the element.
        position: (nb, 3) of the bodies, m.
        rotation: (nb, 3, 3) body axes to world axes.
        q: coordinates (nq,), which the length that it keeps may depend on; None for unknown, where
            a gap is told of loops only.
    """
    first, second = element.body_1, element.body_2
    kept = math.nan if q is None else float(element.measure.value(q))
    if isinstance(element, Weld):
        between = rotation[first].T @ rotation[second]
        cosine = min(max(0.5 * (float(np.trace(between)) - 1.0), -1.0), 1.0)
        begin, end = position[first], position[second]
        return ElementPicture(begin, end, max(float(np.linalg.norm(end - begin)), _angle(cosine)))
    if isinstance(element, PointOnPlane):
        normal = _unit(rotation[first] @ element.normal)
        point = position[second] + rotation[second] @ element.point_2
        off = float(normal @ (point - position[first])) - kept
        off = 0.0 if math.isnan(off) else off
        return ElementPicture(point - off * normal, point, abs(off), normal)
    if not isinstance(element, LINED):
        return ElementPicture(position[first], position[second], 0.0)
    begin, end = element_line(element, position, rotation)
    gap = abs(float(np.linalg.norm(end - begin)) - abs(kept))
    gap = 0.0 if math.isnan(gap) else gap
    if isinstance(element, SkewAxes):
        axes = _unit(rotation[first] @ element.axis_1), _unit(rotation[second] @ element.axis_2)
        return ElementPicture(begin, end, gap, *axes)
    if isinstance(element, PointOnCylinder):
        return ElementPicture(begin, end, gap, _unit(rotation[first] @ element.axis_1))
    return ElementPicture(begin, end, gap)


def _unit(vector: Floats) -> Floats:
    """Return a unit vector: axes may be off by what a measured rotation is."""
    unit: Floats = vector / np.linalg.norm(vector)
    return unit


def _angle(cosine: float) -> float:
    """Return an angle; what rounding makes of one that is zero is zero."""
    angle = math.acos(cosine)
    return angle if angle > 1e-7 else 0.0


def violation_color(color: Rgba, gap: float) -> Floats:
    """Return a colour (4,), the redder the farther an element is from holding."""
    share = min(gap / VIOLATED, 1.0)
    found = np.array(color)
    found[:3] += share * (_RED - found[:3])
    return found
