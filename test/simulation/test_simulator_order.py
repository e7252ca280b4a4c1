"""How fast the error of the fixed-step methods falls with the step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import ModelBuilder, Robot, load
from robodyn_ros.joints import JOINT_TYPES, Floating, Joint, Planar, Spherical
from robodyn_ros.simulation import Simulator, simulate
from robodyn_ros.simulation.integrators import Integrator

EXAMPLES = Path(__file__).parents[2] / "examples"
DURATION = 0.2


def pendulum_on(joint: Joint, **options: object) -> Robot:
    """Return two links, the first on a joint of any type."""
    builder = ModelBuilder("two links")
    builder.add_body("base")
    for name in ("first", "second"):
        builder.add_body(name, mass=1.0, com=(0.1, 0.0, -0.4), inertia=np.diag([0.04, 0.03, 0.02]))
    builder.add_joint("joint", joint, "base", "first", **options)  # type: ignore[arg-type]
    builder.add_joint(
        "elbow",
        JOINT_TYPES["revolute"]((0.0, 1.0, 0.0)),
        "first",
        "second",
        position=(0.0, 0.0, -0.8),
        **options,  # type: ignore[arg-type]
    )
    return Robot(builder.build(), compile="off")


def four_bar() -> Robot:
    return load(EXAMPLES / "four_bar.yaml", compile="wait")


def six_legs() -> Robot:
    return load(EXAMPLES / "stewart_platform_rods.yaml", compile="wait")


ROBOTS: dict[str, Callable[[], Robot]] = {
    "double pendulum": lambda: pendulum_on(JOINT_TYPES["revolute"]((0.0, 1.0, 0.0))),
    "damped double pendulum": lambda: pendulum_on(
        JOINT_TYPES["revolute"]((0.0, 1.0, 0.0)), damping=0.3
    ),
    "ball joint": lambda: pendulum_on(Spherical()),
    "rotation vector": lambda: pendulum_on(JOINT_TYPES["global"]()),
    "free body": lambda: pendulum_on(Floating()),
    "planar": lambda: pendulum_on(Planar((0.0, 0.0, 1.0))),
    "four-bar": four_bar,
    "Stewart platform": six_legs,
}
CLOSED = ("four-bar", "Stewart platform")


def end_of(robot: Robot, integrator: Integrator, step: float, v: np.ndarray) -> np.ndarray:
    """Return where a robot is after the duration, as a step from its beginning, and its rates."""
    simulator = Simulator(robot, step=step, integrator=integrator, v=v, limits=False)
    simulator.advance(round(DURATION / step))
    assert simulator.time == pytest.approx(DURATION)
    start = robot.initial_state[0]
    return np.concatenate([robot.difference(start, simulator.q), simulator.v])


def rates(robot: Robot, name: str) -> np.ndarray:
    """Return rates to begin with: some, and of a closed mechanism those that it allows."""
    v = np.linspace(1.0, -1.5, robot.model.nv)
    return robot.complete(robot.initial_state[0], 0.3 * v).v if name in CLOSED else v


@pytest.mark.parametrize("name", ["damped double pendulum", "free body", "four-bar"])
def test_the_adaptive_method_ends_there_too(name: str) -> None:
    robot = ROBOTS[name]()
    v = rates(robot, name)
    exact = simulate(robot, DURATION, DURATION, v=v, tolerance=1e-8)
    end = np.concatenate([robot.difference(robot.initial_state[0], exact.q[-1]), exact.v[-1]])
    np.testing.assert_allclose(end_of(robot, "rk4", 0.005, v), end, atol=2e-6)


@pytest.mark.parametrize("name", ROBOTS)
def test_order_of_runge_kutta(name: str) -> None:
    """Halving the step takes fifteen sixteenths of the error away."""
    robot = ROBOTS[name]()
    v = rates(robot, name)
    end = end_of(robot, "rk4", 0.02 / 8, v)
    errors = [np.abs(end_of(robot, "rk4", h, v) - end).max() for h in (0.02, 0.01)]
    assert errors[0] < 2e-3
    assert 3.5 < np.log2(errors[0] / errors[1]) < 5.5, errors


@pytest.mark.parametrize("name", ["double pendulum", "ball joint", "free body", "four-bar"])
def test_order_of_semi_implicit_euler(name: str) -> None:
    """Halving the step takes half of the error away."""
    robot = ROBOTS[name]()
    v = rates(robot, name)
    end = end_of(robot, "rk4", 0.01, v)
    errors = [
        np.abs(end_of(robot, "semi_implicit_euler", h, v) - end).max() for h in (0.005, 0.0025)
    ]
    assert 0.8 < np.log2(errors[0] / errors[1]) < 1.2, errors
