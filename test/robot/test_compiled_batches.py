"""Batches that a compiled method takes by itself: the careful path's results, errors and masks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.robot import LazyBodyMotion
from robots import example, random_state, random_tree

pytestmark = pytest.mark.usefixtures("compiling_here")

METHODS = {"inverse_dynamics": 3, "bias_force": 2, "mass_matrix": 1}


@pytest.fixture(scope="module")
def robots() -> dict[str, rd.Robot]:
    """An arm without quaternions, and one on a floating base, both compiled."""
    made = {
        "fixed": rd.load(example("ur5_robot.urdf"), compile="wait"),
        "floating": rd.Robot(random_tree(11, bodies=6, base="floating"), compile="wait"),
    }
    for robot in made.values():
        assert robot.compile(*METHODS)
    return made


@pytest.fixture(params=["fixed", "floating"])
def arm(request: pytest.FixtureRequest, robots: dict[str, rd.Robot]) -> rd.Robot:
    return robots[request.param]


def rows(robot: rd.Robot, count: int) -> tuple[np.ndarray, ...]:
    states = [random_state(robot.model, seed) for seed in range(count)]
    return tuple(np.stack(column) for column in zip(*states, strict=True))


def careful(robot: rd.Robot, method: str) -> Callable[..., np.ndarray]:
    """Return the method of the class, which Python answers."""
    bound: Callable[..., np.ndarray] = getattr(type(robot), method).__get__(robot)
    return bound


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 5, 300])
def test_rows_equal_single_calls(arm: rd.Robot, method: str, count: int) -> None:
    given = rows(arm, count)[: METHODS[method]]
    call = getattr(arm, method)
    assert type(call).__name__ == "builtin_function_or_method"
    result = call(*given)
    single = np.stack([call(*state) for state in zip(*given, strict=True)])
    np.testing.assert_array_equal(result, single)
    out = np.full_like(result, 7.0)
    assert call(*given, out=out) is out
    np.testing.assert_array_equal(out, single)
    np.testing.assert_array_equal(careful(arm, method)(*given), single)


def test_rates_may_be_left_out_or_shared(arm: rd.Robot) -> None:
    q, v, a = rows(arm, 6)
    zeros = np.zeros_like(v)
    np.testing.assert_array_equal(arm.inverse_dynamics(q), arm.inverse_dynamics(q, zeros, zeros))
    shared = arm.inverse_dynamics(q, v[2], a)
    np.testing.assert_array_equal(shared, arm.inverse_dynamics(q, np.tile(v[2], (6, 1)), a))


def test_gravity_of_the_moment_counts(robots: dict[str, rd.Robot]) -> None:
    arm = robots["fixed"]
    q, v, a = rows(arm, 6)
    before = arm.inverse_dynamics(q, v, a)
    arm.gravity = (0.0, 0.0, -1.62)
    moon = arm.inverse_dynamics(q, v, a)
    assert not np.allclose(moon, before)
    np.testing.assert_array_equal(moon[3], arm.inverse_dynamics(q[3], v[3], a[3]))
    arm.environment = rd.Environment()
    np.testing.assert_array_equal(arm.inverse_dynamics(q, v, a), before)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_rows_that_are_not_finite_are_nan_and_alone(arm: rd.Robot, bad: float) -> None:
    q, v, a = rows(arm, 9)
    clean = arm.inverse_dynamics(q, v, a)
    out = np.zeros_like(clean)
    v[4, 1] = bad
    for result in (arm.inverse_dynamics(q, v, a), arm.inverse_dynamics(q, v, a, out=out)):
        assert np.isnan(result[4]).all()
        others = np.delete(np.arange(9), 4)
        np.testing.assert_array_equal(result[others], clean[others])


def test_errors_are_those_of_the_careful_path(arm: rd.Robot) -> None:
    q, v, a = rows(arm, 4)
    for given, keywords in (
        ((q[:, :-1], v, a), {}),
        ((q, v[:2], a), {}),
        ((q[:1], v, a), {}),
        ((q, v, a), {"out": np.zeros((3, arm.model.nv))}),
        ((q, v, a), {"out": np.zeros((4, arm.model.nv), dtype=np.float32)}),
        ((q[0], v[0], a[0]), {"out": np.zeros((4, arm.model.nv))}),
    ):
        texts = []
        for call in (arm.inverse_dynamics, careful(arm, "inverse_dynamics")):
            with pytest.raises(rd.ArgumentError) as caught:
                call(*given, **keywords)
            texts.append(str(caught.value))
        assert texts[0] == texts[1]


def test_results_of_several_arrays_are_filled_or_refused_alike(arm: rd.Robot) -> None:
    q, v, a = rows(arm, 5)
    assert arm.compile("body_motion")
    expected = arm.body_motion(q, v, a)
    out = LazyBodyMotion.of([np.full_like(x, 7.0) for x in expected])
    assert arm.body_motion(q, v, a, out=out) is out
    for k, (x, y) in enumerate(zip(out, expected, strict=True)):
        np.testing.assert_array_equal(x, y)
        np.testing.assert_array_equal(x[3], list(arm.body_motion(q[3], v[3], a[3]))[k])
        x[...] = 7.0
    for given in ((q[0], v[0], a[0]), (q[:3], v, a), (q[:1], v, a), (q[:, :-1], v, a)):
        with pytest.raises(rd.ArgumentError):
            arm.body_motion(*given, out=out)
    assert all((x == 7.0).all() for x in out)
    v[2, 0] = np.nan
    arm.body_motion(q, v, a, out=out)
    assert all(np.isnan(x[2]).all() and np.isfinite(x[[0, 1, 3, 4]]).all() for x in out)


def test_a_bad_quaternion_is_refused_before_anything_is_written(
    robots: dict[str, rd.Robot],
) -> None:
    robot = robots["floating"]
    q, v, a = rows(robot, 40)
    out = np.full((40, robot.model.nv), 7.0)
    q[30, 3:7] *= 1.1
    with pytest.raises(rd.ArgumentError, match="quaternion"):
        robot.inverse_dynamics(q, v, a)
    with pytest.raises(rd.ArgumentError, match="quaternion"):
        robot.inverse_dynamics(q, v, a, out=out)
    assert (out == 7.0).all()


def test_an_output_may_lie_over_an_input(robots: dict[str, rd.Robot]) -> None:
    robot = robots["fixed"]
    q, v, a = rows(robot, 7)
    expected = robot.inverse_dynamics(q, v, a)
    assert robot.inverse_dynamics(q, v, a, out=a) is a
    np.testing.assert_array_equal(a, expected)
