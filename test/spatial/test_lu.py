"""Elimination in a known order against NumPy's: solutions, zeros kept, lost pivots reported."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.kernels.scalar import Scalar
from robodyn_ros.spatial.lu import lu_solved, lu_solved_transposed, triangles
from tracing import TRACE_TOLERANCE, symbols, traced

#: Solutions of well-conditioned systems of order 1.
ROUNDING = 1e-12


def dominant(size: int, seed: int, lead: tuple[int, ...] = ()) -> np.ndarray:
    """Return matrices (..., size, size) that need no pivoting, not symmetric."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(*lead, size, size)) + 2.0 * size * np.eye(size)


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_factors_multiply_to_the_matrix(size: int) -> None:
    matrix = dominant(size, size)
    factors = triangles(matrix, np.zeros(size))
    L, U = np.eye(size), np.diag([1.0 / float(x) for x in factors.inverses])
    for k in range(size):
        L[k, :k], U[k, k + 1 :] = factors.lower[k], factors.upper[k]
    assert error(L @ U, matrix) < ROUNDING
    assert factors.verdict == 0.0


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_solutions(lead: tuple[int, ...]) -> None:
    matrix = dominant(6, 1, lead)
    right = np.random.default_rng(2).normal(size=(*lead, 6, 4))
    factors = triangles(matrix, np.zeros(6))
    assert error(lu_solved(factors, right), np.linalg.solve(matrix, right)) < ROUNDING
    transposed = np.swapaxes(matrix, -1, -2)
    found = lu_solved_transposed(factors, right)
    assert error(found, np.linalg.solve(transposed, right)) < ROUNDING
    assert np.array_equal(factors.verdict, np.zeros(lead))


def test_right_sides_may_have_more_axes_than_the_matrix() -> None:
    matrix, right = dominant(3, 3), np.random.default_rng(4).normal(size=(5, 3, 2))
    factors = triangles(matrix, np.zeros(3))
    assert error(lu_solved(factors, right), np.linalg.solve(matrix, right)) < ROUNDING
    found = lu_solved_transposed(factors, right)
    assert error(found, np.linalg.solve(matrix.T, right)) < ROUNDING


@pytest.mark.parametrize("columns", [0, 3])
def test_nothing_to_solve(columns: int) -> None:
    factors = triangles(np.zeros((0, 0)), np.zeros(0))
    assert lu_solved(factors, np.zeros((0, columns))).shape == (0, columns)
    assert lu_solved_transposed(factors, np.zeros((0, columns))).shape == (0, columns)
    assert factors.verdict == 0.0


def test_a_system_without_right_sides() -> None:
    factors = triangles(dominant(3, 5), np.zeros(3))
    assert lu_solved(factors, np.zeros((3, 0))).shape == (3, 0)
    assert lu_solved_transposed(factors, np.zeros((3, 0))).shape == (3, 0)


def test_symbols_equal_floats() -> None:
    matrix, right = dominant(4, 6), np.random.default_rng(7).normal(size=(4, 2))

    def everything(matrix: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, ...]:
        factors = triangles(matrix, np.zeros(4))
        solutions = lu_solved(factors, right), lu_solved_transposed(factors, right)
        return *solutions, factors.verdict

    for found, expected in zip(
        traced(everything, matrix, right), everything(matrix, right), strict=True
    ):
        assert error(found, expected) < 10 * TRACE_TOLERANCE


def test_zeros_stay_known() -> None:
    """Equations of two loops that share no coordinate do not mix."""
    matrix = symbols((4, 4))
    matrix[:2, 2:] = matrix[2:, :2] = 0.0
    factors = triangles(matrix, np.zeros(4))
    known = [*factors.lower[2][:2], *factors.lower[3][:2], *factors.upper[0][1:]]
    assert [float(x) for x in known] == [0.0] * 6
    assert not any(isinstance(x, Scalar) for x in known)
    found = lu_solved(factors, np.array([[0.0], [0.0], [1.0], [1.0]]))
    assert not any(isinstance(x, Scalar) for x in found[:2, 0])


@pytest.mark.parametrize(
    ("matrix", "lost"),
    [
        (np.zeros((2, 2)), 2.0),
        (np.diag([1.0, 0.0]), 1.0),
        (np.array([[0.0, 1.0], [1.0, 0.0]]), 1.0),  # needs another order, which was not chosen
        (np.ones((2, 2)), 1.0),
        (np.diag([-1.0, -1.0]), 0.0),
        (np.diag([1e-14, 1.0]), 1.0),
    ],
)
def test_lost_pivots_are_reported_and_nothing_is_infinite(matrix: np.ndarray, lost: float) -> None:
    factors = triangles(matrix, np.full(2, 1e-13))
    assert factors.verdict == lost
    for solution in (lu_solved, lu_solved_transposed):
        assert np.isfinite(solution(factors, np.ones((2, 1)))).all()


def test_a_pivot_as_small_as_its_limit_is_lost() -> None:
    assert triangles(np.array([[0.25]]), np.array([0.25])).verdict == 1.0
    assert triangles(np.array([[-0.25]]), np.array([0.125])).verdict == 0.0


def test_only_the_singular_row_of_a_batch_is_reported() -> None:
    batch = np.stack([np.eye(2), np.zeros((2, 2)), 2.0 * np.eye(2)])
    factors = triangles(batch, np.zeros(2))
    assert np.array_equal(factors.verdict, [0.0, 2.0, 0.0])
    found = lu_solved(factors, np.ones((3, 2, 1)))
    assert np.array_equal(found[[0, 2], :, 0], [[1.0, 1.0], [0.5, 0.5]])
