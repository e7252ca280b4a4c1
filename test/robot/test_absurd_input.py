"""Finite but absurd, and not finite at all: masked, refused in our words, or computed alike."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros.joints import Revolute
from robots import random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")


@pytest.fixture(scope="module")
def robot():
    return rd.Robot(random_tree(11, base="floating"), compile="off")


@pytest.fixture(scope="module")
def state(robot):
    return random_state(robot.model, 1)


@pytest.mark.parametrize("where", ["q", "v", "dt"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_integrate_masks_the_whole_sample(robot, state, where, value):
    q, v, _ = state
    rows = {"q": np.stack([q] * 3), "v": np.stack([v] * 3), "dt": np.full(3, 0.1)}
    good = robot.integrate(*rows.values())
    rows[where][1, ...] = value
    masked = robot.integrate(*rows.values())
    assert np.isnan(masked[1]).all()
    assert np.array_equal(masked[[0, 2]], good[[0, 2]])


def test_difference_masks_the_whole_sample(robot, state):
    broken = np.stack([state[0]] * 3)
    broken[2, -1] = np.nan
    step = robot.difference(state[0], broken)
    assert np.isnan(step[2]).all()
    assert error(step[:2], np.zeros_like(step[:2])) < 1e-15


@pytest.mark.parametrize(
    "dt", [None, "x", 1j, np.ones((4, 1)), np.ones((2, 4)), np.ones(3), [[]], 10**400]
)
def test_a_bad_time_is_refused_in_our_words(robot, state, dt):
    with pytest.raises(rd.ArgumentError, match="dt"):
        robot.integrate(np.stack([state[0]] * 4), state[1], dt)


@pytest.mark.parametrize("angle", [2.0**51, 1e17, -1e300])
@pytest.mark.parametrize("rows", [None, 5])
def test_angles_beyond_the_kernels_range_give_the_plain_functions_numbers(angle, rows):
    model = random_tree(11)
    plain, compiled = rd.Robot(model, compile="off"), rd.Robot(model, compile="wait")
    assert compiled.compile("body_motion")
    q, v, a = random_state(model, 3)
    q = q if rows is None else np.stack([q] * rows)
    name = next(j.name for j in model.own_joints if j.joint.type_name == "continuous")
    q[..., model.joint(name).q_index] = angle
    if rows is not None:
        q[2, 0] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours, reference = compiled.body_motion(q, v, a), plain.body_motion(q, v, a)
    for x, y in zip(ours, reference, strict=True):
        kept = slice(None) if rows is None else [0, 1, 3, 4]
        assert np.isfinite(x[kept]).all()
        assert error(x[kept], y[kept]) == 0.0
        if rows is not None:
            assert np.isnan(x[2]).all()


def test_huge_finite_numbers_warn_on_neither_path():
    model = random_tree(11)
    q, _, a = random_state(model, 3)
    for mode in ("off", "wait"):
        robot = rd.Robot(model, compile=mode)
        robot.body_motion(q, np.full(model.nv, 1e300), a)


def test_run_time_state_is_checked():
    robot = rd.Robot(random_tree(11, base="prescribed"), compile="off")
    with pytest.raises(rd.ArgumentError, match="Environment"):
        robot.environment = None
    with pytest.raises(rd.ArgumentError, match="equally many rows"):
        robot.set_base_motion(np.zeros((2, 3)), linear_velocity=np.zeros((3, 3)))
    with pytest.raises(rd.ArgumentError, match="at least one row"):
        robot.set_base_motion(np.zeros((0, 3)))
    with pytest.raises(rd.ArgumentError, match="mapping"):
        robot.configuration(3)
    with pytest.raises(rd.ArgumentError, match="j3"):
        robot.configuration({"j3": 10**400})


def test_a_mimic_chain_that_overflows_is_an_error_that_names_a_joint():
    builder = rd.ModelBuilder("chain")
    builder.add_body("l0")
    for i in range(40):
        builder.add_body(f"l{i + 1}")
        builder.add_joint(f"j{i}", Revolute((0, 0, 1)), f"l{i}", f"l{i + 1}")
    for i in range(39):
        builder.add_mimic(f"j{i}", f"j{i + 1}", 1e10)
    with pytest.raises(rd.DescriptionError, match=r"joint 'j\d+' mimics through a chain"):
        builder.build()
