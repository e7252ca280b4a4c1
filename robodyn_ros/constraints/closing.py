"""Closed configurations near guesses, by a fixed number of steps: for kernels and batches."""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.constraints.elimination import eliminated, partition_of
from robodyn_ros.constraints.jacobian import all_equations, jacobian
from robodyn_ros.constraints.newton import position_bounds
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.kernels.scalar import less, less_equal, where
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, sqrt

STEPS = 3
"""Newton steps of one run; another step with the last one's equations comes after them.

From 0.05 rad away they leave about 1e-3, 1e-6, 1e-11, and the last 1e-16.
"""
NEAR = 0.5
"""rad, or share of the mechanism's size, that a coordinate may go on the way: farther away another
branch may be nearer."""
_SLACK = 1e-9
"""rad or m that rounding may lie beyond a limit."""


def closed_nearby(model: Model, q: Array) -> tuple[Array, Array]:
    """Return coordinates (..., nq) after steps of the dependent ones, and what is left (...).

    The independent coordinates stay as they are.

    Args:
        model: a closed model with a partition.
        q: coordinates (..., nq) near a configuration in which it is closed.

    Returns:
        q; and the norm of the residual in rad or shares of the mechanism's size, 1 or more where
        the independent coordinates do not determine the others, where these would go farther than
        `NEAR`, or beyond their limits.
    """
    partition = partition_of(model)
    rows = list(partition.rows)
    scales = scales_of(model, np.asarray(jacobian(model, model.defaults.q)))
    travelled: Array = np.zeros(model.nv)
    lost: Array = np.zeros(())
    for _ in range(STEPS):
        equations = all_equations(model, q, None, closed=True)
        elimination = eliminated(equations, partition)
        lost = lost + elimination.verdict
        step = elimination.dependent(-equations.residual[..., rows])
        q, travelled = integrate(model, q, step), travelled + abs(step)
    step = elimination.dependent(-all_equations(model, q, None, closed=True).residual[..., rows])
    q, travelled = integrate(model, q, step), (travelled + abs(step)) / scales.columns
    left = scales.rows * all_equations(model, q, None, closed=True).residual
    size = sqrt((left * left).sum(axis=-1))
    for column in partition.dependent:
        lost = lost + where(less_equal(travelled[..., column], NEAR), 0.0, 1.0)
    return q, size + lost + _beyond_limits(model, q)


def _beyond_limits(model: Model, q: Array) -> Array:
    """Return how many coordinates (...) are beyond their limits."""
    lower, upper = position_bounds(model)
    number: Array = np.zeros(())
    for joint in model.own_joints:
        for k, place in enumerate(joint.joint.rate_coordinates()):
            if place is None:
                continue
            at = q[..., joint.q_index + place]
            for bound, sign in ((lower, 1.0), (upper, -1.0)):
                limit = float(bound[joint.v_index + k])
                if np.isfinite(limit):
                    number = number + where(less(sign * (at - limit), -_SLACK), 1.0, 0.0)
    return number
