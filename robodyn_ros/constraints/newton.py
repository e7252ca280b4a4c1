"""Closing a mechanism from a guess: a damped Gauss-Newton method on the configurations."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.inputs import free_columns, rows_of_inputs, with_inputs
from robodyn_ros.constraints.jacobian import Equations, all_equations
from robodyn_ros.constraints.scaling import Scales, scales_of
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

CLOSED = 1e-10
"""Largest residual of a mechanism that is closed: rad, or share of its own size."""
_DONE = 1e-14
"""A residual that rounding leaves."""
_LARGEST_STEP = 0.5
"""rad, or share of the mechanism's size, that a coordinate may move in one step."""
_STALLED = 5e-3
"""Share of the residual that a number of steps must take away."""
_PATIENCE = 12
_LEVEL = 1e-4
"""Share of the steepest slope of the residual below which it counts as level."""
_FAR = 1e-4
"""A residual below it is on its way to 0, however level: that of a dead centre is."""
_LEAST_DAMPING = 1e-13
"""Share of the Jacobian's square; it keeps redundant equations solvable."""
_FIRM = 1e3
"""Weight of an input against an equation."""


def position_bounds(model: Model) -> tuple[Floats, Floats]:
    """Return the lowest and highest value (nv,) of each rate's coordinate, infinite without one."""
    lower, upper = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    for joint in model.own_joints:
        for k, limits in enumerate(joint.rate_limits):
            if joint.joint.rate_coordinates()[k] is None or joint.joint.type_name == "continuous":
                continue
            at = joint.v_index + k
            lower[at] = -np.inf if limits.lower is None else limits.lower
            upper[at] = np.inf if limits.upper is None else limits.upper
    return lower, upper


def positions_by_rate(model: Model, q: Floats) -> Floats:
    """Return (nv,) the coordinate that goes by each rate's name; NaN for turns of a quaternion."""
    places = model.rate_places
    return np.where(places < 0, np.nan, q[places])


def solved_closure(
    model: Model,
    guess: Floats,
    inputs: Mapping[int, float] | None = None,
    *,
    limits: bool = True,
    steps: int = 200,
) -> tuple[Floats, float]:
    """Return the configuration (nq,) reached from a guess, and its largest residual.

    Each step solves the linearised equations in the least-squares sense, damped by the residual
    itself as Levenberg and Marquardt do, so that singular configurations are passed and redundant
    equations do no harm. Lengths and angles are compared as in `scaling`, and so is the residual
    that is returned: rad, or lengths as a share of the mechanism's size.

    Args:
        model: a closed model.
        guess: coordinates (nq,) to begin with.
        inputs: values that coordinates are held at, by entry of v.
        limits: whether joints are kept within their limits.
        steps: how many are made at most.
    """
    held = dict(inputs or {})
    q = with_inputs(model, _within_limits(model, guess) if limits else np.array(guess), held)
    equations = all_equations(model, q, None)
    scales = scales_of(model, equations.jacobian)
    solver = _Solver(model, held, scales, limits=limits)
    best = solver.size(equations)
    history = [best]
    damping = 1e-3
    for _ in range(steps):
        if np.max(np.abs(scales.rows * equations.residual), initial=0.0) < _DONE:
            break
        moved = solver.moved(q, equations, damping * min(best, 1.0))
        found = all_equations(model, moved, None)
        size = solver.size(found)
        if np.isfinite(size) and size < best:
            q, equations, best = moved, found, size
            damping = max(0.2 * damping, 1e-9)
        else:
            damping = min(10.0 * max(damping, 1e-9), 1e6)
            if damping >= 1e6 or best < 1e-13:
                break
        history.append(best)
        if best > _FAR and solver.is_stationary(equations):
            break
        if len(history) > _PATIENCE and best > (1.0 - _STALLED) * history[-_PATIENCE]:
            break
    return q, float(np.max(np.abs(scales.rows * equations.residual), initial=0.0))


