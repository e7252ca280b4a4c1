"""Run-time state: gravity and the motion of a prescribed base, set by checked setters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros.algorithms import body_motion, jacobian
from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix
from robots import random_state, random_tree

ROUNDING = 1e-12


@pytest.fixture
def fixed() -> rd.Robot:
    return rd.Robot(random_tree(1, bodies=4), compile="off")


def motion(seed: int, *lead: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    names = (
        "position",
        "angular_velocity",
        "linear_velocity",
        "angular_acceleration",
        "linear_acceleration",
    )
    values = {name: rng.normal(size=(*lead, 3)) for name in names}
    return {"quaternion": quaternion_exponential(rng.normal(size=(*lead, 3))), **values}


def test_gravity_points_down(fixed: rd.Robot) -> None:
    assert fixed.gravity.tolist() == [0.0, 0.0, -9.81]


@pytest.mark.parametrize("gravity", [(0, 0, -1.62), [1, 2, 3], np.array([0.0, 0.0, 0.0])])
def test_gravity_is_set(fixed: rd.Robot, gravity: Any) -> None:
    before = fixed.environment
    fixed.gravity = gravity
    assert fixed.gravity.tolist() == list(map(float, gravity))
    assert fixed.environment is not before
    assert before.gravity.tolist() == [0.0, 0.0, -9.81]


def test_gravity_is_a_read_only_copy(fixed: rd.Robot) -> None:
    given = np.array([0.0, 0.0, -1.0])
    fixed.gravity = given
    given[2] = 7.0
    assert fixed.gravity[2] == -1.0
    with pytest.raises(ValueError, match="read-only"):
        fixed.gravity[2] = 7.0


@pytest.mark.parametrize(
    "gravity",
    [
        9.81,
        (0, 0),
        (0, 0, 0, 0),
        [(0, 0, -1)],
        (0, 0, np.nan),
        (0, 0, -np.inf),
        "down",
        None,
        (0, 0, 1j),
    ],
    ids=str,
)
def test_what_is_no_gravity_is_refused_and_changes_nothing(fixed: rd.Robot, gravity: Any) -> None:
    before = fixed.environment
    with pytest.raises(rd.ArgumentError, match="gravity"):
        fixed.gravity = gravity
    assert fixed.environment is before


def test_robots_of_one_model_have_environments_of_their_own(fixed: rd.Robot) -> None:
    other = rd.Robot(fixed.model, compile="off")
    fixed.gravity = (0, 0, 0)
    assert other.gravity.tolist() == [0.0, 0.0, -9.81]


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_only_a_prescribed_base_is_moved(base: str) -> None:
    robot = rd.Robot(random_tree(1, base=base), compile="off")
    with pytest.raises(rd.ArgumentError, match=f"'{base}'.*base='prescribed'"):
        robot.set_base_motion((1, 2, 3))


def test_the_base_moves_as_told(carried: rd.Robot) -> None:
    given = motion(0)
    returned = carried.set_base_motion(**given)
    assert carried.environment.base_motion is returned
    result = carried.body_motion(*random_state(carried.model, 0))
    assert np.array_equal(result.position[1], given["position"])
    assert error(result.rotation[1], quaternion_to_matrix(given["quaternion"])) < ROUNDING
    for name, value in given.items():
        if name not in ("position", "quaternion"):
            assert np.array_equal(getattr(result, name)[1], value)


def test_everything_is_carried_as_the_plain_functions_say(carried: rd.Robot) -> None:
    carried.set_base_motion(**motion(1))
    environment = carried.environment
    model = carried.model
    state = random_state(model, 1)
    for x, y in zip(
        carried.body_motion(*state),
        body_motion(model, *state, environment=environment),
        strict=True,
    ):
        assert error(x, y) < ROUNDING
    J = jacobian(model, state[0], "tool", environment=environment)
    assert error(carried.jacobian(state[0], "tool"), J) < ROUNDING


@pytest.mark.parametrize("single", ["q", "base", "neither"])
def test_a_row_of_base_motion_for_each_sample(carried: rd.Robot, single: str) -> None:
    model = carried.model
    states = [random_state(model, seed) for seed in range(4)]
    rows = [np.stack(column) for column in zip(*states, strict=True)]
    state = states[0] if single == "q" else rows
    many = motion(2) if single == "base" else motion(2, 4)
    carried.set_base_motion(**many)
    whole = carried.body_motion(*state)
    J = carried.jacobian(state[0], "tool")
    assert whole.position.shape == (4, model.nb, 3)
    if single != "q" or many["position"].ndim == 2:
        assert J.shape == (4, 6, model.nv)
    for row in range(4):
        one = {name: x if x.ndim == 1 else x[row] for name, x in many.items()}
        carried.set_base_motion(**one)
        sample = [x if x.ndim == 1 else x[row] for x in state]
        for x, y in zip(whole, carried.body_motion(*sample), strict=True):
            assert error(x[row], y) < ROUNDING
        assert error(J[row], carried.jacobian(sample[0], "tool")) < ROUNDING


def test_values_left_out_are_at_rest_at_home(carried: rd.Robot) -> None:
    carried.set_base_motion(**motion(3))
    carried.set_base_motion()
    rest = carried.environment.base_motion
    assert np.array_equal(rest.rotation, np.eye(3))
    for name in vars(rest):
        if name != "rotation":
            assert not getattr(rest, name).any()


def test_lists_will_do(carried: rd.Robot) -> None:
    carried.set_base_motion([1, 2, 3], [0, 0, 0, 1], angular_velocity=(0, 0, 1))
    assert carried.body_motion(carried.neutral()).position[1].tolist() == [1.0, 2.0, 3.0]


UNFIT: dict[str, dict[str, Any]] = {
    "position": {"position": (1, 2)},
    "quaternion": {"quaternion": (0, 0, 1)},
    "angular_velocity": {"angular_velocity": "fast"},
    "linear_velocity": {"linear_velocity": (0, 0, np.nan)},
    "angular_acceleration": {"angular_acceleration": (0, np.inf, 0)},
    "linear_acceleration": {"linear_acceleration": [[[0, 0, 0]]]},
    "norm 2": {"quaternion": (0, 0, 0, 2)},
    "norm 0": {"quaternion": (0, 0, 0, 0)},
    "norm 0.5": {"quaternion": [(0, 0, 0, 1), (0, 0, 0, 0.5)]},
    "be finite": {"quaternion": (0, 0, 0, np.nan)},
    "quaternion ": {"quaternion": (0, 0, 0, np.inf)},
    "quaternion has 2, position has 3": {
        "position": np.zeros((3, 3)),
        "quaternion": [(0, 0, 0, 1)] * 2,
    },
}


@pytest.mark.parametrize("words", UNFIT)
def test_unfit_values_are_refused_by_name_and_change_nothing(carried: rd.Robot, words: str) -> None:
    carried.set_base_motion(**motion(4))
    before = carried.environment
    q = carried.neutral()
    result = carried.body_motion(q)
    with pytest.raises(rd.ArgumentError, match=words):
        carried.set_base_motion(**UNFIT[words])
    assert carried.environment is before
    for x, y in zip(carried.body_motion(q), result, strict=True):
        assert np.array_equal(x, y)


def test_batches_that_do_not_fit_the_base_are_told(carried: rd.Robot) -> None:
    carried.set_base_motion(**motion(5, 4))
    rows = np.stack([random_state(carried.model, seed)[0] for seed in range(3)])
    with pytest.raises(rd.ArgumentError, match=r"q has 3.*base_motion has 4"):
        carried.body_motion(rows)


def test_earlier_results_stay(carried: rd.Robot) -> None:
    q = carried.neutral()
    result = carried.body_motion(q)
    kept = result.position.copy()
    carried.set_base_motion(**motion(6))
    carried.body_motion(q)
    assert np.array_equal(result.position, kept)


def test_an_environment_is_set_as_one(carried: rd.Robot) -> None:
    carried.gravity = (0, 0, -1)
    carried.set_base_motion(**motion(7))
    kept = carried.environment
    q = carried.neutral()
    result = carried.body_motion(q)
    carried.environment = rd.Environment()
    assert carried.gravity.tolist() == [0.0, 0.0, -9.81]
    assert not carried.body_motion(q).position[1].any()
    carried.environment = kept
    for x, y in zip(carried.body_motion(q), result, strict=True):
        assert np.array_equal(x, y)


@pytest.mark.parametrize("value", [None, (0, 0, -9.81), {"gravity": 0}, rd.BaseMotion()])
def test_what_is_no_environment_is_refused(carried: rd.Robot, value: Any) -> None:
    before = carried.environment
    with pytest.raises(rd.ArgumentError, match="an Environment is needed"):
        carried.environment = value
    assert carried.environment is before
