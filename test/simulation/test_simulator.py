"""The fixed-step simulator: its state, commands and pushes; what it refuses; the same bits."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.errors import ArgumentError, ClosureError, SimulationError, UnknownNameError
from robodyn_ros.simulation import Simulator
from robots import example

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def panda() -> rd.Robot:
    return rd.load(example("panda.urdf"), compile="wait")


@cache
def four_bar() -> rd.Robot:
    return rd.load(EXAMPLES / "four_bar.yaml", compile="wait")


@cache
def slider() -> rd.Robot:
    """A block of 2 kg on a vertical slide."""
    builder = rd.ModelBuilder("block on a slide")
    builder.add_body("base")
    builder.add_body("block", mass=2.0, inertia=0.1 * np.eye(3))
    builder.add_joint("slide", rd.joints.Prismatic((0, 0, 1)), "base", "block")
    return rd.Robot(builder.build(), compile="off")


def busy(simulator: Simulator) -> None:
    """Give a Panda something of everything to do."""
    names = simulator.command_names
    simulator.command_position(names[:3], [0.5, -0.3, 0.2])
    simulator.command_velocity(names[3:4], [-0.5])
    simulator.command_effort(names[4:6], [5.0, -100.0])
    simulator.hold_wrench("panda_link5", [0.0, 0.1, 0.0, 5.0, 0.0, -3.0])


def test_the_same_calls_give_the_same_bits() -> None:
    states = []
    for pieces in ([60], [1] * 60, [7, 53]):
        simulator = Simulator(panda(), step=2e-3)
        busy(simulator)
        simulator.push("panda_link7", [0, 0, 0, 20.0, 0, 0], 0.05)
        for steps in pieces:
            simulator.advance(steps)
        states.append(np.concatenate([simulator.q, simulator.v, simulator.effort]))
    assert states[0].tobytes() == states[1].tobytes() == states[2].tobytes()
    simulator.reset()
    busy(simulator)
    simulator.push("panda_link7", [0, 0, 0, 20.0, 0, 0], 0.05)
    simulator.advance(60)
    again = np.concatenate([simulator.q, simulator.v, simulator.effort])
    assert again.tobytes() == states[0].tobytes()
    assert simulator.time == 60 * 2e-3


def test_reset_forgets_everything() -> None:
    simulator = Simulator(panda())
    begin = simulator.q
    busy(simulator)
    simulator.push("panda_link7", [0, 0, 0, 20.0, 0, 0], 10.0)
    simulator.advance(5)
    simulator.reset()
    assert simulator.time == 0.0
    assert np.array_equal(simulator.q, begin)
    for forgotten in (simulator.v, simulator.modes, simulator.a, simulator.commands):
        assert not np.any(forgotten)
    assert simulator.wrenches == {}


def test_a_push_acts_for_its_duration_in_the_axes_of_the_frame() -> None:
    robot = slider()
    simulator = Simulator(robot, step=0.01)
    weight = 2.0 * 9.81
    simulator.command_effort(["slide"], [weight])
    simulator.push("block", [0, 0, 0, 0, 0, 4.0], 0.05)
    simulator.push("block", [0, 0, 0, 0, 0, 2.0], 0.021)
    assert simulator.wrenches["block"].tolist() == [0, 0, 0, 0, 0, 6.0]
    simulator.advance(3)
    assert simulator.a[0] == pytest.approx(3.0)
    simulator.advance(2)
    assert simulator.a[0] == pytest.approx(2.0)
    assert simulator.v[0] == pytest.approx(0.05 * 2.0 + 0.03 * 1.0)
    simulator.advance(1)
    assert simulator.a[0] == pytest.approx(0.0, abs=1e-12)
    assert simulator.wrenches == {}
    simulator.hold_wrench("block", [0, 0, 0, 0, 0, -2.0])
    simulator.advance(10)
    assert simulator.a[0] == pytest.approx(-1.0)
    simulator.hold_wrench("block", None)
    simulator.advance()
    assert simulator.a[0] == pytest.approx(0.0, abs=1e-12)


def test_payloads_and_gravity_may_change_between_steps() -> None:
    robot = slider()
    simulator = Simulator(robot, step=0.01)
    simulator.command_effort(["slide"], [2.0 * 9.81])
    simulator.advance()
    assert simulator.a[0] == pytest.approx(0.0, abs=1e-12)
    try:
        robot.set_payload("block", 1.0)
        simulator.advance()
        assert simulator.a[0] == pytest.approx(-9.81 / 3.0)
        robot.gravity = (0.0, 0.0, 0.0)
        simulator.advance()
        assert simulator.a[0] == pytest.approx(2.0 * 9.81 / 3.0)
    finally:
        robot.clear_payload()
        robot.gravity = (0.0, 0.0, -9.81)


def test_energy_and_state_of_a_state_that_is_set() -> None:
    simulator = Simulator(slider(), q=[1.0], v=[2.0])
    assert simulator.energy.kinetic == pytest.approx(4.0)
    assert simulator.energy.potential == pytest.approx(2.0 * 9.81)
    simulator.advance(10)
    time = simulator.time
    simulator.set_state([0.5])
    assert simulator.time == time
    assert simulator.q.tolist() == [0.5]
    assert simulator.v.tolist() == [0.0]
    simulator.q[0] = 7.0
    assert simulator.q.tolist() == [0.5]


def test_a_closed_mechanism_is_put_onto_its_constraints() -> None:
    robot = four_bar()
    q, _ = robot.initial_state
    simulator = Simulator(robot, q=q + np.array([0.0, 0.02, -0.01, 0.01]), v=[1.0, 0.0, 0.0, 0.0])
    assert np.abs(robot.constraint_residual(simulator.q)).max() < 1e-12
    assert np.abs(robot.constraint_jacobian(simulator.q) @ simulator.v).max() < 1e-12
    simulator.advance(50)
    assert np.abs(robot.constraint_residual(simulator.q)).max() < 1e-11
    assert np.abs(robot.constraint_jacobian(simulator.q) @ simulator.v).max() < 1e-10
    before = simulator.q
    simulator.command_position(simulator.command_names, [simulator.q[0] + 0.3])
    simulator.advance(600)
    assert simulator.q[0] == pytest.approx(before[0] + 0.3, abs=1e-4)


def test_a_state_that_cannot_be_closed_is_refused() -> None:
    robot = rd.load(EXAMPLES / "stewart_platform_rods.yaml", compile="off")
    simulator = Simulator(robot)
    before = simulator.q
    legs = before.copy()
    legs[7] = 5.0  # one leg of 5 m, five of 1.1 m
    with pytest.raises(ClosureError):
        simulator.set_state(legs)
    assert np.array_equal(simulator.q, before)


BAD_COMMANDS: list[tuple[str, tuple[Any, ...], type[Exception], str]] = [
    ("command_effort", (["panda_joint8x"], [0.0]), UnknownNameError, "did you mean"),
    ("command_position", (["panda_finger_joint2"], [0.0]), UnknownNameError, "finger_joint1"),
    ("command_velocity", (["panda_joint1"], [np.nan]), ArgumentError, "'panda_joint1' must be"),
    ("command_effort", (["panda_joint1"], [0.0, 1.0]), ArgumentError, "efforts must be 1 numbers"),
    ("command_effort", (["panda_joint1"] * 2, [0.0, 1.0]), ArgumentError, "named twice"),
    ("command_effort", ("panda_joint1", [0.0]), ArgumentError, "must be a list"),
    ("command_effort", (["panda_joint1"], ["x"]), ArgumentError, "must be real numbers"),
    ("push", ("panda_link99", np.zeros(6), 1.0), UnknownNameError, "panda_link9"),
    ("push", ("panda_link7", np.zeros(3), 1.0), ArgumentError, "six finite"),
    ("push", ("panda_link7", np.zeros(6), -1.0), ArgumentError, "duration"),
    ("hold_wrench", ("nothing", None), UnknownNameError, "frame"),
    ("advance", (-1,), ArgumentError, "steps"),
    ("set_state", (np.zeros(3), None), ArgumentError, "q must be 8"),
    ("set_state", (None, np.full(8, np.inf)), ArgumentError, "v must be 8"),
]


@pytest.mark.parametrize(("method", "arguments", "kind", "text"), BAD_COMMANDS)
def test_what_is_refused_changes_nothing(
    method: str, arguments: tuple[Any, ...], kind: type[Exception], text: str
) -> None:
    simulator = Simulator(panda())
    before = simulator.q
    with pytest.raises(kind, match=text):
        getattr(simulator, method)(*arguments)
    assert np.array_equal(simulator.q, before)
    assert simulator.wrenches == {}
    assert not np.any(simulator.modes)


@pytest.mark.parametrize(
    "options",
    [
        {"step": 0.0},
        {"step": "fast"},
        {"integrator": "euler"},
        {"limit_time_constant": -1.0},
        {"servo_frequency": np.inf},
        {"servo_stiffness": {"slide": -1.0}},
        {"servo_damping": {"slid": 1.0}},
        {"q": [np.nan]},
    ],
    ids=str,
)
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises((ArgumentError, UnknownNameError)):
        Simulator(slider(), **options)


def test_passive_coordinates_and_bases_have_no_motor() -> None:
    simulator = Simulator(four_bar())
    assert simulator.command_names == ("motor",)
    with pytest.raises(ArgumentError, match=r"'pivot' is passive.*'motor'"):
        simulator.command_effort(["pivot"], [1.0])
    builder = rd.ModelBuilder("stone")
    builder.add_body("stone", mass=1.0, inertia=np.eye(3))
    stone = Simulator(rd.Robot(builder.build(base="floating"), compile="off"))
    with pytest.raises(ArgumentError, match="floating base"):
        stone.command_effort([stone.robot.model.coordinate_names[0]], [1.0])
    stone.advance(5)
    assert stone.command_names == ()


def test_a_turn_of_a_quaternion_has_no_position() -> None:
    builder = rd.ModelBuilder("ball")
    builder.add_body("base")
    builder.add_body("ball", mass=1.0, inertia=np.eye(3))
    builder.add_joint("socket", rd.joints.Spherical(), "base", "ball")
    simulator = Simulator(rd.Robot(builder.build(), compile="off"), step=1e-2)
    with pytest.raises(ArgumentError, match="no position of its own"):
        simulator.command_position(["socket/rx"], [0.1])
    simulator.command_velocity(["socket/rx", "socket/ry", "socket/rz"], [0.5, 0.0, 0.0])
    simulator.advance(20)
    np.testing.assert_allclose(simulator.v, [0.5, 0.0, 0.0], atol=1e-4)


def test_a_motion_beyond_all_bounds_says_so_and_leaves_the_last_state() -> None:
    simulator = Simulator(slider(), step=1.0)
    simulator.advance(3)
    simulator.command_effort(["slide"], [1e12])
    q, v, time = simulator.q, simulator.v, simulator.time
    with pytest.raises(SimulationError, match=r"leaves all bounds at 3 s: coordinate 'slide'"):
        simulator.advance(5)
    assert np.array_equal(simulator.q, q)
    assert np.array_equal(simulator.v, v)
    assert simulator.time == time
    simulator.command_effort(["slide"], [0.0])
    simulator.advance()
    assert np.all(np.isfinite(simulator.q))


def test_links_without_inertia_are_told_at_the_beginning() -> None:
    builder = rd.ModelBuilder("nothing")
    builder.add_body("base")
    builder.add_body("tip")
    builder.add_joint("joint", rd.joints.Revolute((0, 0, 1)), "base", "tip")
    with pytest.raises(rd.SingularMassMatrixError, match="joint"):
        Simulator(rd.Robot(builder.build(), compile="off"))


def test_a_humanoid_with_everything_on() -> None:
    robot = rd.load(example("talos_reduced.urdf"), base="floating", compile="off")
    robot.set_payload("gripper_left_base_link", 2.0)
    simulator = Simulator(robot, step=5e-3)
    names = simulator.command_names
    simulator.command_position(names[:20], np.full(20, 0.2))
    simulator.push("torso_2_link", [0, 0, 0, 100.0, 0, 0], 0.02)
    simulator.advance(4)
    assert np.all(np.isfinite(simulator.q))
    assert np.linalg.norm(simulator.q[3:7]) == pytest.approx(1.0, abs=1e-12)
    most = [robot.model.own_joint(name).limits.effort for name in names]
    assert np.all(np.abs(simulator.effort[6:]) <= np.array(most) + 1e-9)
    # a push of 2 N s, and its weight
    momentum = robot.centroidal_momentum(simulator.q, simulator.v)[3:]
    assert momentum[0] == pytest.approx(100.0 * 0.02, rel=0.05)
