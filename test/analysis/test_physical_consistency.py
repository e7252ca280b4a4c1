"""Possible bodies: every ten numbers are one, and data are met as well as a body can."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.analysis.physical_consistency import Problem, _Search, consistent
from robodyn_ros.analysis.pseudo_inertia import (
    is_consistent,
    parameters_from,
    pseudo_inertia,
    root,
    triangle,
    triangle_derivatives,
)
from robodyn_ros.model.inertia import parameters_of

EXACT = 1e-12
RNG = np.random.default_rng


def body(rng: np.random.Generator) -> np.ndarray:
    """Return the parameters of a cloud of points."""
    points, masses = rng.normal(size=(8, 3)) * 0.1, rng.uniform(0.1, 1.0, 8)
    return sum(parameters_of(m, p, np.zeros((3, 3))) for m, p in zip(masses, points, strict=True))


def problem(
    rng: np.random.Generator, described: np.ndarray, true: np.ndarray, weight: float
) -> Problem:
    count = described.size
    columns = rng.normal(size=(3 * count, count))
    return Problem(
        bodies=described,
        others=np.zeros(0),
        at_least_zero=np.zeros(0, dtype=bool),
        much=np.ones(0),
        combined=np.eye(count),
        information=weight * columns.T @ columns,
        gradient=weight * columns.T @ (columns @ (true - described).ravel()),
    )


def test_the_pseudo_inertia_is_the_second_moment_of_mass() -> None:
    rng = RNG(0)
    points, masses = rng.normal(size=(5, 3)), rng.uniform(0.1, 1.0, 5)
    parameters = sum(
        parameters_of(m, p, np.zeros((3, 3))) for m, p in zip(masses, points, strict=True)
    )
    lifted = np.column_stack([points, np.ones(5)])
    expected = (lifted.T * masses) @ lifted
    assert np.abs(pseudo_inertia(parameters) - expected).max() < EXACT
    assert np.abs(parameters_from(expected) - parameters).max() < EXACT


def test_every_ten_numbers_are_a_body() -> None:
    numbers = RNG(1).normal(size=(500, 10))
    L = triangle(numbers)
    bodies = parameters_from(L @ np.swapaxes(L, 1, 2))
    assert is_consistent(bodies)
    moments = [np.linalg.eigvalsh(_central_inertia(each)) for each in bodies]
    assert all(x[0] + x[1] > x[2] > 0.0 for x in moments)


def _central_inertia(parameters: np.ndarray) -> np.ndarray:
    from robodyn_ros.model.inertia import central

    return central(parameters)[2]


def test_what_is_no_body_is_found_out_and_made_one() -> None:
    thin = parameters_of(1.0, np.zeros(3), np.diag([0.0, 0.1, 0.1]))  # a rod
    wrong = parameters_of(1.0, np.zeros(3), np.diag([0.1, 0.1, 0.5]))
    nothing = np.zeros(10)
    for parameters in (thin, wrong, nothing):
        assert not is_consistent(parameters)
        L = root(parameters, 1.0, 0.1)
        assert is_consistent(parameters_from(L @ L.T))
    whole = body(RNG(2))
    L = root(whole, 1.0, 0.1)
    assert np.abs(parameters_from(L @ L.T) - whole).max() < EXACT


def test_derivatives_of_the_triangle() -> None:
    x, step = RNG(3).normal(size=10), 1e-6
    for k, found in enumerate(triangle_derivatives(x)):
        ahead, behind = (triangle(x + sign * step * np.eye(10)[k]) for sign in (1.0, -1.0))
        assert np.abs(found - (ahead - behind) / (2.0 * step)).max() < 1e-8


def test_derivatives_of_the_residuals() -> None:
    rng, step = RNG(4), 1e-6
    described = np.array([body(rng), body(rng)])
    given = problem(rng, described, described, 1.0)
    given = Problem(
        described,
        np.array([0.5, -0.2]),
        np.array([True, False]),
        np.array([1.0, 2.0]),
        rng.normal(size=(20, 22)),
        given.information,
        rng.normal(size=20),
    )
    search = _Search(given)
    x = search.start + 0.1 * rng.normal(size=22)
    found = search.jacobian(x)
    for k, one in enumerate(np.eye(22)):
        ahead, behind = (search.residuals(x + sign * step * one) for sign in (1.0, -1.0))
        slope = (ahead - behind) / (2.0 * step)
        assert np.abs(found[:, k] - slope).max() < 1e-6 * max(1.0, np.abs(slope).max())


def test_data_of_bodies_give_those_bodies() -> None:
    rng = RNG(5)
    described, true = (np.array([body(rng) for _ in range(3)]) for _ in range(2))
    found, others = consistent(problem(rng, described, true, 1e12))
    assert np.abs(found - true).max() < 1e-6 * np.abs(true).max()
    assert others.shape == (0,)


def test_without_data_all_stays_as_described() -> None:
    rng = RNG(6)
    described = np.array([body(rng)])
    found, _ = consistent(problem(rng, described, described, 0.0))
    assert np.abs(found - described).max() < 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_data_of_no_body_give_one_near_them(seed: int) -> None:
    rng = RNG(seed)
    described = np.array([body(rng)])
    wrong = described + rng.normal(size=10) * np.abs(described).max()
    wrong[0, 0] = -1.0
    found, _ = consistent(problem(rng, described, wrong, 1e6))
    assert is_consistent(found)


def test_squares_stay_at_zero_where_data_want_less() -> None:
    given = Problem(
        np.zeros((0, 10)),
        np.array([1.0, 1.0]),
        np.array([True, False]),
        np.array([10.0, 10.0]),
        np.eye(2),
        1e6 * np.eye(2),
        1e6 * np.array([-3.0, -3.0]),
    )
    _, others = consistent(given)
    assert others == pytest.approx([0.0, -2.0], abs=1e-3)
