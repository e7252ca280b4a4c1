"""Estimated wrenches of a state path: axes, surroundings, what is not known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.path_knowledge import Settings as PathSettings
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.robot import Robot
from robodyn_ros.ros.wrench_estimator import Settings, WrenchEstimator
from robots import example, loaded

FOUR_BAR = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
PERIOD = 10_000_000
"""ns between two states."""
PUSH = np.array([0.3, -0.2, 0.1, 4.0, -5.0, 6.0])
"""[moment; force], world axes."""
CLOSE = 1e-6
PLACE = np.array([1.0, 2.0, 3.0])
TURN = np.array([0.1, -0.2, 0.3, 0.9273618495495703])
Q = np.array([0.3, -1.2, 1.3, -0.5, 0.9, 0.2])


class Rig:
    """A UR5 at rest whose joint states come with efforts."""

    def __init__(self, base: str = "fixed", **options: Any) -> None:
        self.robot = Robot(loaded(example("ur5_robot.urdf"), base), compile="off")
        model = self.robot.model
        self.path = StatePath(self.robot, FramePlan(model), PathSettings())
        self.dynamics = PathDynamics(self.path)
        settings = {
            "gain": 100.0,
            "thresholds": np.full(model.nv, np.nan),
            "duration": 0.0,
            "compensated": False,
        }
        self.settings = Settings(**{**settings, **options})
        self.estimator = WrenchEstimator(self.dynamics, ("tool0",), self.settings)
        self.dynamics.want()
        self.stamp = 10**9
        self.names = [x for x in model.joint_names if x in self.path.plan.slots.names]

    @property
    def q(self) -> np.ndarray:
        """Its coordinates."""
        q = self.robot.neutral()
        q[self.path.plan.q_index] = Q
        if self.robot.model.base == "floating":
            q[:7] = [*PLACE, *TURN]
        return q

    def effort(self, push: np.ndarray) -> np.ndarray:
        """Return what holds the arm at rest against its weight and a push."""
        q = self.q
        tau = self.robot.gravity_force(q) - self.robot.jacobian(q, "tool0").T @ push
        return tau[self.path.plan.v_index]

    def take(self, effort: np.ndarray, count: int = 1, *, after: int = PERIOD) -> None:
        """Take as many states at rest."""
        for _ in range(count):
            self.stamp += after
            for name in self.path.plan.multi_slots.names:
                self.path.rest.merge(name, PLACE, TURN, np.zeros(6), self.stamp, Choices())
            self.path.take(self.names, Q, np.zeros(6), effort, self.stamp)
            measured = self.dynamics.measured.by_coordinate(
                np.ones(6), self.path.plan.v_index, self.robot.model.nv, self.stamp, 1.0
            )
            self.estimator.update(measured)


def test_a_push_is_told_in_both_axes() -> None:
    rig = Rig()
    rig.take(rig.effort(PUSH), 3)
    assert not rig.estimator.wrenches()[0].valid, "nothing has settled yet"
    rig.take(rig.effort(PUSH), 30)
    (found,) = rig.estimator.wrenches()
    assert found.valid
    np.testing.assert_allclose(found.world.wrench, PUSH, atol=CLOSE)
    frame = rig.robot.model.frame("tool0")
    R_WF = rig.robot.body_motion(Q).rotation[frame.body]
    turned = np.concatenate([R_WF.T @ PUSH[:3], R_WF.T @ PUSH[3:]])
    np.testing.assert_allclose(found.own.wrench, turned, atol=CLOSE)
    external = rig.robot.jacobian(Q, "tool0").T @ PUSH
    np.testing.assert_allclose(rig.estimator.effort, external, atol=CLOSE)


@pytest.mark.parametrize("base", ["prescribed", "floating"])
def test_a_base_that_moves_has_no_motors(base: str) -> None:
    """The joints of the arm tell of a push on it; the base tells of all that holds it."""
    rig = Rig(base)
    if base == "prescribed":
        rig.robot.set_base_motion(PLACE, TURN)
    rig.take(rig.effort(PUSH), 60)
    arm = rig.path.plan.v_index
    external = rig.robot.jacobian(rig.q, "tool0").T @ PUSH
    np.testing.assert_allclose(rig.estimator.effort[arm], external[arm], atol=CLOSE)
    if base == "floating":
        held = rig.robot.gravity_force(rig.q)[:6]
        np.testing.assert_allclose(rig.estimator.effort[:6], held, atol=CLOSE)
        assert rig.estimator.known.all()
    else:
        (found,) = rig.estimator.wrenches()
        np.testing.assert_allclose(found.world.wrench, PUSH, atol=CLOSE)


def test_payloads_and_gravity_are_followed() -> None:
    rig = Rig()
    rig.robot.set_payload("tool0", 2.0, (0.0, 0.0, 0.1))
    rig.take(rig.effort(0.0 * PUSH), 40)
    assert np.abs(rig.estimator.effort).max() < CLOSE
    rig.robot.clear_payload()
    with_payload = rig.effort(0.0 * PUSH)
    rig.path.gravity = np.array([0.0, 0.0, 9.81])
    rig.robot.gravity = (0.0, 0.0, 9.81)
    rig.take(rig.effort(0.0 * PUSH), 60)
    assert np.abs(rig.estimator.effort).max() < CLOSE
    rig.take(with_payload, 60)
    assert np.abs(rig.estimator.effort).max() > 1.0


def test_a_driver_that_compensates_gravity() -> None:
    rig = Rig(compensated=True)
    weight = rig.effort(0.0 * PUSH)
    rig.take(rig.effort(PUSH) - weight, 40)
    np.testing.assert_allclose(rig.estimator.wrenches()[0].world.wrench, PUSH, atol=CLOSE)
    rig.estimator.choose(rig.settings._replace(compensated=False))
    rig.take(rig.effort(PUSH), 40)
    np.testing.assert_allclose(rig.estimator.wrenches()[0].world.wrench, PUSH, atol=CLOSE)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300])
def test_an_effort_that_is_none_makes_the_wrench_invalid_and_is_forgotten(bad: float) -> None:
    rig = Rig()
    good = rig.effort(PUSH)
    rig.take(good, 40)
    torn = good.copy()
    torn[2] = bad
    rig.take(torn, 5)
    (found,) = rig.estimator.wrenches()
    assert not found.valid
    assert rig.estimator.known.tolist() == [True, True, False, True, True, True]
    assert len(found.world.unseen) == 1
    assert np.isfinite(found.world.wrench).all()
    rig.take(good, 60)
    assert rig.estimator.wrenches()[0].valid
    np.testing.assert_allclose(rig.estimator.wrenches()[0].world.wrench, PUSH, atol=CLOSE)


def test_states_of_no_later_time_and_without_efforts() -> None:
    rig = Rig()
    rig.take(rig.effort(PUSH), 40)
    assert not rig.estimator.update(np.full(6, np.nan)), "the same stamp again"
    assert rig.estimator.known.all()
    rig.take(np.zeros(0), 3, after=2 * 10**9)
    assert not rig.estimator.known.any()
    assert not rig.estimator.effort.any()
    assert not rig.estimator.wrenches()[0].valid


def test_thresholds_are_learnt_then_watched() -> None:
    rig = Rig()
    quiet, touched = rig.effort(0.1 * PUSH), rig.effort(10.0 * PUSH)
    rig.take(quiet, 20, after=10 * PERIOD)
    assert rig.estimator.left_to_learn > 0.0
    rig.take(quiet, 15, after=10 * PERIOD)
    assert rig.estimator.left_to_learn == 0.0
    assert not rig.estimator.in_contact
    rig.take(touched, 20)
    assert rig.estimator.in_contact
    assert rig.estimator.touched.any()
    rig.take(quiet, 60)
    assert not rig.estimator.in_contact
    given = Rig(thresholds=np.full(6, 0.5))
    given.take(given.effort(PUSH), 40)
    assert given.estimator.in_contact
    assert given.estimator.thresholds.tolist() == [0.5] * 6
    half = np.array([0.5, 0.5, *[np.nan] * 4])
    rig.estimator.choose(rig.settings._replace(thresholds=half))
    rig.take(quiet, 40, after=10 * PERIOD)
    assert rig.estimator.left_to_learn == 0.0
    assert rig.estimator.thresholds[:2].tolist() == [0.5, 0.5]
    assert rig.estimator.thresholds[2] >= 1.5


def test_what_it_refuses() -> None:
    rig = Rig()
    with pytest.raises(UnknownNameError, match=r"wrench_estimate_frames: .*'tool9'"):
        WrenchEstimator(rig.dynamics, ("tool9",), rig.settings)
    closed = load(FOUR_BAR, compile="off")
    path = StatePath(closed, FramePlan(closed.model), PathSettings())
    with pytest.raises(ArgumentError, match=r"wrench_estimate_frames: .* closed mechanism"):
        WrenchEstimator(PathDynamics(path), (closed.model.body_names[-1],), rig.settings)


@pytest.mark.parametrize("fault", ["an effort", "an outlier"])
def test_one_bad_message_neither_ends_a_contact_nor_changes_an_estimate(fault: str) -> None:
    rig = Rig(gain=25.0, thresholds=np.full(6, 2.0), duration=0.02)
    effort = rig.effort(PUSH)
    rig.take(effort, 80)
    assert rig.estimator.in_contact
    q, bad = Q.copy(), effort.copy()
    if fault == "an effort":
        bad[2] = np.nan
    else:
        q[2] += 2.0
    rig.stamp += PERIOD
    rig.path.take(rig.names, q, np.zeros(6), bad, rig.stamp)
    rig.estimator.update(np.where(np.isfinite(bad), bad, np.nan))
    assert not rig.estimator.wrenches()[0].valid
    for _ in range(6):
        assert rig.estimator.in_contact
        rig.take(effort)
        (found,) = rig.estimator.wrenches()
        if found.valid:
            np.testing.assert_allclose(found.world.wrench, PUSH, atol=1e-2)
    assert found.valid


def test_efforts_that_were_away_for_long_count_once_they_have_settled() -> None:
    rig = Rig(gain=25.0)
    effort = rig.effort(PUSH)
    rig.take(effort, 30)
    missing = effort.copy()
    missing[2] = np.nan
    rig.take(missing, 80)
    rig.take(effort, 5)
    assert not rig.estimator.wrenches()[0].valid
    rig.take(effort, 15)
    (found,) = rig.estimator.wrenches()
    assert found.valid
    assert np.max(np.abs(found.world.wrench - PUSH)) < 0.1 * np.max(np.abs(PUSH))
