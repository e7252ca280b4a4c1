"""Outliers and jumps, and what becomes of them in a series."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.bags.outliers import POSITIONS, outliers
from robodyn_ros.bags.series import Conditioning, Series, series

T = 0.002 * np.arange(1000)
SMOOTH = np.sin(3.0 * T)


def conditioned(
    x: np.ndarray,
    velocity: np.ndarray | None = None,
    *,
    wraps: bool = False,
    **choices: float | bool,
) -> Series:
    v = np.full_like(x, np.nan) if velocity is None else velocity
    there = np.ones((len(x), 1), dtype=bool)
    given = there, there & (velocity is not None) & ~np.isnan(v)[:, None]
    chosen = Conditioning(**choices)  # type: ignore[arg-type]
    return series(T[: len(x)], x[:, None], v[:, None], given, np.array([wraps]), chosen)


@pytest.mark.parametrize("places", [[500], [500, 501], [0], [999], [2], [300, 600, 601]])
def test_samples_that_do_not_follow_are_flagged_and_leave_no_trace(places: list[int]) -> None:
    x = SMOOTH.copy()
    x[places] += 0.3
    found = conditioned(x)
    assert np.flatnonzero(found.outlier[:, 0]).tolist() == places
    assert np.flatnonzero(~found.position_ok[:, 0]).tolist() == places
    good = found.velocity_ok[:, 0]
    assert found.velocity[good, 0] == pytest.approx(3.0 * np.cos(3.0 * T[good]), abs=0.05)


def test_a_quantity_that_stays_where_it_jumped_to_went_there() -> None:
    x = np.where(T < 1.0, SMOOTH, SMOOTH + 1.0)
    outlier, pieces = outliers(T, x, POSITIONS)
    assert not outlier.any()
    assert np.flatnonzero(np.diff(pieces)).tolist() == [499]
    found = conditioned(x)
    assert np.max(np.abs(found.velocity[:, 0] - 3.0 * np.cos(3.0 * T))) < 0.1


def test_noise_and_fast_motion_are_no_outliers() -> None:
    rng = np.random.default_rng(4)
    noisy = SMOOTH + rng.normal(0.0, 0.003, len(T))
    assert not conditioned(noisy).outlier.any()
    fast = 2.0 * np.sin(15.0 * T)
    assert not conditioned(fast).outlier.any()


def test_outliers_are_taken_where_they_are_not_rejected() -> None:
    x = SMOOTH.copy()
    x[500] += 0.3
    found = conditioned(x, outlier_rejection=False)
    assert not found.outlier.any()
    assert found.position_ok.all()


def test_numbers_that_are_not_sane_keep_the_last_one_and_are_not_valid() -> None:
    x = SMOOTH.copy()
    x[[10, 400]], x[700] = np.nan, 1e12
    found = conditioned(x)
    bad = [10, 400, 700]
    assert np.flatnonzero(found.insane[:, 0]).tolist() == bad
    assert np.flatnonzero(~found.position_ok[:, 0]).tolist() == bad
    assert found.position[bad, 0].tolist() == SMOOTH[[9, 399, 699]].tolist()


def test_measured_velocities_are_used_and_derived_where_they_are_nan() -> None:
    velocity = 3.0 * np.cos(3.0 * T) + 0.25  # told from a derived one
    velocity[600:] = np.nan
    found = conditioned(SMOOTH, velocity)
    assert found.velocity[:600, 0].tolist() == velocity[:600].tolist()
    assert found.velocity[650:, 0] == pytest.approx(3.0 * np.cos(3.0 * T[650:]), abs=0.05)
    assert found.velocity_ok.all()
    inner = np.r_[50:550, 680:950]
    assert found.acceleration[inner, 0] == pytest.approx(-9.0 * SMOOTH[inner], abs=0.3)


def test_angles_that_wrap_go_on() -> None:
    x = np.remainder(20.0 * T + np.pi, 2.0 * np.pi) - np.pi
    found = conditioned(x, wraps=True)
    assert not found.outlier.any()
    assert found.velocity[:, 0] == pytest.approx(20.0, abs=1e-6)
    assert found.position[:, 0].tolist() == x.tolist()


def test_one_sample_has_no_velocity() -> None:
    found = conditioned(SMOOTH[:1])
    assert found.position_ok.all()
    assert not found.velocity_ok.any()
    assert not found.accelerated.any()


def test_accelerations_may_be_zero() -> None:
    found = conditioned(SMOOTH, filtered_acceleration=False)
    assert not found.acceleration.any()
    assert found.accelerated.all()
