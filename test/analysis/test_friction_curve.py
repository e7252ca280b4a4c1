"""Friction over speed: what goes in comes out, Stribeck's effect only where there is one."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.algorithms.joint_friction import friction_effort
from robodyn_ros.analysis.friction_curve import FrictionCurve, binned, fit_friction
from robodyn_ros.errors import ArgumentError

SPEED = 1.5 * np.sin(np.linspace(0.0, 30.0, 3000))


def noise(size: float) -> np.ndarray:
    return size * np.random.default_rng(0).normal(size=len(SPEED))


def test_the_curve_is_the_models() -> None:
    speeds = np.linspace(-0.03, 0.03, 61)
    expected = np.asarray(friction_effort(speeds, 0.7, 2.0)) + 0.1
    assert np.abs(FrictionCurve(2.0, 0.7, 0.1)(speeds) - expected).max() < 1e-12


def test_friction_is_found_in_noise_with_outliers() -> None:
    effort = FrictionCurve(2.0, 0.7, 0.3)(SPEED) + noise(0.1)
    effort[::50] += 20.0
    found = fit_friction(SPEED, effort)
    assert (found.coulomb, found.viscous, found.offset) == pytest.approx((2.0, 0.7, 0.3), rel=0.05)
    assert found.stribeck_speed == 0.0


def test_stribecks_effect_is_found_where_there_is_one() -> None:
    true = FrictionCurve(2.0, 0.7, 0.0, 3.5, 0.2)
    found = fit_friction(SPEED, true(SPEED) + noise(0.05), stribeck=True)
    assert found.static == pytest.approx(3.5, rel=0.05)
    assert found.stribeck_speed == pytest.approx(0.2, rel=0.1)
    assert np.abs(found(SPEED) - true(SPEED)).max() < 0.1
    plain = fit_friction(SPEED, FrictionCurve(2.0, 0.7)(SPEED) + noise(0.05), stribeck=True)
    assert plain.stribeck_speed == 0.0


def test_friction_is_never_negative() -> None:
    found = fit_friction(SPEED, -0.5 * SPEED)
    assert found.viscous == 0.0
    assert found.coulomb >= 0.0


def test_a_joint_at_rest_says_nothing() -> None:
    with pytest.raises(ArgumentError, match="not excited: 0 samples move faster than"):
        fit_friction(np.zeros(100), np.ones(100))


def test_bins_hold_the_middle_of_what_was_measured() -> None:
    speed, effort, spread = binned(SPEED, FrictionCurve(2.0, 0.7)(SPEED) + noise(0.1), 20)
    assert len(speed) == 20
    assert (np.diff(speed) > 0.0).all()
    assert np.abs(effort - FrictionCurve(2.0, 0.7)(speed))[np.abs(speed) > 0.2].max() < 0.1
    assert np.median(spread) == pytest.approx(0.1, rel=0.3)
    assert all(len(x) == 0 for x in binned(np.zeros(0), np.zeros(0)))
