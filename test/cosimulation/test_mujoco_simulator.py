"""The simulation in MuJoCo: falls as ours does, commands, payloads, and each deliberate error."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robodyn_ros import Robot
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.errors import (
    ArgumentError,
    RobodynError,
    SimulationError,
    SingularMassMatrixError,
    UnknownNameError,
)
from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model import ModelBuilder
from robodyn_ros.simulation import Simulator
from robots import example, loaded

STEP = 1e-3
SAME_METHOD = 1e-12
"""rad by which two Runge-Kutta methods of order 4 may differ."""
SOFT = 1e-6
"""rad by which they may where MuJoCo's coupling of the fingers gives way."""
STILL = 2e-5
"""rad or m that a robot held by our gravity torques moves in half a second, fingers included."""


def panda(**options: Any) -> tuple[MujocoSimulator, Robot]:
    """Return the Panda inside its limits, and its robot."""
    model = loaded(example("panda.urdf"))
    robot = Robot(model, compile="off")
    lower = np.array([joint.limits.lower for joint in model.own_joints])
    upper = np.array([joint.limits.upper for joint in model.own_joints])
    q = lower + np.linspace(0.3, 0.6, model.nq) * (upper - lower)
    errors = {name: options.pop(name) for name in list(options) if name in ERRORS}
    settings = Settings(errors=ModelErrors(**errors), **options)
    return MujocoSimulator(plant_of(model), robot, settings, q=q), robot


ERRORS = tuple(ModelErrors.__dataclass_fields__)


def pendulum(**options: Any) -> MujocoSimulator:
    """Return a point mass of 2 kg on 0.5 m, which hangs along x at rest, and a slide beside it."""
    builder = ModelBuilder("pendulum")
    builder.add_body("base")
    builder.add_body("bob", mass=2.0, com=(0.5, 0.0, 0.0))
    builder.add_body("block", mass=3.0)
    builder.add_joint("pivot", Revolute((0.0, 1.0, 0.0)), "base", "bob")
    builder.add_joint("rail", Prismatic((1.0, 0.0, 0.0)), "base", "block")
    builder.add_frame("tip", "bob", (0.5, 0.0, 0.0))
    errors = {name: options.pop(name) for name in list(options) if name in ERRORS}
    model = builder.build()
    settings = Settings(integrator="rk4", errors=ModelErrors(**errors), **options)
    return MujocoSimulator(plant_of(model), Robot(model, compile="off"), settings)


@pytest.mark.parametrize(
    ("name", "tolerance"), [("panda.urdf", SOFT), ("ur5_robot.urdf", SAME_METHOD)]
)
def test_it_falls_as_our_simulator_does(name: str, tolerance: float) -> None:
    model = loaded(example(name))
    robot = Robot(model, compile="off")
    q = np.linspace(0.4, -0.3, model.nq)
    q[7:] = 0.02
    settings = Settings(integrator="rk4", limits=False, friction=False)
    theirs = MujocoSimulator(plant_of(model), robot, settings, q=q)
    ours = Simulator(robot, step=STEP, limits=False, friction=False, q=q)
    theirs.advance(40)
    ours.advance(40)
    assert theirs.q[:6] == pytest.approx(ours.q[:6], abs=tolerance)
    assert np.abs(theirs.v).max() > 0.1
    energy = robot.energy(theirs.q, theirs.v)
    assert theirs.energy.kinetic == pytest.approx(float(energy.kinetic), rel=1e-4)
    assert theirs.energy.potential == pytest.approx(float(energy.potential), rel=1e-4)


def test_the_first_step_has_our_acceleration() -> None:
    model = loaded(example("ur5_robot.urdf"))
    robot, q = Robot(model, compile="off"), np.linspace(-1.0, 1.0, 6)
    settings = Settings(integrator="euler", step=1e-6, limits=False, friction=False)
    theirs = MujocoSimulator(plant_of(model), robot, settings, q=q)
    tau = robot.gravity_force(q) + np.linspace(-5.0, 5.0, 6)
    theirs.command_effort(theirs.command_names, tau)
    theirs.advance(1)
    a = robot.forward_dynamics(q, np.zeros(6), tau)
    assert theirs.v / 1e-6 == pytest.approx(a, rel=1e-9, abs=1e-9)


