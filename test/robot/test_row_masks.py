"""A number that is not finite spoils its own sample, whole, and nothing else; quietly."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import robodyn_ros as rd
from robots import random_state

BAD = [np.nan, np.inf, -np.inf]


def rows(robot: rd.Robot, count: int = 5) -> dict[str, np.ndarray]:
    states = [random_state(robot.model, seed) for seed in range(count)]
    return dict(zip("qva", map(np.stack, zip(*states, strict=True)), strict=True))


def results(robot: rd.Robot, state: dict[str, np.ndarray]) -> list[np.ndarray]:
    motion, centres = robot.body_motion(**state), robot.center_of_mass_motion(**state)
    return [*motion, *centres, robot.jacobian(state["q"], "tool")]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["q", "v", "a"])
def test_a_single_sample_is_nan_throughout(robot: rd.Robot, name: str, bad: float) -> None:
    state = {key: x[0] for key, x in rows(robot).items()}
    for k in range(state[name].size):
        spoilt = {key: x.copy() for key, x in state.items()}
        spoilt[name][k] = bad
        for field in (*robot.body_motion(**spoilt), *robot.center_of_mass_motion(**spoilt)):
            assert np.isnan(field).all()
        if name == "q":
            assert np.isnan(robot.jacobian(spoilt["q"], "tool")).all()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", ["q", "v", "a"])
def test_only_that_row_of_a_batch(robot: rd.Robot, name: str, bad: float) -> None:
    state = rows(robot)
    clean = results(robot, state)
    for row, k in ((0, 0), (2, 5), (4, state[name].shape[1] - 1)):
        spoilt = {key: x.copy() for key, x in state.items()}
        spoilt[name][row, k] = bad
        others = [i for i in range(5) if i != row]
        for index, (x, y) in enumerate(zip(results(robot, spoilt), clean, strict=True)):
            jacobian_without_rates = index == len(clean) - 1 and name != "q"
            if not jacobian_without_rates:
                assert np.isnan(x[row]).all()
            assert np.array_equal(x[others], y[others])


def test_several_rows_and_several_arguments(robot: rd.Robot) -> None:
    state = rows(robot)
    clean = robot.body_motion(**state)
    state["q"][1, :] = np.nan
    state["v"][3, 2] = np.inf
    state["a"][3, 0] = np.nan
    for x, y in zip(robot.body_motion(**state), clean, strict=True):
        assert np.isnan(x[[1, 3]]).all()
        assert np.array_equal(x[[0, 2, 4]], y[[0, 2, 4]])


def test_every_row(robot: rd.Robot) -> None:
    state = rows(robot)
    state["v"][:, 1] = np.nan
    assert all(np.isnan(x).all() for x in robot.body_motion(**state))


@pytest.mark.parametrize("bad", BAD)
def test_a_single_argument_spoils_every_row(robot: rd.Robot, bad: float) -> None:
    state = rows(robot)
    a = state["a"][0].copy()
    a[1] = bad
    assert all(np.isnan(x).all() for x in robot.body_motion(state["q"], state["v"], a))


@pytest.mark.parametrize("bad", BAD)
def test_a_quaternion_that_is_not_finite_does_not_raise(robot: rd.Robot, bad: float) -> None:
    state = rows(robot)
    joint = robot.model.joint("floating_base")
    for k in range(3, 7):
        state["q"][1] = rows(robot)["q"][1]
        state["q"][1, joint.q_index + k] = bad
        motion = robot.body_motion(**state)
        assert np.isnan(motion.position[1]).all()
        assert np.isfinite(motion.position[[0, 2, 3, 4]]).all()
        assert np.isnan(robot.body_motion(state["q"][1]).rotation).all()


def test_a_row_that_is_nan_anyway_may_hold_any_quaternion(robot: rd.Robot) -> None:
    """As a dropped message leaves it: zeros for the attitude and NaN elsewhere."""
    state = rows(robot)
    state["q"][2, :7] = 0.0
    state["q"][2, -1] = np.nan
    motion = robot.body_motion(**state)
    assert np.isnan(motion.position[2]).all()
    assert np.isfinite(motion.position[[0, 1, 3, 4]]).all()
    assert np.isnan(robot.body_motion(state["q"][2]).position).all()


@pytest.mark.parametrize("lead", [(), (3,)])
def test_integrate_and_difference_mask_rows_too(robot: rd.Robot, lead: tuple[int, ...]) -> None:
    state = {key: x[:3] if lead else x[0] for key, x in rows(robot).items()}
    row = (1,) if lead else ()
    for bad in BAD:
        for name in ("q", "v"):
            spoilt = {key: x.copy() for key, x in state.items()}
            spoilt[name][(*row, 0)] = bad
            moved = robot.integrate(spoilt["q"], spoilt["v"], 0.1)
            assert np.isnan(moved[row]).all()
            if lead:
                clean = robot.integrate(state["q"], state["v"], 0.1)
                assert np.array_equal(moved[[0, 2]], clean[[0, 2]])
        there = state["q"].copy()
        there[(*row, -1)] = bad
        for steps in (robot.difference(state["q"], there), robot.difference(there, state["q"])):
            assert np.isnan(steps[row]).all()
            if lead:
                assert np.isfinite(steps[[0, 2]]).all()


@pytest.mark.parametrize("bad", BAD)
def test_a_time_that_is_not_finite(robot: rd.Robot, bad: float) -> None:
    q, v, _ = random_state(robot.model, 0)
    assert np.isnan(robot.integrate(q, v, bad)).all()
    moved = robot.integrate(q, v, [0.1, bad])
    assert np.isfinite(moved[0]).all()
    assert np.isnan(moved[1]).all()


@pytest.mark.parametrize("huge", [1e160, 1.7e308])
def test_finite_numbers_that_overflow_spoil_their_row_quietly(robot: rd.Robot, huge: float) -> None:
    state = rows(robot)
    clean = robot.body_motion(**state)
    state["v"][1, 0] = huge
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion = robot.body_motion(**state)
        single = robot.body_motion(*(x[1] for x in state.values()))
    assert not np.isfinite(motion.linear_acceleration[1]).all()
    assert not np.isfinite(single.linear_acceleration).all()
    for x, y in zip(motion, clean, strict=True):
        assert np.array_equal(x[[0, 2, 3, 4]], y[[0, 2, 3, 4]])


def test_angles_of_many_turns_are_fine(robot: rd.Robot) -> None:
    state = rows(robot)
    angles = [j.q_index for j in robot.model.own_joints if j.joint.type_name == "continuous"]
    revolute = [j.q_index for j in robot.model.own_joints if j.joint.type_name == "revolute"]
    state["q"][:, [*angles, *revolute]] += 1000.0 * 2.0 * np.pi
    assert all(np.isfinite(x).all() for x in robot.body_motion(**state))


def test_tiny_numbers_are_fine(robot: rd.Robot) -> None:
    q = robot.neutral()
    v = np.full(robot.model.nv, 5e-324)
    assert all(np.isfinite(x).all() for x in robot.body_motion(q, v, v))
