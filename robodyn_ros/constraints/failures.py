"""What to say of a mechanism that cannot be closed: which element, how far, what prevents it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.definition import called, undefined
from robodyn_ros.constraints.inputs import with_inputs
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.newton import (
    CLOSED,
    position_bounds,
    positions_by_rate,
    solved_closure,
)
from robodyn_ros.constraints.null_space import motions_of
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.errors import ClosureError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

_OPEN = 1e-6
"""Largest residual of what counts as closed: rad, or share of the mechanism's size."""
_FELT = 1e-6
"""Share of a motion from which a coordinate counts as moved by it."""
_BEYOND = 1e-6
"""rad or m beyond its limit from which a joint is named."""


def require_closed_at(model: Model, q: Floats) -> None:
    """Raise ClosureError where the mechanism is not closed at q (nq,)."""
    lost = undefined(model, q)
    if lost:
        raise ClosureError(f"mechanism {quoted(model.name)} is not closed: {lost}")
    equations = all_equations(model, q, None)
    scales = scales_of(model, equations.jacobian)
    if not np.max(np.abs(scales.rows * equations.residual), initial=0.0) <= _OPEN:
        name, gap, unit = largest_gap(model, q)
        raise ClosureError(
            f"mechanism {quoted(model.name)} is not closed at this configuration:"
            f" {called(model, name)} lacks {gap:.3g} {unit}; close it first, with assemble"
        )


def largest_gap(model: Model, q: Floats) -> tuple[str, float, str]:
    """Return the element with the largest residual, its size, and its unit.

    Lengths and angles are compared as in `scaling`.
    """
    equations = all_equations(model, q, None)
    values = np.abs(equations.residual)
    row = int(np.argmax(scales_of(model, equations.jacobian).rows * values))
    begin = 0
    for element in model.closure.elements:
        if row < begin + element.rows:
            turns = element.rows == 6 and row - begin < 3
            return element.name, float(values[row]), "rad" if turns else "m"
        begin += element.rows
    raise AssertionError(f"no element has row {row}")


def failure(model: Model, q: Floats, inputs: Mapping[str, float], held: Mapping[int, float]) -> str:
    """Return why a mechanism cannot be closed; q (nq,) is as near as it came.

    Args:
        model: the model.
        q: coordinates.
        inputs: the values that were given, by coordinate name.
        held: the same by entry of v.
    """
    name, gap, unit = largest_gap(model, q)
    given = ", ".join(f"{key} = {value:g}" for key, value in inputs.items())
    at = f" at {given}" if given else ""
    lost = undefined(model, with_inputs(model, q, held))
    if lost:
        return f"mechanism {quoted(model.name)} cannot be closed{at}: {lost}"
    told = (
        f"mechanism {quoted(model.name)} cannot be closed{at}: {called(model, name)} lacks"
        f" {gap:.3g} {unit}"
    )
    return f"{told}; {_prevented(model, q, held)}"


def _prevented(model: Model, q: Floats, held: Mapping[int, float]) -> str:
    """Return what prevents closing, and what to do."""
    if held:
        free, left = solved_closure(model, q)
        if left < CLOSED:
            motions = motions_of(model, free)[list(held)]
            reach = int(np.linalg.matrix_rank(motions, tol=_FELT)) if motions.size else 0
            if len(held) > reach:
                return (
                    f"it closes without these values: they contradict each other, as"
                    f" only {reach} of the {len(held)} can be given; leave some out"
                )
            return (
                "it closes without these values: they are out of its reach, or to be reached from"
                " another guess"
            )
    beyond = _beyond_limits(model, q, held)
    if beyond:
        return f"it would close with {beyond}; widen the range, or begin on another branch"
    return "correct lengths or placements, or begin nearer to a closed state (initial_position)"


def _beyond_limits(model: Model, q: Floats, held: Mapping[int, float]) -> str:
    """Return which joints leave their limits where it closes without them; else nothing."""
    lower, upper = position_bounds(model)
    if not np.any(np.isfinite([lower, upper])):
        return ""
    free, left = solved_closure(model, q, held, limits=False)
    if not left < CLOSED:
        return ""
    at = positions_by_rate(model, free)
    found = []
    for k, name in enumerate(model.coordinate_names):
        if at[k] > upper[k] + _BEYOND:
            found.append(f"{quoted(name)} at {at[k]:.4g}, above its limit {upper[k]:.4g}")
        elif at[k] < lower[k] - _BEYOND:
            found.append(f"{quoted(name)} at {at[k]:.4g}, below its limit {lower[k]:.4g}")
    return " and ".join(found)