def test_our_gravity_torques_hold_it_with_and_without_a_payload() -> None:
    theirs, robot = panda()
    q = theirs.q
    theirs.command_effort(theirs.command_names, robot.gravity_force(q))
    theirs.advance(500)
    assert theirs.q == pytest.approx(q, abs=STILL)
    robot.set_payload("panda_hand", 1.5, (0.01, 0.02, 0.1), np.diag([0.01, 0.02, 0.015]))
    theirs.advance(100)
    assert np.abs(theirs.q - q).max() > 1e-3
    theirs.reset()
    theirs.command_effort(theirs.command_names, robot.gravity_force(q))
    theirs.advance(500)
    assert theirs.q == pytest.approx(q, abs=STILL)
    robot.clear_payload()
    theirs.reset()
    theirs.command_effort(theirs.command_names, robot.gravity_force(q))
    theirs.advance(500)
    assert theirs.q == pytest.approx(q, abs=STILL)


def test_servos_hold_and_go() -> None:
    theirs, _ = panda()
    q = theirs.q
    theirs.command_position(theirs.command_names, q)
    theirs.advance(500)
    assert theirs.q == pytest.approx(q, abs=1e-4)
    theirs.command_position(["panda_joint1"], [0.3])
    theirs.command_velocity(["panda_joint7"], [0.2])
    theirs.advance(1500)
    assert theirs.q[0] == pytest.approx(0.3, abs=1e-3)
    assert theirs.v[6] == pytest.approx(0.2, abs=1e-2)


def test_efforts_are_cut_to_their_limits_unless_told_otherwise() -> None:
    theirs, _ = panda()
    theirs.command_effort(["panda_joint1"], [1000.0])
    theirs.advance(1)
    assert theirs.effort[0] == 87.0
    theirs, _ = panda(effort_limits=False)
    theirs.command_effort(["panda_joint1"], [1000.0])
    theirs.advance(1)
    assert theirs.effort[0] == 1000.0


def test_wrenches_act_at_their_frames_in_their_axes() -> None:
    """A force across the bob that balances its weight keeps it where it is."""
    theirs = pendulum()
    theirs.hold_wrench("tip", [0.0, 0.0, 0.0, 0.0, 0.0, 2.0 * 9.81])
    theirs.advance(500)
    assert theirs.q[0] == pytest.approx(0.0, abs=1e-9)
    theirs.hold_wrench("tip", None)
    theirs.hold_wrench("bob", [0.0, -2.0 * 9.81 * 0.5, 0.0, 7.0, 0.0, 0.0])
    theirs.advance(500)
    assert theirs.q[0] == pytest.approx(0.0, abs=1e-9)
    theirs.hold_wrench("bob", None)
    theirs.advance(100)
    assert abs(theirs.q[0]) > 0.01


def acceleration(theirs: MujocoSimulator, effort: float, name: str) -> float:
    """Return what an effort makes of a coordinate at rest in one step."""
    theirs.command_effort([name], [effort])
    theirs.advance(1)
    column = theirs.robot.model.coordinate_names.index(name)
    return float(theirs.v[column] / theirs.settings.step)


def test_a_mass_error_of_all_links_and_of_one() -> None:
    assert acceleration(pendulum(), 6.0, "rail") == pytest.approx(2.0)
    assert acceleration(pendulum(mass_factor=1.5), 6.0, "rail") == pytest.approx(2.0 / 1.5)
    some = {"mass_factor": 1.5, "mass_factors": {"block": 2.0}}
    assert acceleration(pendulum(**some), 6.0, "rail") == pytest.approx(1.0)
    assert pendulum(**some).energy.potential == 0.0
    with pytest.raises(UnknownNameError, match=r"no body is called 'bolck'.*did you mean 'block'"):
        pendulum(mass_factors={"bolck": 2.0})


def test_damping_that_is_added_slows_a_joint_down() -> None:
    theirs = pendulum(dampings={"rail": 6.0}, damping=0.0)
    theirs.set_state(v=[0.0, 1.0])
    theirs.advance(500)
    assert theirs.v[1] == pytest.approx(math.exp(-6.0 / 3.0 * 0.5), rel=1e-3)
    with pytest.raises(UnknownNameError, match="no joint that moves is called 'wheel'"):
        pendulum(dampings={"wheel": 1.0})


def test_friction_that_is_added_has_to_be_overcome() -> None:
    assert acceleration(pendulum(frictions={"rail": 3.0}), 2.0, "rail") == pytest.approx(0, abs=0.1)
    assert acceleration(pendulum(friction=3.0), 6.0, "rail") == pytest.approx(1.0, rel=0.1)
    assert acceleration(pendulum(friction=3.0), 0.0, "rail") == 0.0


