"""Pushes and payloads in simulation, ours and MuJoCo's, as the estimates see them."""

from __future__ import annotations

from functools import cache

import mujoco
import numpy as np
import pytest

import mujoco_oracle
from robodyn_ros.analysis.contact import ContactDetector, QuietThresholds, smallest_efforts
from robodyn_ros.analysis.momentum_observer import MomentumObserver
from robodyn_ros.analysis.wrench_estimate import estimate_wrench
from robodyn_ros.robot import Robot
from robodyn_ros.simulation import Simulator
from robots import example, loaded

GAIN = 25.0
SETTLED = 0.25
"""Seconds after which 0.2 % of a step is left."""
CLOSE = 0.1
"""Share of a wrench that an estimate may miss."""
PERIOD = 5e-3
QUIET = 0.3
"""N m of nothing: servos jump at every command, and efforts are sampled just before that."""
MIDDLE = {
    "ur5_robot.urdf": (0.3, -1.2, 1.3, -0.5, 0.9, 0.2),
    "panda.urdf": (0.3, -0.5, 0.2, -2.0, 0.4, 1.8, 0.6, 0.02),
}
"""Far from singular positions."""
WRENCH = np.array([1.5, -1.0, 0.5, 18.0, -9.0, 25.0])


@cache
def robot(name: str) -> Robot:
    return Robot(loaded(example(name)), compile="wait")


class Scene:
    """A simulated arm that swings under servos, its states sampled like joint states."""

    def __init__(self, name: str, frame: str) -> None:
        self.robot, self.frame = robot(name), frame
        nv = self.robot.model.nv
        self.middle = np.zeros(nv)
        self.middle[: len(MIDDLE[name])] = MIDDLE[name]
        self.simulator = Simulator(self.robot, step=1e-3, q=self.middle, limits=False)
        self.observer = MomentumObserver(Robot(self.robot.model, compile="wait"), gain=GAIN)

    def go(self, seconds: float) -> np.ndarray:
        """Let it swing; return the external efforts as estimated at the end."""
        found, state = self.observer.residual, self.simulator
        rates = np.linspace(1.0, 2.5, len(self.middle))
        names = state.command_names
        places = [self.robot.model.coordinate_names.index(name) for name in names]
        for _ in range(round(seconds / PERIOD)):
            for _ in range(round(PERIOD / state.step)):
                target = self.middle + 0.3 * np.sin(rates * state.time)
                state.command_position(names, target[places])
                state.advance()
            found = self.observer.update(state.q, state.v, state.effort, PERIOD)
        return found

    def wrench(self, efforts: np.ndarray) -> np.ndarray:
        """Return the wrench [moment; force] that efforts amount to, in the frame's axes."""
        q = self.simulator.q
        frame = self.robot.model.frame(self.frame)
        estimate = estimate_wrench(self.robot.jacobian(q, self.frame), efforts)
        R_WF = self.robot.body_motion(q).rotation[frame.body] @ frame.rotation
        return estimate.turned(R_WF.T).wrench


@pytest.mark.parametrize(
    ("name", "frame"), [("ur5_robot.urdf", "tool0"), ("panda.urdf", "panda_hand")]
)
def test_a_push_on_a_moving_arm_is_told_within_a_tenth(name: str, frame: str) -> None:
    scene = Scene(name, frame)
    quiet = scene.go(1.0)
    assert np.abs(quiet).max() < QUIET
    scene.simulator.push(frame, WRENCH, 1.0)
    found = scene.wrench(scene.go(SETTLED))
    assert np.linalg.norm(found[3:] - WRENCH[3:]) < CLOSE * np.linalg.norm(WRENCH[3:])
    assert np.linalg.norm(found[:3] - WRENCH[:3]) < CLOSE * np.linalg.norm(WRENCH)
    scene.go(0.9)
    assert np.abs(scene.go(SETTLED)).max() < QUIET


def test_contact_is_told_with_learnt_thresholds() -> None:
    scene = Scene("ur5_robot.urdf", "tool0")
    learnt = QuietThresholds(smallest_efforts(scene.robot.model), duration=1.0)
    while not learnt.is_done:
        learnt.update(scene.go(PERIOD), PERIOD)
    contact = ContactDetector(learnt.thresholds)
    for _ in range(100):
        assert not contact.update(scene.go(PERIOD), PERIOD)
    scene.simulator.push("tool0", [0.0, 0.0, 0.0, 0.0, 0.0, 30.0], 0.5)
    delay = 0
    while not contact.update(scene.go(PERIOD), PERIOD):
        delay += 1
        assert delay * PERIOD < 0.15
    scene.go(0.5)
    for _ in range(60):
        contact.update(scene.go(PERIOD), PERIOD)
    assert not contact.in_contact


def test_a_push_in_mujoco_is_told() -> None:
    """States and motion of another simulator: no formula of ours but the observer's."""
    path = example("ur5_robot.urdf")
    ours, other = robot("ur5_robot.urdf"), mujoco_oracle.built(path, "fixed")
    data = mujoco.MjData(other)
    q0 = np.array(MIDDLE["ur5_robot.urdf"])
    data.qpos[:] = q0
    body = mujoco.mj_name2id(other, mujoco.mjtObj.mjOBJ_BODY, "link/wrist_3_link")
    observer = MomentumObserver(ours, gain=GAIN)
    force, moment = np.array([12.0, -8.0, 15.0]), np.array([1.0, 0.5, -0.7])
    found = np.zeros(6)
    for k in range(800):
        effort = -60.0 * (data.qpos - q0) - 8.0 * data.qvel + ours.gravity_force(data.qpos)
        found = observer.update(data.qpos, data.qvel, effort, other.opt.timestep)
        data.qfrc_applied[:] = effort
        if k >= 200:  # world axes, at the body's centre of mass
            data.xfrc_applied[body] = np.concatenate([force, moment])
        mujoco.mj_step(other, data)
    mujoco.mj_kinematics(other, data)
    arm = data.xipos[body] - data.xpos[body]
    expected = np.concatenate([moment + np.cross(arm, force), force])
    J = ours.jacobian(data.qpos, "wrist_3_link")
    estimate = estimate_wrench(J, found)
    assert np.linalg.norm(estimate.wrench - expected) < CLOSE * np.linalg.norm(expected)
    assert len(estimate.unseen) == 0
