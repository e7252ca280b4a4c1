"""A parallelogram in line can go on in two ways: simulation goes on as it came."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.simulation import Simulator, simulate

PARALLELOGRAM = """mechanism: 1
name: parallelogram
gravity: [0, 0, 0]
bodies:
  base:
  left: {mass: 1, inertia: [0.1, 0, 0, 0.1, 0, 0.1]}
  top: {mass: 1, inertia: [0.1, 0, 0, 0.1, 0, 0.1]}
  right: {mass: 1, inertia: [0.1, 0, 0, 0.1, 0, 0.1]}
joints:
  motor: {type: continuous, parent: base, child: left, axis: [0, 0, 1],
    initial_position: -0.2, initial_velocity: 1}
  pin: {type: continuous, parent: left, child: top, axis: [0, 0, 1],
    on_parent: {position: [0.3, 0, 0]}, initial_position: 0.2, initial_velocity: -1}
  pivot: {type: continuous, parent: base, child: right, axis: [0, 0, 1],
    on_parent: {position: [0.6, 0, 0]}, initial_position: -0.2, initial_velocity: 1}
loops:
  other_pin: {type: continuous, parent: top, child: right, axis: [0, 0, 1],
    on_parent: {position: [0.6, 0, 0]}, on_child: {position: [0.3, 0, 0]}}
actuated: [motor]
"""

SLIDER_CRANK = """mechanism: 1
name: slider-crank
gravity: [0, 0, 0]
bodies:
  base:
  wheel: {mass: 2, inertia: [0.05, 0, 0, 0.05, 0, 0.05]}
  rod: {mass: 0.5, com: [0.25, 0, 0], inertia: [0.001, 0, 0, 0.01, 0, 0.01]}
  block: {mass: 0.5, inertia: [0.001, 0, 0, 0.001, 0, 0.001]}
joints:
  crank: {type: continuous, parent: base, child: wheel, axis: [0, 0, 1],
    initial_position: 0.7, initial_velocity: 8}
  pin: {type: continuous, parent: wheel, child: rod, axis: [0, 0, 1],
    on_parent: {position: [0.2, 0, 0]}, initial_position: -1.0}
  slide: {type: prismatic, parent: base, child: block, axis: [1, 0, 0], initial_position: 0.6}
loops:
  wrist: {type: continuous, parent: rod, child: block, axis: [0, 0, 1],
    on_parent: {position: [0.5, 0, 0]}}
actuated: [slide]
"""


@pytest.mark.parametrize("step", [0.1, 0.08])
def test_a_step_may_end_on_a_change_point_or_pass_it(step: float) -> None:
    robot = rd.load(PARALLELOGRAM, compile="off")
    trajectory = simulate(robot, 4 * step, step, tolerance=1e-6)
    names = robot.model.coordinate_names
    angles = trajectory.q[:, [names.index("motor"), names.index("pivot")]]
    expected = -0.2 + trajectory.time  # nothing speeds it up or slows it down
    assert np.max(np.abs(angles - expected[:, None])) < 2e-3
    assert np.max(np.abs(angles[:, 0] - angles[:, 1])) < 1e-6
    assert trajectory.energy_drift < 1e-3 * trajectory.kinetic[0]


@pytest.mark.parametrize("step", [0.01, 0.008])
def test_a_fixed_step_may_end_on_a_change_point_or_pass_it(step: float) -> None:
    robot = rd.load(PARALLELOGRAM, compile="off")
    simulator = Simulator(robot, step=step)
    begin = simulator.energy.kinetic
    simulator.advance(round(0.4 / step))
    names = robot.model.coordinate_names
    angles = simulator.q[[names.index("motor"), names.index("pivot")]]
    np.testing.assert_allclose(angles, simulator.time - 0.2, atol=2e-3)
    assert simulator.energy.kinetic == pytest.approx(begin, rel=5e-3)


def test_dead_centres_of_the_chosen_coordinate_do_no_harm() -> None:
    """A crank turns over while the slide that is the independent coordinate goes to and fro."""
    robot = rd.load(SLIDER_CRANK, compile="wait")
    assert robot.independent_names == ("slide",)
    simulator = Simulator(robot, step=1e-3, friction=False)
    energy = simulator.energy
    begin = energy.kinetic + energy.potential
    worst = 0.0
    for _ in range(40):
        simulator.advance(25)
        energy = simulator.energy
        worst = max(worst, abs(energy.kinetic + energy.potential - begin))
    assert abs(simulator.q[robot.model.coordinate_names.index("crank")]) > 2.0 * np.pi
    assert worst < 1e-4 * begin
