"""Back onto the constraints: what integration in time has drifted off is taken away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.failures import largest_gap
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.null_space import null_space
from robodyn_ros.errors import ClosureError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

_STEPS = 20
_CLOSED = 1e-13
_OPEN = 1e-8


def projected(model: Model, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Return the closed configuration and the rates that are nearest to q (nq,) and v (nv,).

    Newton's method with steps of least size; neither singular positions nor redundant equations do
    harm. Lengths and angles are compared as in `scaling`.

    Raises:
        ClosureError: it does not close nearby; the text says which element lacks how much.
    """
    equations = all_equations(model, q, None)
    size = float(np.max(np.abs(equations.residual), initial=0.0))
    for _ in range(_STEPS):
        if not _CLOSED < size < np.inf:
            break
        step = null_space(model, equations.jacobian).particular(-equations.residual)
        moved = integrate(model, q, step)
        found = all_equations(model, moved, None)
        left = float(np.max(np.abs(found.residual), initial=0.0))
        if not left < 0.5 * size:  # as near as rounding lets it come
            break
        q, equations, size = moved, found, left
    if not size < _OPEN:
        name, gap, unit = largest_gap(model, q)
        raise ClosureError(
            f"mechanism {quoted(model.name)} has come apart: {quoted(name)} lacks {gap:.3g} {unit}"
        )
    G = equations.jacobian
    return q, v - null_space(model, G).particular(np.asarray(G @ v))
