"""Where constraint elements mean nothing: lines that are parallel, formulas without value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import body_motion
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model, SkewAxes

Floats = NDArray[np.float64]

_PARALLEL = 1e-9
"""rad between two lines below which their common normal is lost in rounding."""


def called(model: Model, name: str) -> str:
    """Return an element's kind and name."""
    element = next(e for e in model.closure.elements if e.name == name)
    kind = "loop" if element.rows == 6 else f"{element.type_name} constraint"
    return f"{kind} {quoted(name)}"


def undefined(model: Model, q: Floats) -> str:
    """Return what is not defined at q (nq,), in words; "" where every element is.

    Of formulas the value and the rate are looked at.
    """
    with np.errstate(all="ignore"):
        equations = all_equations(model, q, None)
    finite = np.isfinite(equations.residual) & np.isfinite(equations.jacobian).all(axis=-1)
    for element in model.closure.elements:
        if not np.all(finite[list(model.closure.rows_of(element.name))]):
            return (
                f"{called(model, element.name)} lacks a finite value or rate there; look at its"
                " formula and at those that joints follow"
            )
        if isinstance(element, SkewAxes) and _are_parallel(model, q, element):
            return f"{called(model, element.name)} lacks a distance: its lines are parallel there"
    return ""


def _are_parallel(model: Model, q: Floats, element: SkewAxes) -> bool:
    rotation = body_motion(model, q).rotation
    one = rotation[element.body_1] @ np.asarray(element.axis_1)
    two = rotation[element.body_2] @ np.asarray(element.axis_2)
    return bool(np.linalg.norm(np.cross(one, two)) < _PARALLEL)
