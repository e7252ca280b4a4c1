"""`integrate` and `difference` at the facade: what they take and give back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from mixed_trees import mixed_state, tree_of_every_type
from robots import random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")

ROUNDING = 1e-13


@pytest.fixture
def plain() -> rd.Robot:
    return rd.Robot(random_tree(12, base="floating"), compile="off")


def test_there_and_back(plain: rd.Robot) -> None:
    q, v, _ = random_state(plain.model, 0)
    there = plain.integrate(q, v, 0.5)
    assert error(plain.difference(q, there), 0.5 * v) < ROUNDING
    assert np.array_equal(plain.integrate(q, v), plain.integrate(q, v, 1.0))


def test_lists_will_do(plain: rd.Robot) -> None:
    q, v, _ = random_state(plain.model, 0)
    moved = plain.integrate(q.tolist(), tuple(v), 1)
    assert np.array_equal(moved, plain.integrate(q, v))
    steps = plain.difference(q.tolist(), moved.tolist())
    assert np.array_equal(steps, plain.difference(q, moved))


@pytest.mark.parametrize("times", [[0.1, 0.2, 0.3], (0, 1, 2), np.array([0.5, 0.5, 0.5])])
def test_a_time_for_each_row(plain: rd.Robot, times: Any) -> None:
    states = [random_state(plain.model, seed) for seed in range(3)]
    q, v = (np.stack([state[k] for state in states]) for k in range(2))
    moved = plain.integrate(q, v, times)
    fan = plain.integrate(q[0], v[0], times)
    for row, time in enumerate(times):
        assert error(moved[row], plain.integrate(q[row], v[row], time)) < ROUNDING
        assert error(fan[row], plain.integrate(q[0], v[0], time)) < ROUNDING


@pytest.mark.parametrize(
    "time", ["1", None, 1j, [[0.1, 0.2]], [0.1, 0.2], ["a", "b", "c"], [0.1, [0.2]]], ids=str
)
def test_a_time_that_is_none_is_refused_by_name(plain: rd.Robot, time: Any) -> None:
    q, v, _ = random_state(plain.model, 0)
    rows = np.stack([q, q, q])
    with pytest.raises(rd.ArgumentError, match=r"\bdt\b"):
        plain.integrate(rows, v, time)


def test_results_are_contiguous_floats(plain: rd.Robot) -> None:
    q, v, _ = random_state(plain.model, 0)
    many = np.stack([q, q])
    for x in (
        plain.integrate(q, v),
        plain.integrate(many, v),
        plain.integrate(q, v, [0.1, 0.2]),
        plain.difference(q, many),
    ):
        assert x.dtype == np.float64
        assert x.flags.c_contiguous
        assert x.flags.writeable


def test_results_do_not_alias_the_arguments(plain: rd.Robot) -> None:
    q, v, _ = random_state(plain.model, 0)
    before = q.copy()
    plain.integrate(q, v)[...] = 7.0
    plain.difference(q, q)[...] = 7.0
    assert np.array_equal(q, before)


def test_a_robot_without_coordinates() -> None:
    builder = rd.ModelBuilder("stone")
    builder.add_body("stone")
    robot = rd.Robot(builder.build(), compile="off")
    assert robot.integrate([], []).shape == (0,)
    assert robot.integrate(np.zeros((3, 0)), []).shape == (3, 0)
    assert robot.difference([], []).shape == (0,)
    assert robot.configuration({}).shape == (0,)
    assert robot.body_motion([]).position.shape == (1, 3)
    assert robot.jacobian([], "stone").shape == (6, 0)


def test_kernels_of_both_are_as_the_plain_functions() -> None:
    model = tree_of_every_type()
    compiled, plain = rd.Robot(model, compile="wait"), rd.Robot(model, compile="off")
    assert compiled.compile("integrate", "coordinate_rates")
    q, v, _ = mixed_state(model, 3)
    assert error(compiled.coordinate_rates(q, v), plain.coordinate_rates(q, v)) < ROUNDING
    for time in (np.array(0.1), 0.1, [0.1, 0.2]):
        assert error(compiled.integrate(q, v, time), plain.integrate(q, v, time)) < ROUNDING
    assert np.array_equal(compiled.integrate(q, v), plain.integrate(q, v))


def test_coordinate_rates_are_the_slope_of_the_way(plain: rd.Robot) -> None:
    q, v, _ = random_state(plain.model, 0)
    step = 1e-6
    slope = (plain.integrate(q, v, step) - plain.integrate(q, v, -step)) / (2.0 * step)
    assert error(plain.coordinate_rates(q, v), slope) < 1e-8
    with pytest.raises(rd.ArgumentError, match="v must have shape"):
        plain.coordinate_rates(q, v[:-1])
