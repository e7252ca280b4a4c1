"""Constraint elements that keep a length, as the lines along which they keep it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.closure import PointOnCylinder, Rod, SkewAxes

Floats = NDArray[np.float64]
Lined = Rod | PointOnCylinder | SkewAxes
LINED = (Rod, PointOnCylinder, SkewAxes)

_PARALLEL = 1e-9


def element_line(element: Lined, position: Floats, rotation: Floats) -> tuple[Floats, Floats]:
    """Return the ends (3,) of an element's line in the world, m.

    Of a rod from point to point; of a point on a cylinder from the nearest point of the axis; of
    skew axes their common perpendicular.

    Args:
        element: the element.
        position: (nb, 3) of the bodies, m.
        rotation: (nb, 3, 3) body axes to world axes.
    """
    first, second = element.body_1, element.body_2
    begin = position[first] + rotation[first] @ element.point_1
    end = position[second] + rotation[second] @ element.point_2
    if isinstance(element, Rod):
        return begin, end
    axis = rotation[first] @ element.axis_1
    if isinstance(element, PointOnCylinder):
        return begin + (axis @ (end - begin)) * axis, end
    other = rotation[second] @ element.axis_2
    between, cosine = end - begin, float(axis @ other)
    sine = 1.0 - cosine**2
    if sine < _PARALLEL:
        return begin + (axis @ between) * axis, end
    along, beside = float(axis @ between), float(other @ between)
    return (
        begin + (along - cosine * beside) / sine * axis,
        end + (cosine * along - beside) / sine * other,
    )
