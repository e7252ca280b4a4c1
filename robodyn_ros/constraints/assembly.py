"""Assembly: configurations in which all constraint elements hold, reached from guesses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms.integrate import random_configuration
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.newton import CLOSED, position_bounds, solved_closure
from robodyn_ros.constraints.partition import choose_partition, rank_of
from robodyn_ros.errors import ClosureError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

OTHER_GUESSES = 60
_SEED = 20260101


@dataclass(frozen=True)
class Assembly:
    """A mechanism that was closed.

    Attributes:
        q: coordinates (nq,).
        residual: the largest residual that is left, m or rad.
        mobility: coordinates that can move independently of each other at q.
        rank: independent equations at q.
    """

    q: Floats
    residual: float
    mobility: int
    rank: int


def assemble(
    model: Model,
    guess: ArrayLike,
    inputs: Mapping[str, float] | None = None,
    *,
    other_guesses: int = 0,
) -> Assembly:
    """Return the closed configuration that is reached from a guess.

    Which of several branches is reached depends on the guess.

    Args:
        model: the model; one without constraint elements is closed as it is.
        guess: coordinates (nq,) to begin with.
        inputs: values of coordinates that are given, by coordinate name.
        other_guesses: how many random guesses (always the same) to try after that one.

    Raises:
        ClosureError: it cannot be closed; the text says which element lacks how much.
        UnknownNameError: no such coordinate.
    """
    start = np.array(guess, dtype=np.float64)
    given = dict(inputs or {})
    fixed = [_column(model, name) for name in given]
    start = _with_inputs(model, start, fixed, list(given.values()))
    best, smallest = start, np.inf
    rng = np.random.default_rng(_SEED)
    for attempt in range(1 + other_guesses):
        if attempt:
            start = random_configuration(model, rng)
            start = _with_inputs(model, start, fixed, list(given.values()))
        q, left = solved_closure(model, start, fixed)
        if left < smallest:
            best, smallest = q, left
        if left < CLOSED:
            break
    if not smallest < CLOSED:
        raise ClosureError(_failure(model, best, given))
    rank = rank_of(model, all_equations(model, best, None).jacobian)
    return Assembly(best, smallest, model.nv - rank, rank)


def assembled_model(model: Model, q: Floats) -> Model:
    """Return the model with a partition chosen at a closed configuration, which it begins with."""
    closure = replace(model.closure, partition=choose_partition(model, q))
    start = np.array(q)
    start.setflags(write=False)
    return replace(model, closure=closure, defaults=replace(model.defaults, q=start))


def _column(model: Model, name: str) -> int:
    """Return the entry of v of a coordinate that can be given as a number."""
    names = model.coordinate_names
    if name not in names:
        raise UnknownNameError.among("coordinate", name, names)
    k = names.index(name)
    joint = next(j for j in model.own_joints if k < j.v_index + j.joint.nv)
    if joint.joint.rate_coordinates()[k - joint.v_index] is None:
        raise UnknownNameError(
            f"coordinate {quoted(name)} is a turn of a quaternion and cannot be given alone; put"
            " it into the guess"
        )
    return k


def _with_inputs(model: Model, q: Floats, columns: list[int], values: list[float]) -> Floats:
    """Return q with the coordinates behind entries of v set to values."""
    q = q.copy()
    for joint in model.own_joints:
        for k, place in enumerate(joint.joint.rate_coordinates()):
            if joint.v_index + k in columns and place is not None:
                q[joint.q_index + place] = values[columns.index(joint.v_index + k)]
    return q


def largest_gap(model: Model, q: Floats) -> tuple[str, float, str]:
    """Return the element with the largest residual, its size, and its unit."""
    values = np.abs(all_equations(model, q, None).residual)
    row = int(np.argmax(values))
    begin = 0
    for element in model.closure.elements:
        if row < begin + element.rows:
            turns = element.rows == 6 and row - begin < 3
            return element.name, float(values[row]), "rad" if turns else "m"
        begin += element.rows
    raise AssertionError(f"no element has row {row}")


def _failure(model: Model, q: Floats, given: Mapping[str, float]) -> str:
    name, gap, unit = largest_gap(model, q)
    element = next(e for e in model.closure.elements if e.name == name)
    kind = "loop" if element.rows == 6 else f"{element.type_name} constraint"
    lower, upper = position_bounds(model)
    limited = bool(np.any(np.isfinite(lower)) or np.any(np.isfinite(upper)))
    inputs = ", ".join(f"{key} = {value:g}" for key, value in given.items())
    at = f" at {inputs}" if inputs else ""
    within = " within the joints' limits" if limited else ""
    return (
        f"mechanism {quoted(model.name)} cannot be closed{at}{within}: {kind} {quoted(name)} lacks"
        f" {gap:.3g} {unit}; correct lengths or placements, or begin nearer to a closed state"
        " (initial_position)"
    )
