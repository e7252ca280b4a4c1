"""A parallelogram in line can go on in two ways: simulation goes on as it came."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.simulation import simulate

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
