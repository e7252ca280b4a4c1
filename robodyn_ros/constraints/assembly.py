"""Assembly: configurations in which all constraint elements hold, reached from guesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms.integrate import integrate, random_configuration
from robodyn_ros.constraints.definition import undefined
from robodyn_ros.constraints.failures import failure
from robodyn_ros.constraints.inputs import columns_of_inputs
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.mobility import regular_configuration
from robodyn_ros.constraints.newton import CLOSED, solved_closure
from robodyn_ros.constraints.null_space import null_space
from robodyn_ros.constraints.partition import choose_partition, rank_of
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.errors import ClosureError
from robodyn_ros.model import Model
from robodyn_ros.model.elements import constant

Floats = NDArray[np.float64]

OTHER_GUESSES = 20
_DISTURBANCES = (0.02, 0.3)
"""rad, or share of the mechanism's size, by which a guess that leads nowhere is changed."""
_SEED = 20260101
_STEPS, _STEPS_OF_OTHERS = 200, 60
"""Steps from a guess, and from each further one, at most: a failure is told within seconds."""


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

    Which of several branches is reached depends on the guess. Where it leads nowhere, as when all
    links lie in one line and no step is better than another, the guess is disturbed a little,
    always in the same way.

    Args:
        model: the model; one without constraint elements is closed as it is.
        guess: coordinates (nq,) to begin with.
        inputs: values of coordinates that are given, by coordinate name.
        other_guesses: how many random guesses (always the same) to try after that one.

    Raises:
        ClosureError: it cannot be closed; the text says which element lacks how much, and whether
            inputs or limits prevent it.
        UnknownNameError: no such coordinate.
        ArgumentError: an input that is not finite.
    """
    held = columns_of_inputs(model, {} if inputs is None else inputs)
    best, smallest = closed_from(model, np.array(guess, dtype=np.float64), held, other_guesses)
    if not smallest < CLOSED:
        raise ClosureError(failure(model, best, dict(inputs or {}), held))
    equations = all_equations(model, best, None)
    rank = rank_of(model, equations.jacobian)
    residual = float(np.max(np.abs(equations.residual), initial=0.0))
    return Assembly(best, residual, model.nv - rank, rank)


def closed_from(
    model: Model, guess: Floats, held: Mapping[int, float], other_guesses: int = 0
) -> tuple[Floats, float]:
    """Return the configuration (nq,) that comes nearest to closed, and its residual.

    As `assemble`, with inputs by entry of v; the residual is that of `solved_closure`.
    """
    best, smallest = guess, np.inf
    for k, start in enumerate(_starts(model, guess, other_guesses)):
        steps = _STEPS_OF_OTHERS if k else _STEPS
        q, left = solved_closure(model, start, held, steps=steps)
        if left < CLOSED and undefined(model, q):
            left = np.inf
        if left < smallest or k == 0:
            best, smallest = q, left
        if left < CLOSED:
            break
    return best, smallest


def _starts(model: Model, guess: Floats, others: int) -> Iterator[Floats]:
    """Yield the guess, the same a little disturbed, then random ones."""
    rng = np.random.default_rng(_SEED)
    yield guess
    units = scales_of(model, all_equations(model, guess, None).jacobian).columns
    for size in _DISTURBANCES:
        yield integrate(model, guess, size * units * rng.uniform(-1.0, 1.0, model.nv))
    for _ in range(others):
        yield random_configuration(model, rng)


def assembled_model(model: Model, q: Floats) -> Model:
    """Return the model with a partition chosen at a closed configuration, which it begins with.

    Of a singular one the partition is that of a configuration next to it.

    Rates that it begins with are completed by those that the constraints ask for.
    """
    partition = choose_partition(model, regular_configuration(model, q))
    closure = replace(model.closure, partition=partition)
    v = model.defaults.v
    given = tuple(np.flatnonzero(v).tolist())
    if given:
        v = null_space(model, all_equations(model, q, None).jacobian).led(given, v)
    defaults = replace(model.defaults, q=constant(q), v=constant(v))
    return replace(model, closure=closure, defaults=defaults)
