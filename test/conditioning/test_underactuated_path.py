"""Efforts of closed mechanisms with fewer motors than freedoms: none is valid."""

from __future__ import annotations

import pytest

from effort_paths import UNFILTERED
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import StatePath
from state_path_rig import take
from underactuated import CART


@pytest.mark.parametrize(("motors", "enough"), [("slide, ram", True), ("ram", False)])
def test_efforts_are_valid_where_motors_are_enough(motors: str, enough: bool) -> None:
    robot = load(CART + f"actuated: [{motors}]\n", compile="off")
    path = StatePath(robot, FramePlan(robot.model), UNFILTERED)
    dynamics = PathDynamics(path)
    dynamics.want(wait=True)
    for k in range(5):
        take(path, {"slide": 0.1, "ram": 0.62}, at=100 + 10 * k, velocity=[0.0, 0.0])
    assert bool(dynamics.valid(path.stamp).any()) is enough
