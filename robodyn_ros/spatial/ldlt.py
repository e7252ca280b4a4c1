"""Symmetric matrices: the factorisation M = L^T D L, from the last row to the first.

Eliminating leaf to root keeps the zeros of a tree's mass matrix: an entry of L is zero wherever
the two rates are on different branches, and zeros that a trace knows cost nothing. No pivoting, no
branch on values; a pivot that is too small is replaced by 1 and reported, so that nothing is ever
infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from robodyn_ros.kernels.scalar import less_equal, where
from robodyn_ros.spatial.arrays import Array
from robodyn_ros.spatial.rotations import transpose


class Factors(NamedTuple):
    """M = L^T D L with a unit lower triangular L.

    Attributes:
        rows: rows[k] (..., k) is row k of L left of the diagonal.
        pivots: (...) D's entries, those that were lost as they came out.
        inverses: (...) their inverses, 1 for a lost one.
        lost: (...) 1.0 for each pivot not above its limit, else 0.0.
    """

    rows: tuple[Array, ...]
    pivots: tuple[Array, ...]
    inverses: tuple[Array, ...]
    lost: tuple[Array, ...]

    @property
    def verdict(self) -> Array:
        """The number (...) of lost pivots: 0.0 where M is safely positive definite."""
        return total(self.lost)


def total(numbers: tuple[Array, ...]) -> Array:
    """Return the sum (...) of numbers (...), 0.0 for none."""
    return sum(numbers[1:], start=numbers[0]) if numbers else np.zeros(())


def mirrored(matrix: Array) -> Array:
    """Return the symmetric matrix (..., n, n) with the upper triangle of `matrix`.

    In a trace what only the lower triangle needed is never computed.
    """
    i, j = np.indices(matrix.shape[-2:])
    symmetric: Array = matrix[..., np.minimum(i, j), np.maximum(i, j)]
    return symmetric


def safe_inverse(pivot: Array, limit: Array | float) -> tuple[Array, Array]:
    """Return 1 / pivot (...) and 0.0; where pivot <= limit, which is not negative, both are 1.0.

    The inverse is positive. Its absolute value says nothing new, but keeps CasADi from turning
    every product with it into a division of its own.
    """
    gone = less_equal(pivot, limit)
    return abs(1.0 / where(gone, 1.0, pivot)), where(gone, 1.0, 0.0)


def ltdl(matrix: Array, limits: Array | Sequence[Array]) -> Factors:
    """Return the factors of a symmetric matrix (..., n, n), of which the lower triangle counts.

    Args:
        matrix: positive definite, or singular.
        limits: n of them, not negative; a pivot counts as lost where it is not above its limit.

    Source: Featherstone 2008, table 6.3.
    """
    steps: list[tuple[Array, ...]] = []
    for k in reversed(range(matrix.shape[-1])):
        pivot, row = matrix[..., k, k], matrix[..., k, :k]
        inverse, gone = safe_inverse(pivot, limits[k])
        scaled = row * np.asarray(inverse)[..., None]
        matrix = matrix[..., :k, :k] - row[..., :, None] * scaled[..., None, :]
        steps.append((scaled, np.asarray(pivot), np.asarray(inverse), np.asarray(gone)))
    if not steps:
        return Factors((), (), (), ())
    return Factors(*zip(*reversed(steps), strict=True))


def solved(factors: Factors, right: Array) -> Array:
    """Return M^-1 B (..., n, m) for right-hand sides B (..., n, m).

    Source: Featherstone 2008, table 6.5.
    """
    values: list[Array] = []
    swept = swept_inward(factors, right)
    for k, row in enumerate(factors.rows):
        inner = (row[..., i, None] * known for i, known in enumerate(values))
        values.append(swept[..., k, :] - sum(inner, start=np.zeros(())))
    return np.stack(values, axis=-2) if values else right


def swept_inward(factors: Factors, right: Array) -> Array:
    """Return D^-1 L^-T B (..., n, m) for B (..., n, m): half of `solved`, from the last row on."""
    found: list[Array] = []
    for k in reversed(range(len(factors.rows))):
        last = right[..., k, :]
        found.append(last * factors.inverses[k][..., None])
        right = right[..., :k, :] - factors.rows[k][..., :, None] * last[..., None, :]
    return np.stack(found[::-1], axis=-2) if found else right


def outward_matrix(factors: Factors) -> Array:
    """Return N = L^-1 (..., n, n), unit lower triangular, as sparse as L: the half that is left.

    Where columns are many, N times `swept_inward` is shorter than `solved`: a rate on another
    branch then answers to the common part of both branches alone.
    """
    size = len(factors.rows)
    inverse: list[Array] = []
    for k, row in enumerate(factors.rows):
        inner = (row[..., i, None] * known for i, known in enumerate(inverse))
        inverse.append(np.eye(size)[k] - sum(inner, start=np.zeros(())))
    lead = np.broadcast_shapes(*(row.shape[:-1] for row in inverse))
    rows = [np.broadcast_to(row, (*lead, size)) for row in inverse]
    return np.stack(rows, axis=-2) if rows else np.zeros((0, 0))


def inverted(factors: Factors, N: Array | None = None) -> Array:
    """Return M^-1 = N D^-1 N^T (..., n, n), exactly symmetric; N is `outward_matrix`, if known."""
    N = outward_matrix(factors) if N is None else N
    if not factors.rows:
        return N
    scale = np.stack(factors.inverses, axis=-1)[..., None, :]
    return mirrored((N * scale) @ transpose(N))
