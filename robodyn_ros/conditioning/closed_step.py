"""The part of `state_step` that closes a mechanism: dependent coordinates from the measured ones.

A fixed number of Newton steps from the last closed configuration, then rates and accelerations; one
source for plain functions and kernels. What does not close, or would jump far, is not taken: the
caller is told, and closes the mechanism by other means, or keeps what was good.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.integrate import integrate
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.constraints.elimination import Elimination, eliminated, partition_of
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.scaling import control_rates, turn_equations, turning_rates
from robodyn_ros.kernels.scalar import greater, is_symbolic, less_equal, maximum, minimum, where
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array

NEWTON_STEPS = 4
"""Each doubles the digits: from 0.1 rad off it takes four to reach what rounding leaves."""
MARGIN = 1e9
"""Quotient of a pivot and its limit beyond which nobody asks by how much."""
CLOSED = 1e-10
"""Residual of a mechanism that is closed: rad, or share of its size."""
_ROUNDING = 1e-14
FAR = 0.5
"""rad, or share of its size, that a dependent coordinate may move from one message to the next.
Farther, Newton's method may end on another branch."""

CLOSURE = ("residual", "lost", "pivot", "step")
"""What is told of a closure: the sum of the residuals left, rad or shares of the mechanism's size;
how many pivots were lost; by how much the smallest pivot is above its limit, as a factor; how far a
dependent coordinate moved at most, rad or a share of the size."""


class ClosedMotion(NamedTuple):
    """A configuration that closes, and its rates and accelerations; or the last ones, unclosed."""

    q: Array
    v: Array
    a: Array
    closure: Array


def is_closed_by(closure: NDArray[np.float64]) -> bool:
    """Return whether a message's closure (4,), see `CLOSURE`, was taken."""
    residual, lost, _, step = closure.tolist()
    return bool(residual <= CLOSED and lost == 0.0 and step <= FAR)


def independent_slots(model: Model) -> list[int]:
    """Return which of the `told_coordinates` of a closed mechanism the others follow from."""
    independent = set(partition_of(model).independent)
    return [slot for slot, one in enumerate(told_coordinates(model)) if one.v in independent]


def mechanism_size(model: Model) -> float:
    """Return the largest distance in the description of a mechanism, m; 1 where it has none."""
    sizes = [float(np.linalg.norm(joint.position)) for _, joint in model.moving]
    for element in model.closure.elements:
        ends = (getattr(element, name, np.zeros(3)) for name in ("point_1", "point_2"))
        sizes += [float(np.linalg.norm(end)) for end in ends]
        sizes.append(abs(element.measure.constant))
    return max(sizes, default=0.0) or 1.0


def closed_motion(model: Model, q: Array, v: Array, a: Array) -> ClosedMotion:
    """Return the motion of all coordinates; of v and a the independent entries count.

    Where it does not close, the dependent coordinates stay as they are, and stand still.

    Args:
        model: A closed mechanism with a partition.
        q: Coordinates (nq,): the independent ones as measured, the others as they were last.
        v: Rates (nv,).
        a: Accelerations (nv,).
    """
    partition = partition_of(model)
    units = _units(model)
    moved = q
    travelled: Array = np.zeros(model.nv)
    lost: Array = np.zeros(())
    for _ in range(NEWTON_STEPS):
        equations = all_equations(model, moved, None, closed=True)
        if not is_symbolic(moved) and _is_rounding(equations.residual):
            break  # what is left to do changes nothing; a kernel does it all the same
        elimination = eliminated(equations, partition)
        step = elimination.dependent(-equations.residual[list(partition.rows)])
        moved = integrate(model, moved, step)
        travelled = travelled + abs(step) * units.columns
        lost = lost + elimination.verdict
    else:
        equations = all_equations(model, moved, None, closed=True)
    elimination = eliminated(equations, partition)
    rates = elimination.rates(v)
    bias = all_equations(model, moved, rates, closed=True).bias
    accelerations = elimination.accelerations(a, bias)
    closure = np.stack(
        [
            # A sum: unlike the largest, it is not a number where one of them is not.
            (abs(equations.residual) * units.rows).sum(),
            lost + elimination.verdict,
            _smallest_pivot(elimination),
            _largest(travelled),
        ]
    )
    good = (
        less_equal(closure[0], CLOSED) * less_equal(closure[1], 0.5) * less_equal(closure[3], FAR)
    )
    known = np.zeros(model.nv)
    known[list(partition.independent)] = 1.0
    taken = greater(good, 0.5)
    return ClosedMotion(
        where(taken, moved, q),
        where(taken, rates, known * v),
        where(taken, accelerations, known * a),
        closure,
    )


def _is_rounding(residual: Array) -> bool:
    return bool(np.abs(residual).sum() < _ROUNDING)


class _Units(NamedTuple):
    """What takes units out: rows (m,) 1/m or 1, columns (nv,) 1/m, or 1 of turns and controls."""

    rows: NDArray[np.float64]
    columns: NDArray[np.float64]


def _units(model: Model) -> _Units:
    per_length = 1.0 / mechanism_size(model)
    slides = ~turning_rates(model) & ~control_rates(model)
    return _Units(
        np.where(turn_equations(model), 1.0, per_length), np.where(slides, per_length, 1.0)
    )


def _largest(values: Array) -> Array:
    """Return the largest of (n,) numbers that are not negative."""
    largest: Array = np.zeros(())
    for value in values:
        largest = maximum(largest, value)
    return np.asarray(largest)


def _smallest_pivot(elimination: Elimination) -> Array:
    """Return the smallest quotient of a pivot and its limit; see `Partition.limits`."""
    smallest: Array = np.asarray(MARGIN)
    limits = elimination.partition.limits
    for inverse, limit in zip(elimination.factors.inverses, limits, strict=True):
        smallest = minimum(smallest, 1.0 / (abs(inverse) * limit))
    return np.asarray(smallest)
