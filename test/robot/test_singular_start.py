"""A closed mechanism that begins in a singular position is the same everywhere else."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.errors import ClosureError
from robodyn_ros.simulation import simulate

# All links lie in one line at the beginning, where the rocker may turn either way.
PARALLELOGRAM = """mechanism: 1
bodies:
  base:
  crank: {mass: 1, com: [0.05, 0, 0], inertia: {shape: rod, length: 0.1, axis: [1, 0, 0]}}
  coupler: {mass: 2, com: [0.1, 0, 0], inertia: {shape: rod, length: 0.25, axis: [1, 0, 0]}}
  rocker: {mass: 1, com: [0.05, 0, 0], inertia: {shape: rod, length: 0.1, axis: [1, 0, 0]}}
joints:
  motor: {type: continuous, parent: base, child: crank, axis: [0, -1, 0]}
  pin: {type: continuous, parent: crank, child: coupler, axis: [0, -1, 0],
    on_parent: {position: [0.1, 0, 0]}}
  pivot: {type: continuous, parent: base, child: rocker, axis: [0, -1, 0],
    on_parent: {position: [0.25, 0, 0]}}
loops:
  closing: {type: continuous, parent: coupler, child: rocker, axis: [0, -1, 0],
    on_parent: {position: [0.25, 0, 0]}, on_child: {position: [0.1, 0, 0]}}
"""
ACTUATED = "actuated: [motor]\n"


@pytest.fixture(scope="module", params=["", ACTUATED], ids=["no motor named", "motor"])
def robot(request: pytest.FixtureRequest) -> rd.Robot:
    """Return the parallelogram, with or without a word on its motor."""
    return rd.load(PARALLELOGRAM + request.param, compile="off")


def test_its_equations_serve_elsewhere(robot: rd.Robot) -> None:
    q = np.array([0.5, -0.5, 0.5, 0.5])
    there = robot.settled_at(q)
    v = there.complete(q, [1.0, -1.0, 1.0, 1.0]).v
    a = there.forward_dynamics(q, v, np.zeros(4))
    np.testing.assert_allclose(v, [1.0, -1.0, 1.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(robot.forward_dynamics(q, v, np.zeros(4)), a, rtol=1e-10)
    # Both turning alike, the coupler goes along: a pendulum of three bodies without its turn.
    inertia = 2 * (0.05**2 + 0.1**2 / 12) + 2 * 0.1**2
    fall = -9.81 * np.cos(0.5) * (2 * 0.05 + 2 * 0.1) / inertia
    np.testing.assert_allclose(a, fall * np.array([1.0, -1.0, 1.0, 1.0]), rtol=1e-10)
    G = robot.constraint_jacobian(q)
    np.testing.assert_allclose(G @ a + robot.constraint_bias(q, v), 0.0, atol=1e-10)
    assert robot.mobility == there.mobility == 1


def test_the_other_branch_is_served_too(robot: rd.Robot) -> None:
    q = robot.assemble([0.5, -1.2, -0.8, -0.3], motor=0.5).q
    completed = robot.complete(q, np.ones(4), np.ones(4))
    v, a = completed.v, completed.a
    assert v[2] * v[0] < 0.0
    tau = robot.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(robot.forward_dynamics(q, v, tau), a, rtol=1e-9)


def test_the_report_tells_of_the_position_and_of_the_mechanism(robot: rd.Robot) -> None:
    found = robot.structure()
    assert found.mobility == 1
    assert found.independent == robot.independent_names
    assert any("a singular position" in warning for warning in found.warnings)


def test_efforts_at_the_position_itself_are_an_error(robot: rd.Robot) -> None:
    with pytest.raises(ClosureError, match="not determined"):
        robot.inverse_dynamics(robot.initial_state[0])


def test_a_motion_that_could_begin_in_two_ways_does_not(robot: rd.Robot) -> None:
    with pytest.raises(ClosureError, match=r"at rest in a singular position.*begin beside it"):
        simulate(robot, 0.1, 0.1)


def test_what_rests_in_a_singular_position_goes_on_to_rest() -> None:
    flat = rd.load(PARALLELOGRAM + "gravity: [0, -9.81, 0]\n", compile="off")
    rest = simulate(flat, 0.1, 0.1)
    np.testing.assert_allclose(rest.q, 0.0, atol=1e-12)
