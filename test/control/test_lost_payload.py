"""A payload that is lost: its weight is not held any more, and nothing swings."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.analysis.momentum_observer import MomentumObserver
from robodyn_ros.control import (
    Commanded,
    EffortShaper,
    Fault,
    FaultKind,
    GravityLaw,
    RobotState,
    SafeForm,
    SafeGains,
    SafeLaw,
    Supervisor,
)
from robodyn_ros.control.lost_payload import lost_share
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.settings import Settings
from robots import example

PANDA = example("panda.urdf")
JOINTS = [f"panda_joint{k}" for k in range(1, 8)]
BENT = [0.2, -0.6, 0.1, -2.0, 0.3, 1.6, 0.5]
PERIOD = 5
"""ms between two states."""
RESIDUAL = Fault(FaultKind.RESIDUAL, "the model is wrong")
LIMIT = np.array([80.0, 80.0, 10.0])
WEIGHT = np.array([8.0, -20.0, 2.0])


def test_what_a_payload_explains_is_its_share() -> None:
    assert lost_share(WEIGHT, WEIGHT, LIMIT) == pytest.approx(1.0)
    assert lost_share(WEIGHT, 0.4 * WEIGHT, LIMIT) == pytest.approx(0.4)
    assert lost_share(WEIGHT, np.array([2.0, np.nan, 0.5]), LIMIT) == pytest.approx(0.25)


def test_nothing_else_does() -> None:
    assert lost_share(WEIGHT, -WEIGHT, LIMIT) == 0.0  # heavier than it was said to be
    assert lost_share(WEIGHT, 9.0 * WEIGHT, LIMIT) == 1.0
    assert lost_share(np.zeros(3), WEIGHT, LIMIT) == 0.0
    assert lost_share(WEIGHT, np.full(3, np.nan), LIMIT) == 0.0
    across = np.array([20.0, 8.0, 0.0])
    assert lost_share(WEIGHT, across, LIMIT) == 0.0


class Carrying:
    """A Panda in MuJoCo that carries what its controller knows of, at first."""

    def __init__(self, mass: float, com: tuple[float, float, float], delay: float) -> None:
        self.robot, self.unloaded = (rd.load(PANDA, compile="wait") for _ in range(2))
        self._true = rd.load(PANDA, compile="off")
        for robot in (self.robot, self._true):
            robot.set_payload("panda_hand", mass, com)
        start = np.zeros(self.robot.model.nq)
        start[:7] = BENT
        settings = Settings(integrator="rk4", errors=ModelErrors(command_delay=delay))
        self.sim = MujocoSimulator(plant_of(self._true.model), self._true, settings, q=start)
        self.observer = MomentumObserver(self.robot, gain=25.0)
        commanded = Commanded.of(self.robot.model, JOINTS)
        shaper = EffortShaper(commanded.limit, slew_time=0.05, ramp_time=0.0)
        law = GravityLaw(self.robot, self.unloaded, np.zeros(self.robot.model.nv), 2.0)
        safe = SafeLaw(self.robot, self.unloaded, SafeGains(10.0, 5.0), commanded)
        forms = dict.fromkeys(FaultKind, SafeForm.HOLD_POSITION)
        self.supervisor = Supervisor(
            self.robot, law, commanded, shaper, safe, forms, driver_compensates_gravity=False
        )
        self._now = 0.0
        weight = self.robot.gravity_force(start)[commanded.column]
        self.supervisor.activate(0.0, RobotState(start, self.sim.v, 0), weight)
        self.sim.command_effort(JOINTS, weight)

    def advance(self, seconds: float) -> None:
        """Take turns of states and commands."""
        step = PERIOD * 1e-3
        for _ in range(round(seconds / step)):
            self.sim.advance(PERIOD)
            self._now += step
            state = RobotState(self.sim.q, self.sim.v, round(self._now * 1e9))
            found = self.observer.update(state.q, state.v, self.sim.effort, step)
            command = self.supervisor.command(self._now, state, found[:7])
            assert command is not None
            self.sim.command_effort(JOINTS, command.effort)

    def lose(self) -> None:
        """Lose the payload."""
        self._true.clear_payload()


@pytest.mark.parametrize(
    ("mass", "com", "delay"),
    [(2.0, (0.0, 0.0, 0.0), 0.0), (3.0, (0.0, 0.0, 0.05), 0.012)],
)
def test_an_arm_that_lost_it_returns_to_where_the_fault_was(mass, com, delay) -> None:
    arm = Carrying(mass, com, delay)
    arm.advance(0.5)
    arm.lose()
    arm.advance(0.12)
    held = arm.sim.q[:7]
    assert arm.supervisor.fail(RESIDUAL)
    arm.advance(4.0)
    assert np.max(np.abs(arm.sim.q[:7] - held)) < np.radians(0.5)
    assert np.max(np.abs(arm.sim.v)) < 0.01
    assert arm.supervisor.lost == pytest.approx(1.0, abs=0.02)


def test_a_payload_that_is_still_there_is_held_on() -> None:
    arm = Carrying(2.0, (0.0, 0.0, 0.0), 0.0)
    arm.advance(0.5)
    held = arm.sim.q[:7]
    arm.supervisor.fail(RESIDUAL)
    arm.advance(0.5)
    assert arm.supervisor.lost < 0.02
    assert np.max(np.abs(arm.sim.q[:7] - held)) < np.radians(0.1)
