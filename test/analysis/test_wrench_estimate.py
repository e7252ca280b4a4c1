"""A wrench from joint efforts: exact where it is seen, nothing where it is not, and how well."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.analysis.wrench_estimate import BLIND, described, estimate_wrench
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import rotation_from_rpy
from robots import example, loaded

ROUNDING = 1e-9
WRENCH = np.array([1.0, -2.0, 0.5, 10.0, 4.0, -6.0])


@pytest.fixture
def jacobian() -> np.ndarray:
    robot = Robot(loaded(example("panda.urdf")), compile="off")
    q = np.zeros(robot.model.nq)
    q[:7] = (0.3, -0.5, 0.2, -2.0, 0.4, 1.8, 0.6)
    return robot.jacobian(q, "panda_hand_tcp")[:, :7]


def test_six_joints_and_more_see_every_wrench(jacobian: np.ndarray) -> None:
    found = estimate_wrench(jacobian, jacobian.T @ WRENCH)
    np.testing.assert_allclose(found.wrench, WRENCH, atol=ROUNDING)
    assert found.unseen.shape == (0, 6)
    assert np.abs(found.unexplained).max() < ROUNDING
    weighed = estimate_wrench(jacobian, jacobian.T @ WRENCH, deviation=np.linspace(0.1, 2.0, 7))
    np.testing.assert_allclose(weighed.wrench, WRENCH, atol=ROUNDING)


def test_what_is_not_caused_at_the_frame_is_told(jacobian: np.ndarray) -> None:
    null = np.linalg.svd(jacobian)[2][6]
    found = estimate_wrench(jacobian, jacobian.T @ WRENCH + 3.0 * null)
    np.testing.assert_allclose(found.wrench, WRENCH, atol=ROUNDING)
    np.testing.assert_allclose(found.unexplained, 3.0 * null, atol=ROUNDING)


@pytest.mark.parametrize("joints", [0, 1, 3, 5])
def test_directions_without_joints_are_named_and_left_at_nothing(
    jacobian: np.ndarray, joints: int
) -> None:
    J = jacobian[:, :joints]
    found = estimate_wrench(J, J.T @ WRENCH)
    assert found.unseen.shape == (6 - joints, 6)
    scale = np.array([found.length] * 3 + [1.0] * 3)
    np.testing.assert_allclose(found.unseen @ found.unseen.T, np.eye(6 - joints), atol=ROUNDING)
    # Such a wrench loads no joint, and the estimate has none of it.
    assert np.abs((found.unseen * scale) @ J).max(initial=0.0) < ROUNDING
    assert np.abs(found.unseen @ (found.wrench / scale)).max() < ROUNDING
    np.testing.assert_allclose(J.T @ found.wrench, J.T @ WRENCH, atol=ROUNDING)


def test_unknown_efforts_are_joints_less(jacobian: np.ndarray) -> None:
    effort = jacobian.T @ WRENCH
    effort[[1, 4]] = np.nan
    rest = [0, 2, 3, 5, 6]
    found = estimate_wrench(jacobian, effort, length=0.5)
    alone = estimate_wrench(jacobian[:, rest], effort[rest], length=0.5)
    np.testing.assert_allclose(found.wrench, alone.wrench, atol=ROUNDING)
    assert len(found.unseen) == 1
    assert np.isnan(found.unexplained[[1, 4]]).all()
    blind = estimate_wrench(jacobian, np.full(7, np.nan))
    assert len(blind.unseen) == 6
    assert not blind.wrench.any()


def test_through_a_singularity_it_neither_jumps_nor_grows() -> None:
    """The wrist of a UR5 stretched: the elbow does not feel a pull along the arm."""
    robot = Robot(loaded(example("ur5_robot.urdf")), compile="off")
    wrenches, unseen = [], []
    for elbow in np.linspace(0.4, -0.4, 801):
        q = np.array([0.1, -0.7, elbow, 0.3, 0.9, 0.2])
        J = robot.jacobian(q, "tool0")
        found = estimate_wrench(J, J.T @ WRENCH)
        wrenches.append(found.wrench)
        unseen.append(len(found.unseen))
    assert max(unseen) == 1
    assert unseen[0] == unseen[-1] == 0
    steps = np.abs(np.diff(wrenches, axis=0)).max()
    assert steps < 0.2 * np.abs(WRENCH).max()
    assert np.abs(wrenches).max() < 1.5 * np.abs(WRENCH).max()
    regular = np.array(unseen) == 0
    assert np.abs(np.array(wrenches)[regular] - WRENCH).max() < 1e-6


def test_the_covariance_is_that_of_many_trials(jacobian: np.ndarray) -> None:
    sigma = np.linspace(0.1, 0.5, 7)
    rng = np.random.default_rng(2)
    true = jacobian.T @ WRENCH
    trials = [
        estimate_wrench(jacobian, true + sigma * rng.normal(size=7), deviation=sigma)
        for _ in range(3000)
    ]
    covariance = trials[0].covariance
    assert covariance is not None
    found = np.cov(np.array([trial.wrench for trial in trials]).T)
    deviations = np.sqrt(np.diag(covariance))
    assert np.abs(found / np.outer(deviations, deviations)).max() == pytest.approx(1.0, abs=0.1)
    scaled = (found - covariance) / np.outer(deviations, deviations)
    assert np.abs(scaled).max() < 0.1
    assert estimate_wrench(jacobian, true).covariance is None


def test_it_turns_with_its_axes(jacobian: np.ndarray) -> None:
    R = rotation_from_rpy((0.3, -0.5, 1.1))
    both = np.kron(np.eye(2), R)
    J = jacobian[:, :4]
    effort, sigma = J.T @ WRENCH, np.full(4, 0.2)
    there = estimate_wrench(J, effort, deviation=sigma).turned(R)
    direct = estimate_wrench(both @ J, effort, deviation=sigma)
    np.testing.assert_allclose(there.wrench, direct.wrench, atol=ROUNDING)
    np.testing.assert_allclose(there.covariance, direct.covariance, atol=ROUNDING)
    projections = [x.unseen.T @ x.unseen for x in (there, direct)]
    np.testing.assert_allclose(*projections, atol=ROUNDING)


def test_directions_in_words() -> None:
    assert described([0, 0, 0, 1, 0, 0]) == "force along x"
    assert described([0, 0, -1, 0, 0, 0]) == "moment along z"
    assert described([0, 1, 0, 0, 0.01, 0]) == "moment along y"
    mixed = described([0.6, 0, 0, 0, 0.5, 0.5])
    assert mixed == "force along (0.00, 0.71, 0.71) with moment along x"


def test_what_it_refuses(jacobian: np.ndarray) -> None:
    effort = np.zeros(7)
    for wrong, text in (
        ((jacobian.T, effort), "jacobian must be finite"),
        ((np.full((6, 7), np.nan), effort), "jacobian must be finite"),
        ((jacobian, np.zeros(6)), "effort must have shape"),
    ):
        with pytest.raises(ArgumentError, match=text):
            estimate_wrench(*wrong)
    for deviation in (np.zeros(7), np.full(7, np.nan), np.ones(6)):
        with pytest.raises(ArgumentError, match="deviation must be positive"):
            estimate_wrench(jacobian, effort, deviation=deviation)
    with pytest.raises(ArgumentError, match="length must be a positive number"):
        estimate_wrench(jacobian, effort, length=0.0)
    assert 0.0 < BLIND < 1.0
