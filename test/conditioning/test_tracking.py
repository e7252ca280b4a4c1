"""The filtered slope: its lag and noise gain, any sample times, turns, gaps, repeats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.conditioning.tracking import (
    LIMIT,
    MAX_GAP,
    Hint,
    Track,
    Tuning,
    follow,
    wrapped,
)

NOTHING = Hint(0.0, 0.0)


def tuning(tau: float = 0.02, *, wraps: float = 0.0, gate: float = 0.0) -> Tuning:
    return Tuning(tau, 0.01, 2.0, 0.05, gate, wraps)


def slopes(times, values, chosen: Tuning, hint: Hint = NOTHING) -> tuple[Track, np.ndarray]:
    """Return the last track and all slopes (T, n) of samples (T, n)."""
    values = np.asarray(values, dtype=float).reshape(len(times), -1)
    count = values.shape[1]
    track, given = Track(*np.zeros((len(Track._fields), count))), np.ones(count)
    rows = []
    for time, row in zip(times, values, strict=True):
        track, _ = follow(track, row, given, time, hint, chosen)
        rows.append(track.slope)
    return track, np.array(rows)


@pytest.mark.parametrize("dt", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("tau", [0.0, 0.02, 0.3])
def test_the_slope_of_a_parabola_lags_by_tau_and_half_a_step(tau: float, dt: float) -> None:
    times = dt * np.arange(int(4.0 / dt))
    _, found = slopes(times, times**2, tuning(tau))
    lag = times[-1] - found[-1, 0] / 2.0
    settled = 4.0 * math.exp(-4.0 / tau) if tau else 0.0
    assert lag == pytest.approx(tau + dt / 2.0, abs=settled + 1e-9)


@pytest.mark.parametrize("dt", [0.001, 0.01])
@pytest.mark.parametrize("tau", [0.0, 0.02, 0.1])
def test_white_noise_comes_out_as_the_docstring_says(tau: float, dt: float) -> None:
    rng, sigma = np.random.default_rng(7), 1e-3
    times = dt * np.arange(1200)
    _, found = slopes(times, sigma * rng.normal(size=(1200, 400)), tuning(tau))
    gain = dt / (tau + dt)
    expected = sigma * math.sqrt(2.0 / (2.0 - gain)) / (tau + dt)
    settled = found[round(10.0 * tau / dt) + 2 :]
    assert settled.std() == pytest.approx(expected, rel=0.03)


def test_sample_times_may_be_as_irregular_as_they_like() -> None:
    rng = np.random.default_rng(8)
    times = np.cumsum(rng.choice([1e-4, 1e-3, 0.02, 0.3], 400))
    _, found = slopes(times, 1.0 - 2.5 * times, tuning())
    assert found[1:, 0] == pytest.approx(-2.5, abs=1e-8)
    _, found = slopes(times[-60:], np.sin(times[-60:]), tuning(0.0))
    mean = 0.5 * (times[-60:][1:] + times[-60:][:-1])
    assert found[1:, 0] == pytest.approx(np.cos(mean), abs=0.3**2 / 24.0 + 1e-9)


def test_a_step_of_the_slope_is_filtered_with_the_time_constant() -> None:
    tau, dt = 0.02, 1e-5
    times = dt * np.arange(-10, round(tau / dt) + 1)
    _, found = slopes(times, np.maximum(times, 0.0), tuning(tau))
    assert found[-1, 0] == pytest.approx(1.0 - math.exp(-1.0), abs=2e-4)


def test_a_turn_past_pi_is_no_jump() -> None:
    """3.14 to -3.14 within 10 ms is +0.32 rad/s, not -628."""
    _, found = slopes([0.0, 0.01], [3.14, -3.14], tuning(wraps=1.0))
    assert found[1, 0] == pytest.approx((2.0 * math.pi - 6.28) / 0.01, rel=1e-9)
    _, found = slopes([0.0, 0.01], [3.14, -3.14], tuning())
    assert found[1, 0] == pytest.approx(-628.0)


@pytest.mark.parametrize("turns", [0, 1, -3, 1000])
@pytest.mark.parametrize("speed", [0.32, -3.0, 25.0])
def test_turns_do_not_matter_whether_the_driver_counts_them_or_not(turns, speed) -> None:
    times = 0.01 * np.arange(300)
    angle = speed * times + 2.0 * math.pi * turns
    for values in (angle, np.arctan2(np.sin(angle), np.cos(angle))):
        _, found = slopes(times, values, tuning(wraps=1.0, gate=1.0))
        assert found[1:, 0] == pytest.approx(speed, abs=1e-8)


def test_a_wheel_that_gains_speed_may_turn_by_more_than_half_a_turn_per_sample() -> None:
    times = 0.01 * np.arange(600)
    angle = 0.5 * 100.0 * times**2  # 600 rad/s in the end: 6 rad per sample
    _, found = slopes(times, angle, tuning(wraps=1.0))
    assert found[-1, 0] == pytest.approx(100.0 * (times[-1] - 0.025), rel=1e-6)


def test_wrapped_keeps_changes_of_less_than_half_a_turn_as_they_are() -> None:
    changes = np.array([0.1, -3.1, 3.2, -4.0, 2.0 * math.pi, 1e6 * math.pi + 0.5])
    expected = [0.1, -3.1, 3.2 - 2.0 * math.pi, 2.0 * math.pi - 4.0, 0.0, 0.5]
    found = wrapped(changes, np.ones(6))
    assert found == pytest.approx(expected, abs=1e-9)
    assert found[:2].tolist() == [0.1, -3.1]
    assert wrapped(changes, np.zeros(6)).tolist() == changes.tolist()


@pytest.mark.parametrize(("gap", "known"), [(0.99 * MAX_GAP, 1.0), (1.01 * MAX_GAP, 0.0)])
def test_a_long_gap_starts_the_slope_again(gap: float, known: float) -> None:
    track, found = slopes([0.0, 0.01, 0.01 + gap], [0.0, 0.01, 5.0], tuning())
    assert track.known[0] == known
    assert (found[2, 0] != 0.0) == bool(known)
    assert track.value[0] == 5.0


@pytest.mark.parametrize("back", [0.0, 0.003, 0.99 * MAX_GAP])
def test_a_sample_that_is_not_later_leaves_the_track_as_it_is(back: float) -> None:
    before, _ = slopes([0.0, 0.01, 0.02], [0.0, 0.01, 0.02], tuning(gate=1.0))
    after, flagged = follow(
        before, np.array([9.0]), np.ones(1), 0.02 - back, NOTHING, tuning(gate=1.0)
    )
    assert np.array_equal(np.ravel(after), np.ravel(before))
    assert flagged[0] == 0.0


def test_a_sample_from_long_before_starts_again() -> None:
    track, found = slopes([5.0, 5.01, 1.0], [0.0, 0.01, 7.0], tuning())
    assert (track.value[0], track.time[0], track.known[0]) == (7.0, 1.0, 0.0)
    assert found[2, 0] == 0.0


def test_what_is_not_given_changes_nothing() -> None:
    before, _ = slopes([0.0, 0.01], [[0.0, 1.0], [0.1, 1.1]], tuning())
    after, _ = follow(before, np.full(2, 50.0), np.array([0.0, 1.0]), 0.02, NOTHING, tuning())
    assert [row[0] for row in after] == [row[0] for row in before]
    assert after.value[1] == 50.0


def test_the_largest_sane_samples_stay_finite_and_a_slope_beyond_all_bounds_is_not_known() -> None:
    values = [LIMIT, -LIMIT] * 4
    for wraps in (0.0, 1.0):
        for gate in (0.0, 1.0):
            track, found = slopes(1e-9 * np.arange(8), values, tuning(wraps=wraps, gate=gate))
            assert np.isfinite(found).all()
            assert np.isfinite(np.ravel(track)).all()
            assert abs(found).max() <= LIMIT
    track, _ = slopes([0.0, 0.01], [0.0, LIMIT], tuning())
    assert track.known[0] == 0.0
    track, _ = slopes([0.0, 0.01, 0.02], [0.0, LIMIT, LIMIT], tuning())
    assert (track.known[0], track.slope[0]) == (1.0, 0.0)


def test_with_a_hint_the_first_difference_passes_the_filter() -> None:
    _, found = slopes([0.0, 0.01], [0.0, 0.3], tuning(), Hint(0.0, 1.0))
    assert found[1, 0] == pytest.approx(30.0 * 0.01 / 0.03)
