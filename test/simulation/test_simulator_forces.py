"""Limits, friction and servos of the fixed-step simulator: at rest, never unstable, no energy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robodyn_ros import ModelBuilder, Robot
from robodyn_ros.joints import JointLimits, Prismatic, Revolute
from robodyn_ros.simulation import CommandMode, Simulator
from robodyn_ros.simulation.integrators import Integrator

GRAVITY = 9.81


@cache
def arm(
    links: int = 2, *, limit: float | None = 0.5, effort: float | None = None, **options: float
) -> Robot:
    """Return horizontal links that fall, each on a revolute joint."""
    builder = ModelBuilder("arm")
    builder.add_body("base")
    parent, position = "base", (0.0, 0.0, 0.0)
    limits = JointLimits(
        lower=None if limit is None else -limit, upper=limit, velocity=None, effort=effort
    )
    for k in range(links):
        builder.add_body(f"link{k}", mass=1.0, com=(0.3, 0.0, 0.0), inertia=0.01 * np.eye(3))
        builder.add_joint(
            f"joint{k}",
            Revolute((0.0, 1.0, 0.0)),
            parent,
            f"link{k}",
            position=position,
            limits=limits,
            **options,
        )
        parent, position = f"link{k}", (0.6, 0.0, 0.0)
    return Robot(builder.build(), compile="wait")


def energies(simulator: Simulator, steps: int) -> np.ndarray:
    """Return the energy before and after each of some steps."""
    states = [(simulator.q, simulator.v)]
    for _ in range(steps):
        simulator.advance()
        states.append((simulator.q, simulator.v))
    energy = simulator.robot.energy(*(np.stack(x) for x in zip(*states, strict=True)))
    return np.asarray(energy.kinetic + energy.potential)


@pytest.mark.parametrize("integrator", ["rk4", "semi_implicit_euler"])
@pytest.mark.parametrize("step", [2e-3, 2e-2])
def test_a_dropped_joint_rests_on_its_limit(integrator: Integrator, step: float) -> None:
    simulator = Simulator(arm(1), step=step, integrator=integrator, q=[-0.4])
    found = energies(simulator, round(0.8 / step))
    assert found.max() < found[0] + 1e-9
    assert np.abs(simulator.v).max() < 3e-3
    # the spring of the time constant 0.02 s holds the weight
    load = GRAVITY * 0.3 * np.cos(simulator.q[0]) / (0.01 + 0.09)
    assert simulator.q[0] - 0.5 == pytest.approx(load * 0.02**2, rel=0.02)


def test_both_joints_rest_on_their_limits() -> None:
    simulator = Simulator(arm(2, damping=0.5), step=5e-3, q=[0.0, 0.0])
    simulator.advance(400)
    assert np.all(np.abs(simulator.v) < 1e-4)
    assert np.all((simulator.q > 0.3) & (simulator.q < 0.55))


@settings(max_examples=10, deadline=None)
@given(
    step=st.sampled_from([1e-4, 1e-3, 1e-2, 2e-2]),
    q=st.lists(st.floats(-0.7, 0.7), min_size=2, max_size=2),
    v=st.lists(st.floats(-8.0, 8.0), min_size=2, max_size=2),
    ratio=st.floats(0.5, 2.0),
)
def test_limits_never_explode(step: float, q: list[float], v: list[float], ratio: float) -> None:
    """Beyond the limits at the beginning, and hit at any speed: no more energy than springs had."""
    simulator = Simulator(arm(2), step=step, q=q, v=v, limit_damping_ratio=ratio)
    beyond = np.maximum(np.abs(q) - 0.5, 0.0)
    inertia = np.diagonal(simulator.robot.mass_matrix(q)).max()
    spring = inertia * float(beyond.dot(beyond)) / (0.02 * ratio) ** 2
    found = energies(simulator, 40)
    assert found.max() <= found[0] + spring + 1e-3 * (1.0 + abs(found[0]))
    assert np.all(np.abs(simulator.q) < 2.0)


def test_a_follower_stops_its_driver() -> None:
    builder = ModelBuilder("gripper")
    builder.add_body("base")
    for name in ("left", "right"):
        builder.add_body(name, mass=1.0, inertia=0.01 * np.eye(3))
    builder.add_joint("left_slide", Prismatic((0, 0, 1)), "base", "left")
    builder.add_joint(
        "right_slide", Prismatic((0, 0, 1)), "base", "right", limits=JointLimits(lower=-0.1)
    )
    builder.add_mimic("right_slide", "left_slide", 0.5, 0.05)
    simulator = Simulator(Robot(builder.build(), compile="off"), step=2e-2)
    simulator.advance(60)
    assert abs(simulator.v[0]) < 1e-3
    assert 0.5 * simulator.q[0] + 0.05 == pytest.approx(-0.1, abs=0.01)


@pytest.mark.parametrize("step", [2e-3, 2e-2])
def test_friction_brings_to_rest_and_only_takes(step: float) -> None:
    robot = arm(2, limit=None, friction=4.0)
    robot.gravity = (0.0, 0.0, 0.0)
    try:
        simulator = Simulator(robot, step=step, v=[3.0, -2.0])
        found = energies(simulator, round(0.8 / step))
    finally:
        robot.gravity = (0.0, 0.0, -GRAVITY)
    assert np.diff(found).max() < 1e-7
    assert np.all(np.abs(simulator.v) < 1e-6)


def test_damping_may_be_as_stiff_as_it_likes() -> None:
    simulator = Simulator(arm(2, limit=None, damping=1e5), step=1e-3)
    simulator.advance(20)
    # it sinks as fast as damping lets it
    weight = simulator.robot.gravity_force(simulator.q)
    np.testing.assert_allclose(simulator.v, -weight / 1e5, rtol=0.01)


@pytest.mark.parametrize("frequency", [5.0, 1e4])
@pytest.mark.parametrize("integrator", ["rk4", "semi_implicit_euler"])
def test_a_position_is_reached_with_any_gain(frequency: float, integrator: Integrator) -> None:
    simulator = Simulator(
        arm(2, damping=0.5), step=1e-2, integrator=integrator, servo_frequency=frequency
    )
    names = simulator.command_names
    simulator.command_position(names, [0.3, -0.2])
    simulator.advance(100)
    np.testing.assert_allclose(simulator.q, [0.3, -0.2], atol=1e-5)
    np.testing.assert_allclose(simulator.effort, simulator.robot.gravity_force(simulator.q), 1e-2)
    assert simulator.modes.tolist() == [CommandMode.POSITION] * 2


def test_without_compensation_a_servo_gives_way_to_the_weight() -> None:
    simulator = Simulator(
        arm(1), step=1e-2, servo_gravity_compensation=False, servo_stiffness={"joint0": 50}
    )
    simulator.command_position(["joint0"], [0.0])
    simulator.advance(200)
    weight = -simulator.robot.gravity_force(simulator.q)[0]
    assert simulator.q[0] == pytest.approx(weight / 50.0, rel=1e-3)


def test_a_velocity_is_held() -> None:
    simulator = Simulator(
        arm(2), limits=False, step=2e-3, servo_damping={"joint0": 1e3, "joint1": 1e3}
    )
    simulator.command_velocity(["joint0", "joint1"], [1.0, -0.5])
    simulator.advance(500)
    np.testing.assert_allclose(simulator.v, [1.0, -0.5], atol=2e-3)
    np.testing.assert_allclose(simulator.q, [1.0, -0.5], atol=2e-2)


def test_efforts_keep_within_their_limits() -> None:
    simulator = Simulator(arm(1, limit=None, effort=2.0))
    simulator.command_effort(["joint0"], [-30.0])
    simulator.advance()
    assert simulator.effort.tolist() == [-2.0]
    assert simulator.a[0] == pytest.approx((GRAVITY * 0.3 - 2.0) / 0.1, rel=1e-3)
    simulator.command_position(["joint0"], [-2.0])
    simulator.advance(10)
    assert simulator.effort.tolist() == [-2.0]
    simulator.release()
    simulator.advance()
    assert simulator.effort.tolist() == [0.0]
