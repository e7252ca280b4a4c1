"""How many ways a mechanism can move: at one configuration, and near it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.integrate import difference, integrate
from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.newton import CLOSED, solved_closure
from robodyn_ros.constraints.null_space import null_space
from robodyn_ros.constraints.partition import rank_of
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

_STEP = 0.03
"""rad, or share of the mechanism's size: near, yet far enough to tell other ranks there."""
_MOVED = 0.3
"""Share of a step that is left of it, once closed, where the mechanism can move that way."""
_MORE_DIRECTIONS = 4
_SEED = 20260102


class Mobility(NamedTuple):
    """Ranks and mobilities.

    Attributes:
        rank: independent equations at the configuration.
        momentary: mobility there, by the Jacobian: nv - rank.
        finite: mobility in the configurations next to it; 0 where there are none.
        rank_nearby: independent equations there; `rank` where there are none.
        rank_open: independent equations where the mechanism is taken apart: what the axes of its
            joints alone make redundant is redundant there too.
    """

    rank: int
    momentary: int
    finite: int
    rank_nearby: int
    rank_open: int


def mobility_at(model: Model, q: Floats) -> Mobility:
    """Return the mobility at a closed configuration q (nq,) and near it."""
    rank = rank_of(model, all_equations(model, q, None).jacobian)
    nearby = [rank_of(model, all_equations(model, at, None).jacobian) for at in _nearby(model, q)]
    highest = max(nearby, default=rank)
    finite = model.nv - highest if nearby else 0
    opened = max(_rank_open(model, q), highest)
    return Mobility(rank, model.nv - rank, finite, highest, opened)


def regular_configuration(model: Model, q: Floats) -> Floats:
    """Return q (nq,), or near a singular one a closed configuration of higher rank.

    Equations chosen at a singular position, as where all links of a parallelogram lie in one line,
    are too few everywhere else.
    """
    equations = all_equations(model, q, None)
    rank = rank_of(model, equations.jacobian)
    most = min(equations.jacobian.shape)
    if rank < most:
        most = min(most, _rank_open(model, q))
    if rank >= most:
        return q
    regular = q
    for at in _nearby(model, q):
        found = rank_of(model, all_equations(model, at, None).jacobian)
        if found > rank:
            regular, rank = at, found
        if rank >= most:
            break
    return regular


def _nearby(model: Model, q: Floats) -> Iterator[Floats]:
    """Yield closed configurations (nq,) next to a closed one.

    Steps are made in directions that the equations allow to first order; where the mechanism,
    closed again, has not moved, it was a motion of first order only.
    """
    space = null_space(model, all_equations(model, q, None).jacobian)
    momentary = int(space.mobility)
    units, motions = space.scales.columns, space.vectors[:, space.free]
    directions = list(np.eye(momentary))
    if momentary > 1:
        rng = np.random.default_rng(_SEED)
        directions += list(rng.normal(size=(_MORE_DIRECTIONS, momentary)))
    for share in directions:
        direction = motions @ share
        step = _STEP * direction / np.max(np.abs(direction))
        moved, left = solved_closure(model, integrate(model, q, units * step), limits=False)
        went = float(np.max(np.abs(difference(model, q, moved) / units)))
        if left < CLOSED and went > _MOVED * _STEP:
            yield moved


def _rank_open(model: Model, q: Floats) -> int:
    """Return the rank where the mechanism is taken apart."""
    units = scales_of(model, all_equations(model, q, None).jacobian).columns
    rng = np.random.default_rng(_SEED)
    apart = integrate(model, q, units * rng.uniform(-0.5, 0.5, model.nv))
    return rank_of(model, all_equations(model, apart, None).jacobian)