def test_commands_act_later() -> None:
    theirs = pendulum(command_delay=0.01)
    theirs.command_effort(["rail"], [3.0])
    theirs.advance(10)
    assert theirs.v[1] == 0.0
    theirs.advance(5)
    assert theirs.v[1] == pytest.approx(5 * STEP)
    with pytest.raises(ArgumentError, match="finite"):
        theirs.command_effort(["rail"], [math.nan])
    with pytest.raises(UnknownNameError, match="wheel"):
        theirs.command_position(["wheel"], [1.0])
    theirs.command_effort(["rail"], [1.0])
    theirs.release()
    theirs.advance(50)
    assert theirs.effort[1] == 0.0


def test_measured_states_are_old() -> None:
    theirs = pendulum(state_delay=0.02)
    seen = [theirs.q]
    for _ in range(60):
        theirs.advance(1)
        seen.append(theirs.q)
    plant = theirs.physics.plant
    measured = theirs.measured
    q, _ = plant.coordinates.ours(measured.qpos, measured.qvel)
    assert np.array_equal(q, seen[40])
    assert np.array_equal(plant.coordinates.ours(*theirs.present[:2])[0], seen[60])


def test_efforts_end_without_a_controller() -> None:
    theirs = pendulum(effort_timeout=0.05)
    theirs.command_effort(["rail"], [3.0])
    theirs.command_position(["pivot"], [0.0])
    theirs.advance(49)
    theirs.command_effort(["rail"], [3.0])
    theirs.advance(50)
    assert theirs.effort[1] == 3.0
    theirs.advance(1)
    assert theirs.effort[1] == 0.0
    assert theirs.modes.tolist() == [3, 0]


def test_a_drive_may_hold_the_robot_when_its_controller_is_gone() -> None:
    theirs = pendulum(effort_timeout=0.05, hold_after_timeout=True)
    theirs.command_effort(["rail"], [3.0])
    theirs.advance(51)
    assert theirs.modes.tolist() == [0, 3]
    held = theirs.commands[1]
    theirs.advance(3000)
    assert theirs.q[1] == pytest.approx(held, abs=1e-3)


def test_the_same_steps_give_the_same_bits_in_any_portions() -> None:
    runs = []
    for portions in ([300], [1] * 300, [7, 293]):
        theirs, _ = panda(friction=True)
        theirs.command_effort(["panda_joint2"], [-20.0])
        for steps in portions:
            theirs.advance(steps)
        runs.append((theirs.q, theirs.v))
        theirs.reset()
        theirs.command_effort(["panda_joint2"], [-20.0])
        theirs.advance(300)
        runs.append((theirs.q, theirs.v))
    assert all(np.array_equal(runs[0], run) for run in runs)


def test_limits_stop_it() -> None:
    theirs, robot = panda()
    theirs.command_effort(["panda_joint1"], [20.0])
    theirs.advance(3000)
    upper = robot.model.own_joint("panda_joint1").limits.upper
    assert theirs.q[0] == pytest.approx(upper, abs=0.05)


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    theirs = pendulum()
    for names, values, said in (
        (["rail"], [math.nan], "finite"),
        (["rail", "pivot"], [1.0], "2 numbers"),
        (["rail", "rail"], [1.0, 2.0], "named twice"),
        (["wheel"], [1.0], "no coordinate is called 'wheel'"),
    ):
        with pytest.raises(RobodynError, match=said):
            theirs.command_effort(names, values)
    with pytest.raises(ArgumentError, match="q must be 2 finite numbers"):
        theirs.set_state([0.0, math.inf])
    with pytest.raises(ArgumentError, match="integrator must be one of implicitfast"):
        Settings(integrator="rk8")
    monkeypatch.chdir(tmp_path)
    theirs.set_state(v=[1e11, 0.0])
    with pytest.raises(SimulationError, match="leaves all bounds"):
        theirs.advance(1)
    assert not [*tmp_path.iterdir()], "MuJoCo has written a log"
    theirs.reset()
    theirs.advance(10)


def test_a_link_that_moves_without_mass_is_refused() -> None:
    builder = ModelBuilder("light")
    builder.add_body("base")
    builder.add_body("ghost")
    builder.add_joint("hinge", Revolute(), "base", "ghost")
    model = builder.build()
    with pytest.raises(SingularMassMatrixError, match="hinge"):
        MujocoSimulator(plant_of(model), Robot(model, compile="off"))
