"""The inverse Jacobian and the logarithm of rotations, with their derivatives, exactly."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, factorial, nextafter

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.spatial import (
    left_jacobian,
    left_jacobian_inverse,
    quaternion_exponential,
    quaternion_logarithm,
    rotation_exponential,
)
from robodyn_ros.spatial.exponential import _inverse_coefficient
from tracing import scalar_derivatives

TERMS = 110
SMALL = [0.0, 5e-324, 1e-300, 1e-12, 1e-8, 1e-4, 1e-2, 0.3, 0.9]
AROUND_THE_SWITCH = [nextafter(1.0, 0.0), 1.0, nextafter(1.0, 2.0), 1.1]
LARGE = [1.5, 4.0, np.pi**2, 16.0]
#: Roundings of a number near 1/12 and of its derivatives, which cancel near the switch.
TOLERANCES = (1e-16, 4e-16, 2e-15)

AXIS = np.array([0.6, -0.48, 0.64])


def bernoulli(count: int) -> list[Fraction]:
    """Return B_0 to B_count by their recursion."""
    numbers = [Fraction(1)]
    for m in range(1, count + 1):
        total = sum((comb(m + 1, k) * numbers[k] for k in range(m)), Fraction(0))
        numbers.append(-total / (m + 1))
    return numbers


COEFFICIENTS = [
    abs(number) / factorial(2 * k) for k, number in enumerate(bernoulli(2 * TERMS)[2::2], start=1)
]


def exact(square: float, derivative: int) -> float:
    """Return a derivative of (1 - (t/2) cot(t/2)) / t^2 by `square` = t^2 in 60 digits."""
    with localcontext() as context:
        context.prec = 60
        s, total = Decimal(square), Decimal(0)
        for k in range(derivative, TERMS):
            coefficient = COEFFICIENTS[k] * factorial(k) / factorial(k - derivative)
            power = s ** (k - derivative) if k > derivative else Decimal(1)
            total += power * coefficient.numerator / coefficient.denominator
        return float(total)


def test_two_derivatives_of_the_coefficient_are_right_to_rounding() -> None:
    points = SMALL + AROUND_THE_SWITCH + LARGE
    found = scalar_derivatives(lambda s: _inverse_coefficient(s).item(), points)
    for order, tolerance in enumerate(TOLERANCES):
        expected = [exact(square, order) for square in points]
        assert np.max(np.abs(found[order] - expected)) <= tolerance, order
    values = [float(_inverse_coefficient(np.float64(square))) for square in points]
    assert np.max(np.abs(values - found[0])) <= TOLERANCES[0]


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.5, 0.999, 1.001, 3.0, np.pi, 5.0, 6.2, 7.0, 12.0])
def test_the_inverse_is_one(angle: float) -> None:
    r = angle * AXIS
    lost = 1.0 / abs(np.sinc(angle / (2.0 * np.pi)))  # how near a whole turn is
    product = left_jacobian(r) @ left_jacobian_inverse(r)
    assert error(product, np.eye(3)) < 4e-15 * lost


def test_a_whole_turn_warns_of_nothing() -> None:
    found = left_jacobian_inverse(2.0 * np.pi * np.stack([AXIS, 2.0 * AXIS, 0.0 * AXIS]))
    assert np.max(np.abs(found[0])) > 1e12
    assert error(found[2], np.eye(3)) == 0.0


@pytest.mark.parametrize("place", [0.0, 1e-12, 1e-6, 0.1, 0.43, 0.45, 1.0, 2.0, 3.0])
def test_derivatives_of_the_logarithm(place: float) -> None:
    """Along a turn about one axis it is the angle: its slope is 1 and never bends."""

    def angle(t: object) -> object:
        half = 0.5 * np.array([t * x for x in AXIS], dtype=object)  # type: ignore[operator]
        vector = quaternion_logarithm(quaternion_exponential(2.0 * half))
        return (vector * AXIS).sum()

    value, slope, bend = scalar_derivatives(angle, [place, -place])
    assert value == pytest.approx([place, -place], abs=4e-15)
    assert slope == pytest.approx([1.0, 1.0], abs=4e-15)
    assert bend == pytest.approx([0.0, 0.0], abs=1e-13)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.999, 1.001, 3.0, 40.0])
def test_the_exponential_is_a_rotation_about_the_vector(angle: float) -> None:
    R = rotation_exponential(angle * AXIS)
    assert error(R @ R.T, np.eye(3)) < 4e-15
    assert error(R @ AXIS, AXIS) < 4e-15
    assert np.trace(R) == pytest.approx(1.0 + 2.0 * np.cos(angle), abs=4e-15)
