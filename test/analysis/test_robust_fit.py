"""Weighted least squares: exact on exact data, unmoved by outliers, honest about its errors."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.analysis.robust_fit import robust_fit

TRUE = np.array([1.0, -2.0, 0.5])
MUCH = np.full(3, 100.0)


def data(rng: np.random.Generator, noise: np.ndarray, count: int = 400) -> tuple[np.ndarray, ...]:
    columns = rng.normal(size=(count, len(noise), 3))
    residual = columns @ TRUE + noise * rng.normal(size=(count, len(noise)))
    return columns, residual, np.ones(residual.shape, dtype=bool)


def test_exact_data_give_exact_values() -> None:
    fit = robust_fit(*data(np.random.default_rng(0), np.zeros(2)), MUCH)
    assert np.abs(fit.change - TRUE).max() < 1e-9


def test_weights_are_those_of_the_noise() -> None:
    noise = np.array([0.01, 1.0, 30.0])
    fit = robust_fit(*data(np.random.default_rng(1), noise), MUCH)
    assert fit.noise == pytest.approx(noise, rel=0.2)
    assert np.abs(fit.change - TRUE).max() < 0.005


def test_standard_deviations_are_those_of_repeated_recordings() -> None:
    rng = np.random.default_rng(2)
    fits = [robust_fit(*data(rng, np.array([0.1, 0.5]), 200), MUCH) for _ in range(150)]
    ratios = [(fit.change - TRUE) / fit.deviation for fit in fits]
    assert np.std(ratios) == pytest.approx(1.0, abs=0.12)


def test_correlated_noise_counts_for_less() -> None:
    rng = np.random.default_rng(3)
    columns = np.cumsum(rng.normal(size=(2000, 1, 3)), axis=0) * 0.1
    slow = np.convolve(rng.normal(size=2040), np.ones(40) / 40.0, "valid")[:2000]
    use = np.ones((2000, 1), dtype=bool)
    residual = columns @ TRUE + slow[:, None]
    near = robust_fit(columns, residual, use, MUCH)
    apart = robust_fit(columns, residual, use, MUCH, adjacent=False)
    assert (near.deviation > 3.0 * apart.deviation).all()


def test_outliers_hardly_matter() -> None:
    rng = np.random.default_rng(4)
    columns, residual, use = data(rng, np.array([0.1]))
    wild = rng.random(len(residual)) < 0.1
    residual[wild] += 50.0
    fit = robust_fit(columns, residual, use, MUCH)
    assert np.abs(fit.change - TRUE).max() < 0.05
    assert fit.outliers[0] == pytest.approx(wild.mean(), abs=0.02)


def test_what_is_not_excited_stays_as_described() -> None:
    columns, residual, use = data(np.random.default_rng(5), np.array([0.1]))
    columns[..., 1] = 0.0
    residual = columns @ TRUE
    fit = robust_fit(columns, residual, use, MUCH)
    assert fit.change == pytest.approx([1.0, 0.0, 0.5], abs=1e-6)
    assert fit.deviation[1] == pytest.approx(100.0)


def test_rows_that_do_not_count_do_not() -> None:
    columns, residual, use = data(np.random.default_rng(6), np.zeros(2))
    residual[::3, 0], use[::3, 0] = np.nan, False
    use[:, 1] = False
    fit = robust_fit(columns, residual, use, MUCH)
    assert np.abs(fit.change - TRUE).max() < 1e-9
    assert np.isnan(fit.noise[1])
    assert list(fit.rows) == [int(use[:, 0].sum()), 0]
