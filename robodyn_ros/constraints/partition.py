"""Which equations are independent, and which coordinates they are best solved for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.jacobian import all_equations
from robodyn_ros.constraints.scaling import scales_of
from robodyn_ros.model import Model, Partition

Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-7
"""Singular values of a Jacobian without units below this share of the largest count as 0."""
_WORTHY = 0.2
"""Share of the largest entry left from which a pivot is taken for its sparse row and column."""
_LOST = 1e-3
"""Share of its size when chosen below which a pivot counts as lost."""


def rank_of(model: Model, G: Floats) -> int:
    """Return the rank of a Jacobian (m, nv) of the model's constraints; see `RANK_TOLERANCE`.

    Equations without a derivative there, by a formula that has no value, do not count.
    """
    return _rank(scales_of(model, G).scaled(G))


def _rank(G: Floats) -> int:
    G = G[np.isfinite(G).all(axis=-1)]
    if 0 in G.shape:
        return 0
    sizes = np.linalg.svd(G, compute_uv=False)
    return int(np.count_nonzero(sizes > RANK_TOLERANCE * float(sizes[0])))


def choose_partition(
    model: Model, q: Floats, independent: Sequence[int] | None = None
) -> Partition:
    """Return independent equations and dependent coordinates at a closed configuration.

    By Gaussian elimination of the Jacobian without units with complete pivoting, in which among
    large pivots one with a sparse row and column is taken. Coordinates wanted as independent are
    eliminated only where the others cannot serve all equations.

    Args:
        model: the model.
        q: coordinates (nq,) in which the mechanism is closed.
        independent: entries of v that shall be independent; by default those that the description
            prefers, then those with a motor.
    """
    wanted = _wanted(model) if independent is None else tuple(independent)
    G = np.array(all_equations(model, q, None).jacobian)
    scales = scales_of(model, G)
    without_units = scales.scaled(G)
    sought = [k for k in range(model.nv) if k not in wanted]
    pivots = _eliminated(without_units, _rank(without_units), sought, list(wanted))
    rows = tuple(row for row, _, _ in pivots)
    dependent = tuple(column for _, column, _ in pivots)
    left = tuple(k for k in range(model.nv) if k not in dependent)
    units = scales.rows[:, None] * scales.columns
    limits = tuple(_LOST * size / float(units[row, column]) for row, column, size in pivots)
    return Partition(rows, dependent, left, limits)


def _wanted(model: Model) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*model.closure.preferred, *model.closure.actuated)))


def _eliminated(
    G: Floats, rank: int, first: Sequence[int], then: Sequence[int]
) -> list[tuple[int, int, float]]:
    """Return row, column and size of each pivot; columns `then` only when `first` are used up."""
    work = G.copy()
    floor = RANK_TOLERANCE * float(np.max(np.abs(G), initial=0.0))
    rows = list(range(len(work)))
    pivots: list[tuple[int, int, float]] = []
    for columns in (list(first), list(then)):
        while columns and rows and len(pivots) < rank:
            block = np.abs(work[np.ix_(rows, columns)])
            largest = float(block.max())
            if largest <= floor:
                break
            worthy = block >= _WORTHY * largest
            full = block > floor
            fill = (full.sum(axis=1) - 1)[:, None] * (full.sum(axis=0) - 1)[None, :]
            cost = np.where(worthy, fill - block / (2.0 * largest), np.inf)
            i, j = np.unravel_index(int(np.argmin(cost)), cost.shape)
            row, column = rows[i], columns[j]
            pivots.append((row, column, float(block[i, j])))
            rows.remove(row)
            columns.remove(column)
            factors = work[rows, column] / work[row, column]
            work[rows] -= factors[:, None] * work[row]
    return pivots
