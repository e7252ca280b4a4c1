"""Trajectories: through their points, smooth from where the reference was, refused where odd."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.control import JointTrajectory, TrajectoryPoints
from robodyn_ros.errors import ArgumentError

START = (np.array([0.1, -0.2]), np.array([0.05, 0.0]), np.array([0.0, 0.3]))
TIMES = np.array([0.5, 1.0, 2.0])
POSITION = np.array([[0.3, -0.1], [0.4, 0.2], [0.2, 0.2]])
VELOCITY = np.array([[0.2, 0.1], [0.0, 0.3], [0.0, 0.0]])
ACCELERATION = np.array([[0.1, 0.0], [-0.2, 0.1], [0.0, 0.0]])
KINDS = {
    "positions": (None, None),
    "velocities": (VELOCITY, None),
    "accelerations": (VELOCITY, ACCELERATION),
}


def motion(kind: str = "positions", passed: float = 0.0) -> JointTrajectory:
    return JointTrajectory(TrajectoryPoints(TIMES, POSITION, *KINDS[kind]), passed, START)


@pytest.mark.parametrize("kind", KINDS)
def test_it_goes_through_its_points(kind: str) -> None:
    planned = motion(kind)
    for k, time in enumerate(TIMES):
        position, velocity, acceleration = planned.at(float(time) - 1e-12)
        np.testing.assert_allclose(position, POSITION[k], atol=1e-9)
        if KINDS[kind][0] is not None:
            np.testing.assert_allclose(velocity, VELOCITY[k], atol=1e-8)
        if KINDS[kind][1] is not None:
            np.testing.assert_allclose(acceleration, ACCELERATION[k], atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_it_begins_where_the_reference_was_and_ends_at_rest(kind: str) -> None:
    planned = motion(kind)
    position, velocity, acceleration = planned.at(0.0)
    np.testing.assert_allclose(position, START[0], atol=1e-12)
    np.testing.assert_allclose(velocity, START[1], atol=1e-12)
    if kind != "velocities":  # cubic pieces have accelerations of their own
        np.testing.assert_allclose(acceleration, START[2], atol=1e-9)
    for time in (2.0, 50.0):
        position, velocity, acceleration = planned.at(time)
        assert position.tolist() == POSITION[-1].tolist()
        assert not velocity.any()
        assert not acceleration.any()


@pytest.mark.parametrize("kind", KINDS)
def test_rates_are_the_derivatives(kind: str) -> None:
    planned, small = motion(kind), 1e-6
    for time in np.linspace(0.05, 1.9, 9):
        before, at, after = (planned.at(time + x * small) for x in (-1, 0, 1))
        np.testing.assert_allclose((after[0] - before[0]) / (2 * small), at[1], atol=1e-6)
        np.testing.assert_allclose((after[1] - before[1]) / (2 * small), at[2], atol=1e-5)


def test_positions_alone_do_not_swing_beyond_the_points() -> None:
    points = TrajectoryPoints(np.array([1.0, 2.0, 3.0]), np.array([[1.0], [1.0], [2.0]]))
    planned = JointTrajectory(points, 0.0, (np.zeros(1), np.zeros(1), np.zeros(1)))
    found = np.array([planned.at(t)[0][0] for t in np.linspace(0.0, 3.0, 301)])
    assert found.min() >= -1e-9
    assert found.max() <= 2.0 + 1e-9
    np.testing.assert_allclose(found[100:201], 1.0, atol=1e-9)


def test_what_has_passed_is_left_out() -> None:
    planned = motion(passed=0.7)
    np.testing.assert_allclose(planned.at(0.3 - 1e-12)[0], POSITION[1], atol=1e-9)
    assert planned.duration == pytest.approx(1.3)
    with pytest.raises(ArgumentError, match=r"was due 3 s ago"):
        motion(passed=5.0)


@pytest.mark.parametrize(
    ("times", "position", "more", "text"),
    [
        ([], np.zeros((0, 1)), {}, "1 to 100000 points, got 0"),
        ([1.0, 1.0], np.zeros((2, 1)), {}, "point 1 has 1 s after 1 s"),
        ([-1.0], np.zeros((1, 1)), {}, "at least 0"),
        ([math.nan], np.zeros((1, 1)), {}, "finite"),
        ([1e9], np.zeros((1, 1)), {}, "at most 86400 s"),
        ([1.0], np.full((1, 1), np.inf), {}, "position of the trajectory is not finite"),
        ([1.0], np.zeros((1, 1)), {"velocity": np.ones((1, 1))}, "last point must be at rest"),
        ([1.0], np.zeros((1, 1)), {"velocity": np.ones((1, 2))}, "one velocity for each joint"),
        ([1.0], np.zeros((1, 1)), {"acceleration": np.ones((1, 1))}, "need velocities too"),
    ],
)
def test_what_is_no_trajectory_is_refused(times, position, more, text) -> None:
    with pytest.raises(ArgumentError, match=text):
        TrajectoryPoints(np.array(times), position, **more)
