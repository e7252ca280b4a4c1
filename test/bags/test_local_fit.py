"""Derivatives of samples at any times: exact for parabolas, without lag, apart by pieces."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.bags.local_fit import local_fit

EXACT = 1e-6
"""Relative: running sums lose some digits, squared distances of small windows more."""


def irregular(count: int, seed: int, step: float = 0.01) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.2 * step, 1.8 * step, count))


@pytest.mark.parametrize("half_width", [0.0, 0.02, 0.5, 100.0])
@pytest.mark.parametrize("step", [0.0005, 0.01, 0.3])
def test_parabolas_come_out_exactly_at_any_stamps(half_width: float, step: float) -> None:
    t = irregular(700, 3, step)
    x = np.stack([2.0 - 3.0 * t + 4.0 * t**2, 5.0 * t - 1.0, np.full_like(t, 7.0)], axis=1)
    fit = local_fit(t, x, np.zeros(len(t), dtype=int), half_width)
    scale = 1.0 + np.abs(8.0 * t)[:, None]
    expected = np.stack([8.0 * t - 3.0, np.full_like(t, 5.0), np.zeros_like(t)], axis=1)
    assert np.max(np.abs(fit.slope - expected) / scale) < EXACT
    allowed = 1e-9 * np.max(np.abs(x)) / max(half_width, step) ** 2 + EXACT
    assert np.max(np.abs(fit.bend - [8.0, 0.0, 0.0])) < allowed


def test_a_sine_is_not_delayed() -> None:
    t = irregular(4000, 5, 0.001)
    x = np.sin(6.0 * t)[:, None]
    slope = local_fit(t, x, np.zeros(len(t), dtype=int), 0.06).slope[200:-200, 0]
    inner = t[200:-200]
    delays = np.linspace(-0.01, 0.01, 201)
    errors = [np.sum((slope - 6.0 * np.cos(6.0 * (inner - d))) ** 2) for d in delays]
    assert abs(delays[int(np.argmin(errors))]) < 2e-4
    assert np.max(np.abs(slope - 6.0 * np.cos(6.0 * inner))) < 0.1


def test_pieces_have_nothing_to_do_with_each_other() -> None:
    t = irregular(300, 7)
    pieces = np.repeat([0, 1, 2, 5], [100, 1, 2, 197])
    x = np.where(pieces < 5, t, 100.0 - 2.0 * t)[:, None]
    fit = local_fit(t, x, pieces, 0.1)
    assert fit.slope[:100, 0] == pytest.approx(1.0)
    assert fit.slope[103:, 0] == pytest.approx(-2.0)
    assert fit.slope[100, 0] == fit.bend[100, 0] == 0.0
    assert fit.slope[101:103, 0] == pytest.approx(1.0)
    assert fit.samples[[0, 100, 101, 103]].tolist() == [100, 1, 2, 197]


def test_a_long_pause_between_pieces_costs_no_digits() -> None:
    t = np.concatenate([irregular(200, 8), 1e6 + irregular(200, 9)])
    x = np.concatenate([np.zeros(200), (t[200:] - 1e6) ** 2])[:, None]
    fit = local_fit(t, x, np.repeat([0, 1], 200), 0.05)
    assert fit.slope[200:, 0] == pytest.approx(2.0 * (t[200:] - 1e6), abs=1e-5)


def test_bursts_of_samples_are_fitted_as_closely() -> None:
    t = np.concatenate([[k + 1e-4 * i for i in range(30)] for k in 0.45 * np.arange(60)])
    x = (t**2)[:, None]
    fit = local_fit(t, x, np.zeros(len(t), dtype=int), 0.0)
    assert fit.slope[:, 0] == pytest.approx(2.0 * t, abs=1e-3)


def test_no_samples() -> None:
    fit = local_fit(np.zeros(0), np.zeros((0, 3)), np.zeros(0, dtype=int), 0.1)
    assert fit.slope.shape == fit.bend.shape == (0, 3)
