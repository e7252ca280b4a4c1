"""The demo's motion of closed mechanisms: their independent coordinates, as far as these go."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.demo_poses import PoseMotion

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("four_bar.yaml", "stewart_platform_rods.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_motors_alone_move_and_the_rest_can_follow(name: str) -> None:
    robot = load(EXAMPLES / name, compile="off")
    motion = SmoothMotion(robot.model, amplitude=0.5, period=8.0, seed=0)
    assert motion.names == robot.independent_names
    assert PoseMotion(robot.model, amplitude=0.5, period=8.0, seed=0).names == ()
    assert np.all(motion.reach > 0.0)
    q = robot.model.defaults.q
    for time in np.linspace(0.0, 8.0, 9):
        q = robot.assemble(q, **dict(zip(motion.names, motion.at(time).position, strict=True))).q
