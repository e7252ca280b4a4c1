"""Sine and cosine against extended precision, over the whole range."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.kernels.scalar import cos, sin

ULPS = 2.0
"""What the docstring of the module promises; one more digit of pi/2 would not change it."""

needs_extended = pytest.mark.skipif(
    np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps,
    reason="this machine has no extended precision to compare with",
)


@pytest.fixture(scope="module", params=[1, 4])
def sincos(request, kernel_of):
    kernel = kernel_of(
        lambda x: (sin(x), cos(x)), (("x", ()),), (("sin", ()), ("cos", ())), width=request.param
    )

    def evaluate(angles):
        outputs = [np.empty(len(angles)), np.empty(len(angles))]
        assert kernel.batch([angles], outputs) == np.count_nonzero(~(np.abs(angles) <= 2.0**50))
        return outputs

    return evaluate


def ulps(values, exact):
    spacing = np.spacing(np.abs(exact).astype(np.float64)).astype(np.longdouble)
    return float(np.max(np.abs(values.astype(np.longdouble) - exact) / spacing))


def angles_near_multiples_of_half_pi():
    k = np.arange(-200, 201)
    return np.concatenate([np.nextafter(k * (np.pi / 2), direction) for direction in (-9e9, 9e9)])


@needs_extended
@pytest.mark.parametrize("scale", [1e-300, 1e-9, 0.1, 1.0, 3.2, 100.0, 1e5, 1e8, 1e12])
def test_random_angles(sincos, scale):
    angles = np.random.default_rng(7).uniform(-scale, scale, 20_000)
    exact = angles.astype(np.longdouble)
    for values, function in zip(sincos(angles), (np.sin, np.cos), strict=True):
        assert ulps(values, function(exact)) < ULPS


@needs_extended
def test_near_the_zeros(sincos):
    angles = angles_near_multiples_of_half_pi()
    exact = angles.astype(np.longdouble)
    for values, function in zip(sincos(angles), (np.sin, np.cos), strict=True):
        np.testing.assert_allclose(values, function(exact).astype(float), rtol=0, atol=1e-16)
        assert ulps(values, function(exact)) < ULPS


def test_exact_points(sincos):
    sines, cosines = sincos(np.array([0.0, -0.0, 5e-324, np.pi / 6]))
    assert cosines[0] == cosines[1] == 1.0
    assert sines[0] == 0.0
    assert sines[2] == 5e-324
    assert sines[3] == pytest.approx(0.5, abs=1e-16)


def test_unit_circle_at_the_end_of_the_range(sincos):
    angles = np.random.default_rng(8).uniform(2.0**49, 2.0**50, 1000)
    sines, cosines = sincos(np.append(angles, 2.0**50))
    np.testing.assert_allclose(sines**2 + cosines**2, 1.0, atol=1e-15)


def test_nothing_is_claimed_beyond_the_range(sincos):
    for values in sincos(np.array([np.nextafter(2.0**50, 2.0**51), -1e300, np.inf, np.nan])):
        assert np.isnan(values).all()
