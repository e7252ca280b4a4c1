"""Efforts of closed mechanisms with fewer motors than freedoms: none is valid."""

from __future__ import annotations

import pytest

from effort_paths import UNFILTERED
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import StatePath
from state_path_rig import take

CART = """
mechanism: 1
bodies:
  ground:
  cart: {mass: 2}
  boom: {mass: 3, com: [0.5, 0, 0], inertia: {shape: rod, length: 1, axis: [1, 0, 0]}}
controls: {ram: {range: [0.3, 1.5], initial_position: 0.6}}
joints:
  slide: {type: prismatic, parent: ground, child: cart, axis: [1, 0, 0], range: [-2, 2]}
  hinge: {type: revolute, parent: cart, child: boom, axis: [0, -1, 0]}
constraints:
  jack:
    type: rod
    body_1: cart
    point_1: [0, 0, -0.6]
    body_2: boom
    point_2: [0.4, 0, 0]
    length: ram
"""


@pytest.mark.parametrize(("motors", "enough"), [("slide, ram", True), ("ram", False)])
def test_efforts_are_valid_where_motors_are_enough(motors: str, enough: bool) -> None:
    robot = load(CART + f"actuated: [{motors}]\n", compile="off")
    path = StatePath(robot, FramePlan(robot.model), UNFILTERED)
    dynamics = PathDynamics(path)
    dynamics.want(wait=True)
    for k in range(5):
        take(path, {"slide": 0.1, "ram": 0.62}, at=100 + 10 * k, velocity=[0.0, 0.0])
    assert bool(dynamics.valid(path.stamp).any()) is enough
