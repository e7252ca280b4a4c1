"""Coefficients of the rotation exponential against exact arithmetic, and what is made of them."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial, nextafter

import numpy as np
import pytest
from hypothesis import given

from differentiation import FIRST_TOLERANCE, derivatives, error, vee
from robodyn_ros.spatial import (
    apply,
    exponential_coefficients,
    left_jacobian,
    left_jacobian_inverse,
    quaternion_exponential,
    quaternion_to_matrix,
    skew,
)
from sampling import bounded, unit_vectors, vectors
from tracing import scalar_derivatives

#: A few roundings of numbers between 1/6 and 1.
VALUE_TOLERANCE = 3e-16
#: Differentiating the closed form at theta near 1 cancels two digits of a derivative below 1/6.
DERIVATIVE_TOLERANCE = 2e-15
#: Products of 3 x 3 matrices with entries of order 1.
ROUNDING = 4e-15

BELOW, ABOVE = nextafter(1.0, 0.0), nextafter(1.0, 2.0)
AROUND_THE_SWITCH = [0.9, 0.999, BELOW, 1.0, ABOVE, 1.001, 1.1]
SMALL = [0.0, 5e-324, 1e-300, 1e-20, 1e-12, 1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5]
LARGE = [1.5, 2.0, 4.0, np.pi**2, 16.0, 4.0 * np.pi**2, 100.0, 400.0]


def exact(square: float, first: int, derivative: int) -> float:
    """Return the derivative of sum_k (-square)^k / (2k + first)! in 80 digits, rounded once."""
    with localcontext() as context:
        context.prec = 80
        s, total = Decimal(square), Decimal(0)
        for k in range(derivative, 100):
            falling = Fraction(factorial(k), factorial(k - derivative))
            coefficient = falling * (-1) ** k / factorial(2 * k + first)
            power = s ** (k - derivative) if k > derivative else Decimal(1)
            total += power * coefficient.numerator / coefficient.denominator
        return float(total)


@pytest.mark.parametrize("which", range(3))
def test_values_are_right_to_rounding(which: int) -> None:
    for square in SMALL + AROUND_THE_SWITCH + LARGE:
        found = float(exponential_coefficients(np.float64(square))[which])
        assert abs(found - exact(square, which + 1, 0)) <= VALUE_TOLERANCE, square


@pytest.mark.parametrize("which", range(3))
def test_two_derivatives_are_right_to_rounding(which: int) -> None:
    points = SMALL + AROUND_THE_SWITCH + LARGE
    found = scalar_derivatives(lambda s: exponential_coefficients(s)[which], points)
    for order in (0, 1, 2):
        expected = [exact(square, which + 1, order) for square in points]
        assert np.max(np.abs(found[order] - expected)) <= DERIVATIVE_TOLERANCE, order


def test_the_branch_not_taken_gives_no_warning() -> None:
    squares = np.array([0.0, 1e-320, 1.0, 1e6, 1e200])
    for coefficient in exponential_coefficients(squares):
        assert np.all(np.isfinite(coefficient))


def test_batches_equal_singles() -> None:
    squares = np.array([[0.0, 0.5], [1.0, 30.0]])
    whole = exponential_coefficients(squares)
    for index in np.ndindex(squares.shape):
        single = exponential_coefficients(squares[index])
        assert all(c[index] == s for c, s in zip(whole, single, strict=True))


@bounded
@given(vectors(largest=3.0), vectors(largest=1.0))
def test_left_jacobian_turns_rates_into_angular_velocity(r: np.ndarray, dr: np.ndarray) -> None:
    def attitude(t: np.ndarray) -> np.ndarray:
        return quaternion_to_matrix(quaternion_exponential(r + dr * t[:, None]))

    rate, _ = derivatives(attitude)
    spin = vee(rate @ attitude(np.zeros(1))[0].T)
    assert error(left_jacobian(r) @ dr, spin) < FIRST_TOLERANCE


@bounded
@given(vectors(largest=3.0))
def test_left_jacobian_identities(r: np.ndarray) -> None:
    J, R = left_jacobian(r), quaternion_to_matrix(quaternion_exponential(r))
    assert error(J @ r, r) < ROUNDING
    assert error(R @ left_jacobian(-r), J) < ROUNDING
    assert error(left_jacobian(-r), J.T) < ROUNDING


@bounded
@given(vectors(largest=3.0))
def test_left_jacobian_inverse(r: np.ndarray) -> None:
    assert np.linalg.norm(r) < 5.5  # away from the singularity at one turn
    assert error(left_jacobian_inverse(r) @ left_jacobian(r), np.eye(3)) < 10 * ROUNDING


@pytest.mark.parametrize("angle", [0.0, 1e-200, 1e-9, 0.00999, 0.01, 0.01001, 0.999, 1.0, np.pi])
def test_left_jacobian_inverse_across_its_switch(angle: float) -> None:
    r = angle * np.array([0.48, -0.6, 0.64])
    assert error(left_jacobian_inverse(r) @ left_jacobian(r), np.eye(3)) < ROUNDING
    assert error(apply(left_jacobian_inverse(r), r), r) < ROUNDING


def test_left_jacobian_inverse_is_singular_at_one_turn() -> None:
    """The documented singularity: the inverse grows without bound, it does not turn to NaN."""
    near = left_jacobian_inverse(np.array([0.0, 0.0, 2.0 * np.pi - 1e-6]))
    assert np.all(np.isfinite(near))
    assert np.max(np.abs(near)) > 1e5


@bounded
@given(unit_vectors())
def test_left_jacobian_at_zero_is_the_identity(n: np.ndarray) -> None:
    assert np.array_equal(left_jacobian(0.0 * n), np.eye(3))
    assert error(left_jacobian(1e-9 * n), np.eye(3) + 0.5e-9 * skew(n)) < ROUNDING
