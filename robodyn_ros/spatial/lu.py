"""Square matrices whose order of elimination is known: A = L U without pivoting.

No branch on values; a pivot that is too small is replaced by 1 and reported, so that nothing is
ever infinite. In a trace zeros that are known cost nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.kernels.scalar import less, less_equal, where
from robodyn_ros.spatial.arrays import Array


class Triangles(NamedTuple):
    """A = L U with a unit lower triangular L.

    Attributes:
        lower: lower[k] (..., k) is row k of L left of the diagonal.
        upper: upper[k] (..., n - k - 1) is row k of U right of the diagonal.
        inverses: (...) the pivots' inverses, 1 for a lost one.
        verdict: (...) how many pivots were lost; 0.0 where the result means anything.
    """

    lower: tuple[Array, ...]
    upper: tuple[Array, ...]
    inverses: tuple[Array, ...]
    verdict: Array


def triangles(matrix: Array, limits: Array) -> Triangles:
    """Return the factors of a matrix (..., n, n).

    Args:
        matrix: its rows and columns in the order of elimination.
        limits: (n,) not negative; a pivot counts as lost where its size is not above its limit.

    Source: Golub and Van Loan, Matrix Computations, section 3.2 (outer products).
    """
    size = matrix.shape[-1]
    columns: list[Array] = []
    upper, inverses = [], []
    verdict: Array = np.zeros(())
    for k in range(size):
        pivot = matrix[..., 0, 0]
        gone = less_equal(abs(pivot), limits[k])
        inverse = np.asarray(_inverse(where(gone, 1.0, pivot)))
        verdict = verdict + where(gone, 1.0, 0.0)
        row = matrix[..., 0, 1:]
        column = matrix[..., 1:, 0] * inverse[..., None]
        matrix = matrix[..., 1:, 1:] - column[..., :, None] * row[..., None, :]
        columns.append(column)
        upper.append(row)
        inverses.append(inverse)
    lower = tuple(_row(columns, k) for k in range(size))
    return Triangles(lower, tuple(upper), tuple(inverses), np.asarray(verdict))


def _inverse(pivot: Array) -> Array:
    """Return 1 / pivot (...), so that a trace divides once.

    CasADi makes a division of its own of every product with what it sees as an inverse.
    """
    size = abs(1.0 / pivot)
    inverse: Array = where(less(pivot, 0.0), -size, size)
    return inverse


def _row(columns: list[Array], k: int) -> Array:
    """Return row k of L from the columns below its diagonal."""
    entries = [columns[j][..., k - j - 1] for j in range(k)]
    return np.stack(entries, axis=-1) if entries else np.zeros((0,))


def lu_solved(factors: Triangles, right: Array) -> Array:
    """Return A^-1 B (..., n, m) for right-hand sides B (..., n, m)."""
    forward: list[Array] = []
    for k, row in enumerate(factors.lower):
        inner = (row[..., j, None] * known for j, known in enumerate(forward))
        forward.append(right[..., k, :] - sum(inner, start=np.zeros(())))
    values: list[Array] = []  # from the last on
    for k in reversed(range(len(factors.upper))):
        row = factors.upper[k]
        later = reversed(values)
        inner = (row[..., j, None] * known for j, known in enumerate(later))
        left = forward[k] - sum(inner, start=np.zeros(()))
        values.append(left * factors.inverses[k][..., None])
    return np.stack(values[::-1], axis=-2) if values else right


def lu_solved_transposed(factors: Triangles, right: Array) -> Array:
    """Return A^-T B (..., n, m) for right-hand sides B (..., n, m)."""
    size = len(factors.upper)
    forward: list[Array] = []
    for k in range(size):
        inner = (factors.upper[j][..., k - j - 1, None] * forward[j] for j in range(k))
        left = right[..., k, :] - sum(inner, start=np.zeros(()))
        forward.append(left * factors.inverses[k][..., None])
    values: dict[int, Array] = {}
    for k in reversed(range(size)):
        inner = (factors.lower[j][..., k, None] * values[j] for j in range(k + 1, size))
        values[k] = forward[k] - sum(inner, start=np.zeros(()))
    return np.stack([values[k] for k in range(size)], axis=-2) if size else right
