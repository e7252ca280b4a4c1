"""Trajectories: through their points, smooth from where the reference was, refused where odd."""

from __future__ import annotations

import math

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.control import (
    Commanded,
    JointFollower,
    JointTrajectory,
    RobotState,
    TrajectoryPoints,
)
from robodyn_ros.errors import ArgumentError
from robots import example

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
        ([], np.zeros((0, 1)), {}, "1 to 10000 points, got 0"),
        ([1.0, 1.0], np.zeros((2, 1)), {}, "point 1 has 1 s after 1 s"),
        ([-1.0], np.zeros((1, 1)), {}, "at least 0"),
        ([math.nan], np.zeros((1, 1)), {}, "finite"),
        ([1e9], np.zeros((1, 1)), {}, "at most 86400 s"),
        ([1.0], np.full((1, 1), np.inf), {}, "position of the trajectory is not finite"),
        ([1.0], np.full((1, 1), 1e12), {}, "position of the trajectory is beyond 1e.09"),
        ([1.0], np.zeros((1, 1)), {"velocity": np.ones((1, 1))}, "last point must be at rest"),
        ([1.0], np.zeros((1, 1)), {"velocity": np.ones((1, 2))}, "one velocity for each joint"),
        ([1.0], np.zeros((1, 1)), {"acceleration": np.ones((1, 1))}, "need velocities too"),
    ],
)
def test_what_is_no_trajectory_is_refused(times, position, more, text) -> None:
    with pytest.raises(ArgumentError, match=text):
        TrajectoryPoints(np.array(times), position, **more)


def test_points_that_no_numbers_can_join_are_refused() -> None:
    points = TrajectoryPoints(np.array([1e-160]), np.array([[1.0, 1.0]]))
    with pytest.raises(ArgumentError, match="between points is not finite"):
        JointTrajectory(points, 0.0, START)


@pytest.mark.parametrize(
    ("time", "passed", "text"),
    [(0.0, 0.0, "its last point has no time"), (1.0, -1e6, "is due in 1e.06 s")],
)
def test_ends_that_are_now_or_far_ahead_are_refused(time: float, passed: float, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        JointTrajectory(TrajectoryPoints(np.array([time]), np.zeros((1, 2))), passed, START)


MODEL = rd.load(str(example("panda.urdf")), compile="off").model
ARM = MODEL.coordinate_names[:7]
"""Each may move at 2.175 rad/s, or 2.61."""


def follower() -> tuple[JointFollower, np.ndarray]:
    """Return the Panda's follower, where it stands at 0.2 rad below the middle of its ranges."""
    made = JointFollower(Commanded.of(MODEL, ARM, dict.fromkeys(ARM, 50.0)))
    middle = np.array([sum(j.limits.span(3.0)) / 2.0 for j in MODEL.own_joints[:7]]) - 0.2
    q = np.concatenate([middle, np.zeros(MODEL.nq - 7)])
    made.begin(RobotState(q, np.zeros(MODEL.nv), 0))
    return made, middle


def test_motion_far_beyond_velocity_limits_is_refused() -> None:
    made, middle = follower()
    there = middle[None] + np.full((1, 7), 0.4)
    with pytest.raises(ArgumentError, match=r"'panda_joint1' would have to move at .* leave more"):
        made.take(ARM, TrajectoryPoints(np.array([0.1]), there), 0, 0)
    assert not made.is_under_way
    made.take(ARM, TrajectoryPoints(np.array([0.5]), there), 0, 0)
    assert made.is_under_way


def test_motion_that_swings_beyond_a_range_is_refused() -> None:
    made, middle = follower()
    lower = MODEL.own_joints[0].limits.lower
    position = np.tile(middle, (3, 1))
    position[:2, 0] = lower + 0.05
    velocity = np.zeros((3, 7))
    velocity[0, 0] = -1.5
    points = TrajectoryPoints(np.array([3.0, 4.0, 7.0]), position, velocity)
    with pytest.raises(ArgumentError, match="'panda_joint1' would swing to"):
        made.take(ARM, points, 0, 0)
    velocity[0, 0] = -0.1
    made.take(ARM, TrajectoryPoints(points.times, position, velocity), 0, 0)
