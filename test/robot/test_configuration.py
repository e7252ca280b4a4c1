"""q by joint name."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error

ROOT_HALF = np.sqrt(0.5)


@pytest.fixture
def plain() -> rd.Robot:
    from robots import random_tree

    return rd.Robot(random_tree(11, base="floating"), compile="off")


def own(robot: rd.Robot, kind: str) -> str:
    return next(j.name for j in robot.model.own_joints if j.joint.type_name == kind)


def test_nothing_given_is_neutral(plain: rd.Robot) -> None:
    assert np.array_equal(plain.configuration({}), plain.neutral())


def test_joints_are_set_by_name(plain: rd.Robot) -> None:
    values = {
        own(plain, "revolute"): 0.3,
        own(plain, "prismatic"): [-0.2],
        own(plain, "planar"): (0.1, 0.2, 0.3),
        "floating_base": np.array([1.0, 2.0, 3.0, 0.0, 0.0, ROOT_HALF, ROOT_HALF]),
    }
    q = plain.configuration(values)
    expected = plain.neutral()
    for name, value in values.items():
        joint = plain.model.joint(name)
        expected[joint.q_index : joint.q_index + joint.joint.nq] = value
    assert np.array_equal(q, expected)


def test_the_rest_comes_from_a_default(plain: rd.Robot) -> None:
    default = plain.random_configuration(1)
    name = own(plain, "revolute")
    q = plain.configuration({name: 0.5}, default=default)
    at = plain.model.joint(name).q_index
    assert q[at] == 0.5
    assert np.array_equal(np.delete(q, at), np.delete(default, at))
    assert default[at] != 0.5  # the caller's array stays as it was


def test_a_batch_of_defaults(plain: rd.Robot) -> None:
    default = np.stack([plain.random_configuration(seed) for seed in range(3)])
    name = own(plain, "planar")
    q = plain.configuration({name: [1.0, 2.0, 3.0]}, default=default)
    at = plain.model.joint(name).q_index
    assert q.shape == default.shape
    assert np.all(q[:, at : at + 3] == [1.0, 2.0, 3.0])


@pytest.mark.parametrize("value", [[], [1.0, 2.0], (1.0, 2.0, 3.0, 4.0)])
def test_a_wrong_number_of_values_is_told(plain: rd.Robot, value: list[float]) -> None:
    name = own(plain, "planar")
    with pytest.raises(rd.ArgumentError, match=rf"'{name}' has 3 coordinate.*got {len(value)}"):
        plain.configuration({name: value})
    single = own(plain, "revolute")
    with pytest.raises(rd.ArgumentError, match=rf"'{single}' has 1 coordinate"):
        plain.configuration({single: [1.0, 2.0]})


@pytest.mark.parametrize("value", ["0.3", None, 1j, [[1.0], [1.0, 2.0]], object()])
def test_what_is_no_number_is_told_with_its_joint(plain: rd.Robot, value: object) -> None:
    name = own(plain, "revolute")
    with pytest.raises(rd.ArgumentError, match=f"'{name}' must be"):
        plain.configuration({name: value})  # type: ignore[dict-item]


def test_an_unknown_joint_is_told_with_what_is_near(plain: rd.Robot) -> None:
    with pytest.raises(rd.UnknownNameError, match=r"no joint is called 'floating_bas'.*base"):
        plain.configuration({"floating_bas": 0.0})


def test_a_rate_without_a_coordinate_has_no_name(plain: rd.Robot) -> None:
    with pytest.raises(rd.UnknownNameError, match="floating_base/qx"):
        plain.configuration({"floating_base/rx": 0.0})


def test_a_follower_is_told_with_its_driver(plain: rd.Robot) -> None:
    followers = [j for _, j in plain.model.moving if j.is_follower]
    assert followers
    for follower in followers:
        with pytest.raises(rd.UnknownNameError) as caught:
            plain.configuration({follower.name: 0.1})
        assert f"'{follower.name}' follows joint '{follower.driver}'" in str(caught.value)
        assert plain.configuration({follower.driver or "": 0.1}).shape == (plain.model.nq,)


def test_a_fixed_joint_is_told_to_have_none(plain: rd.Robot) -> None:
    fixed = next(j.name for _, j in plain.model.moving if j.joint.type_name == "fixed")
    with pytest.raises(rd.UnknownNameError, match=rf"'{fixed}' is fixed"):
        plain.configuration({fixed: 0.0})


def test_a_quaternion_must_have_norm_one(plain: rd.Robot) -> None:
    with pytest.raises(rd.ArgumentError, match="floating_base"):
        plain.configuration({"floating_base": [0, 0, 0, 0, 0, 0, 2]})


def test_a_wrong_default_is_told(plain: rd.Robot) -> None:
    with pytest.raises(rd.ArgumentError, match="default must have shape"):
        plain.configuration({}, default=[0.0])


def test_numbers_that_are_not_finite_are_kept(plain: rd.Robot) -> None:
    name = own(plain, "revolute")
    q = plain.configuration({name: np.nan})
    assert np.isnan(q[plain.model.joint(name).q_index])
    assert np.isnan(plain.body_motion(q).position).all()


def test_results_are_fresh(plain: rd.Robot) -> None:
    plain.neutral()[...] = 7.0
    plain.configuration({})[...] = 7.0
    assert error(plain.configuration({}), plain.neutral()) == 0.0
    assert not (plain.neutral() == 7.0).any()


@pytest.mark.parametrize("seed", [0, 7])
def test_random_configurations_by_seed_or_generator(plain: rd.Robot, seed: int) -> None:
    q = plain.random_configuration(seed)
    assert q.shape == (plain.model.nq,)
    assert np.array_equal(q, plain.random_configuration(np.random.default_rng(seed)))
    assert not np.array_equal(plain.random_configuration(), plain.random_configuration())
    plain.body_motion(q)


def test_one_coordinate_of_a_joint_with_several_by_its_name() -> None:
    text = (
        "mechanism: 1\nbodies: {base: , ball: {mass: 1}, hand: {mass: 1}}\njoints:\n"
        "  wrist: {type: gimbal, sequence: '123', parent: base, child: ball}\n"
        "  free: {type: floating, parent: ball, child: hand}\n"
    )
    robot = rd.load(text, compile="off")
    q = robot.configuration({"wrist/ry": 0.2, "free/z": 0.5, "wrist/rx": 0.1})
    assert q.tolist() == [0.1, 0.2, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0]
    with pytest.raises(rd.errors.UnknownNameError, match=r"'wrist/x'.*did you mean 'wrist/rx'"):
        robot.configuration({"wrist/x": 0.1})
    with pytest.raises(rd.errors.ArgumentError, match="'wrist/rx' has 1 coordinate"):
        robot.configuration({"wrist/rx": [0.1, 0.2]})
