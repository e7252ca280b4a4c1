"""Closing a mechanism from a guess: a damped Gauss-Newton method on the configurations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

CLOSED = 1e-10
"""Largest residual, m or rad, of a mechanism that is closed."""
_MOST_STEPS = 200
_LARGEST_STEP = 0.5
"""rad or m that a coordinate may move in one step."""
_STALLED = 1e-3
"""Share of the residual that a number of steps must take away."""
_PATIENCE = 20


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
    values = np.full(model.nv, np.nan)
    for joint in model.own_joints:
        for k, place in enumerate(joint.joint.rate_coordinates()):
            if place is not None:
                values[joint.v_index + k] = q[joint.q_index + place]
    return values


def solved_closure(
    model: Model, guess: Floats, fixed: Sequence[int] = (), *, limits: bool = True
) -> tuple[Floats, float]:
    """Return the configuration (nq,) reached from a guess, and its largest residual.

    Each step solves the linearised equations as well as limits allow (`scipy.optimize.lsq_linear`),
    damped by the residual itself as Levenberg and Marquardt do, so that singular configurations
    are passed and redundant equations do no harm.

    Args:
        model: a closed model.
        guess: coordinates (nq,) to begin with.
        fixed: entries of v that stay.
        limits: whether joints are kept within their limits.
    """
    free = np.array([k for k in range(model.nv) if k not in set(fixed)], dtype=np.intp)
    lower, upper = position_bounds(model)
    q = np.array(guess)
    equations = all_equations(model, q, None)
    best = float(np.linalg.norm(equations.residual))
    history = [best]
    damping = 1e-3
    for _ in range(_MOST_STEPS):
        if np.max(np.abs(equations.residual), initial=0.0) < 1e-14 or not len(free):
            break
        step = np.zeros(model.nv)
        box = _box(model, q, lower, upper, limits=limits)
        G = equations.jacobian[:, free]
        step[free] = _step(G, -equations.residual, damping * min(best, 1.0), box, free)
        moved = integrate(model, q, step)
        found = all_equations(model, moved, None)
        size = float(np.linalg.norm(found.residual))
        if np.isfinite(size) and size < best:
            q, equations, best = moved, found, size
            damping = max(0.2 * damping, 1e-9)
        else:
            damping = min(10.0 * max(damping, 1e-9), 1e6)
            if damping >= 1e6 or best < 1e-13:
                break
        history.append(best)
        if len(history) > _PATIENCE and best > (1.0 - _STALLED) * history[-_PATIENCE]:
            break
    return q, float(np.max(np.abs(equations.residual), initial=0.0))


def _box(
    model: Model, q: Floats, lower: Floats, upper: Floats, *, limits: bool
) -> tuple[Floats, Floats]:
    """Return how far each rate's coordinate may move in a step, down and up."""
    largest = np.full(model.nv, _LARGEST_STEP)
    if not limits:
        return -largest, largest
    at = positions_by_rate(model, q)
    down = np.where(np.isfinite(lower), np.minimum(lower - at, 0.0), -np.inf)
    up = np.where(np.isfinite(upper), np.maximum(upper - at, 0.0), np.inf)
    return np.maximum(down, -largest), np.minimum(up, largest)


def _step(
    G: Floats, right: Floats, damping: float, box: tuple[Floats, Floats], free: NDArray[np.intp]
) -> Floats:
    """Return the damped least-squares step within the box."""
    size = np.linalg.norm(G) + 1e-12
    matrix = np.vstack([G, np.sqrt(damping) * size * np.eye(G.shape[1])])
    target = np.concatenate([right, np.zeros(G.shape[1])])
    down, up = box[0][free], box[1][free]
    step: Floats = np.linalg.lstsq(matrix, target, rcond=None)[0]
    if np.all(step >= down) and np.all(step <= up):
        return step
    # lsq_linear wants room between the bounds.
    stuck = up - down < 1e-12
    room = np.where(stuck, 1e-12, 0.0)
    bounded: Floats = lsq_linear(matrix, target, bounds=(down - room, up + room), tol=1e-10).x
    return np.clip(bounded, down, up)
