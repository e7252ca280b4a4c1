"""Factorisation of symmetric matrices against NumPy's, zeros kept, lost pivots reported."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.spatial.ldlt import Factors, inverted, ltdl, mirrored, solved
from tracing import TRACE_TOLERANCE, symbols, traced

#: Solutions of well-conditioned systems of order 1.
ROUNDING = 1e-12


def positive(size: int, seed: int, lead: tuple[int, ...] = ()) -> np.ndarray:
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(*lead, size, size))
    return np.eye(size) + half @ np.swapaxes(half, -1, -2)


def lower(factors: Factors) -> np.ndarray:
    size = len(factors.rows)
    return np.stack(
        [np.concatenate([row, np.eye(size)[k, k:]]) for k, row in enumerate(factors.rows)]
    )


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_factors_multiply_to_the_matrix(size: int) -> None:
    matrix = positive(size, size)
    factors = ltdl(matrix, np.zeros(size))
    L = lower(factors)
    assert error(L.T @ np.diag(factors.pivots) @ L, matrix) < ROUNDING
    assert factors.verdict == 0.0


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_solutions_and_inverse(lead: tuple[int, ...]) -> None:
    matrix = positive(6, 1, lead)
    right = np.random.default_rng(2).normal(size=(*lead, 6, 4))
    factors = ltdl(matrix, np.zeros(6))
    assert error(matrix @ solved(factors, right), right) < ROUNDING
    inverse = inverted(factors)
    assert error(inverse, np.linalg.inv(matrix)) < ROUNDING
    assert np.array_equal(inverse, np.swapaxes(inverse, -1, -2))
    assert np.array_equal(factors.verdict, np.zeros(lead))


def test_nothing_to_solve() -> None:
    factors = ltdl(np.zeros((0, 0)), np.zeros(0))
    assert solved(factors, np.zeros((0, 3))).shape == (0, 3)
    assert inverted(factors).shape == (0, 0)
    assert factors.verdict == 0.0


def test_symbols_equal_floats() -> None:
    matrix, right = positive(4, 3), np.random.default_rng(4).normal(size=(4, 2))

    def everything(matrix: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, ...]:
        factors = ltdl(matrix, np.zeros(4))
        return solved(factors, right), inverted(factors), np.asarray(factors.verdict)

    for found, expected in zip(
        traced(everything, matrix, right), everything(matrix, right), strict=True
    ):
        assert error(found, expected) < 10 * TRACE_TOLERANCE


def test_zeros_between_branches_stay_known() -> None:
    """Rates 1 and 2 are on different branches on rate 0."""
    matrix = symbols((3, 3))
    matrix[1, 2] = matrix[2, 1] = 0.0
    factors = ltdl(matrix, np.zeros(3))
    assert isinstance(factors.rows[2][1], float)
    assert factors.rows[2][1] == 0.0


@pytest.mark.parametrize(
    ("matrix", "gone"),
    [
        (np.zeros((2, 2)), [1.0, 1.0]),
        (np.diag([1.0, 0.0]), [0.0, 1.0]),
        (np.diag([-2.0, 1.0]), [1.0, 0.0]),
        (np.ones((2, 2)), [1.0, 0.0]),
    ],
)
def test_lost_pivots_are_reported_and_nothing_is_infinite(
    matrix: np.ndarray, gone: list[float]
) -> None:
    factors = ltdl(matrix, np.full(2, 1e-13))
    assert [float(x) for x in factors.lost] == gone
    assert factors.verdict == sum(gone)
    assert np.isfinite(solved(factors, np.ones((2, 1)))).all()
    assert np.isfinite(inverted(factors)).all()


def test_only_the_singular_row_of_a_batch_is_reported() -> None:
    batch = np.stack([np.eye(2), np.zeros((2, 2)), 2.0 * np.eye(2)])
    assert np.array_equal(ltdl(batch, np.zeros(2)).verdict, [0.0, 2.0, 0.0])


def test_mirrored_takes_the_upper_triangle() -> None:
    matrix = np.arange(9.0).reshape(3, 3)
    expected = [[0.0, 1.0, 2.0], [1.0, 4.0, 5.0], [2.0, 5.0, 8.0]]
    assert np.array_equal(mirrored(matrix), expected)