def _within_limits(model: Model, q: Floats) -> Floats:
    """Return q (nq,) with the coordinates beyond their limits put onto them."""
    (lower, upper), at = position_bounds(model), positions_by_rate(model, q)
    outside = (at < lower) | (at > upper)
    nearest = np.clip(at, lower, np.maximum(lower, upper))
    return with_inputs(model, q, {int(k): float(nearest[k]) for k in np.flatnonzero(outside)})


class _Solver:
    """Steps of a model whose inputs are held, in coordinates without units."""

    def __init__(
        self, model: Model, held: Mapping[int, float], scales: Scales, *, limits: bool
    ) -> None:
        self._model = model
        self._held = held
        self._scales = scales
        self._free = np.array(free_columns(model, held), dtype=np.intp)
        bounds = position_bounds(model) if limits else (np.full(0, np.inf),) * 2
        self._bounds = bounds
        self._limited = bool(np.any(np.isfinite(np.concatenate(bounds))))

    def size(self, equations: Equations) -> float:
        """Return the norm of the residual."""
        return float(np.linalg.norm(self._scales.rows * equations.residual))

    def is_stationary(self, equations: Equations) -> bool:
        """Return whether no motion takes anything of the residual away, to first order."""
        G = self._scales.scaled(equations.jacobian)[:, self._free]
        right = self._scales.rows * equations.residual
        slope = float(np.linalg.norm(G.T @ right))
        return slope <= _LEVEL * float(np.linalg.norm(G)) * float(np.linalg.norm(right))

    def moved(self, q: Floats, equations: Equations, damping: float) -> Floats:
        """Return the configuration after a damped step towards the equations' zero."""
        free, units = self._free, self._scales.columns
        G = self._scales.scaled(equations.jacobian)
        right = -self._scales.rows * equations.residual
        firm, wanted = rows_of_inputs(self._model, q, self._held)
        G = np.vstack([G, _FIRM * firm * units])[:, free]
        right = np.concatenate([right, _FIRM * wanted])
        size = float(np.sum(G * G)) + 1e-24
        square = G.T @ G + max(damping, _LEAST_DAMPING) * size * np.eye(len(free))
        slope = G.T @ right
        step: Floats = np.asarray(np.linalg.solve(square, slope), dtype=np.float64)
        step *= min(1.0, _LARGEST_STEP / max(float(np.max(np.abs(step), initial=0.0)), 1e-300))
        if self._limited:
            step = self._bounded(q, square, slope, step)
        whole = np.zeros(self._model.nv)
        whole[free] = step * units[free]
        return with_inputs(self._model, integrate(self._model, q, whole), self._held)

    def _bounded(self, q: Floats, square: Floats, slope: Floats, step: Floats) -> Floats:
        """Return the step with what leaves its limits held there, and the others solved anew."""
        down, up = self._room(q)
        stopped = np.zeros(len(step), dtype=np.bool_)
        for _ in range(len(step)):
            beyond = ((step < down) | (step > up)) & ~stopped
            if not np.any(beyond):
                break
            stopped |= beyond
            step = np.clip(step, down, up)
            moving = ~stopped
            if not np.any(moving):
                break
            known = square[np.ix_(moving, stopped)] @ step[stopped]
            step[moving] = np.linalg.solve(square[np.ix_(moving, moving)], slope[moving] - known)
        return np.clip(step, np.maximum(down, -_LARGEST_STEP), np.minimum(up, _LARGEST_STEP))

    def _room(self, q: Floats) -> tuple[Floats, Floats]:
        """Return how far each free coordinate may move, down and up, without units."""
        lower, upper = self._bounds
        at = positions_by_rate(self._model, q)
        down = np.where(np.isfinite(lower), np.minimum(lower - at, 0.0), -np.inf)
        up = np.where(np.isfinite(upper), np.maximum(upper - at, 0.0), np.inf)
        units = self._scales.columns
        return (down / units)[self._free], (up / units)[self._free]
