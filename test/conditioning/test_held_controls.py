"""Control elements that no joint state gives: parameters, formulas of time, initial values."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.description import load_description
from robodyn_ros.robot import Robot
from state_path_rig import frames, take

SECOND = 1000.0
"""As `take` counts."""
TREE = """
mechanism: 1
name: cam
bodies: {base: , arm: {mass: 1}, follower: {mass: 1}}
controls: {phase: {initial_position: 0.3, drive: "DRIVE"}}
joints:
  arm: {type: revolute, parent: base, child: arm, axis: [0, 0, 1]}
  lift: {type: prismatic, parent: base, child: follower, axis: [0, 0, 1],
         follows: {expression: "0.1 * sin(phase)"}}
"""


def path_of(tmp_path: Path, drive: str) -> StatePath:
    file = tmp_path / "cam.yaml"
    file.write_text(TREE.replace("DRIVE", drive))
    found = load_description(file)
    robot = Robot(found.model, compile="off")
    return StatePath(robot, FramePlan(robot.model), Settings(), found.drives)


def follower(path: StatePath) -> np.ndarray:
    return path.bodies()[path.robot.model.body_index("follower")]


def test_a_drive_is_a_function_of_the_stamps(tmp_path: Path) -> None:
    path = path_of(tmp_path, "0.5 * t^2")
    step = take(path, {"arm": 0.1}, 2.0 * SECOND, velocity=[0.0])
    assert frames(path, step) == {"arm", "follower"}
    assert follower(path)[2] == pytest.approx(0.1 * math.sin(2.0))
    assert follower(path)[9] == pytest.approx(0.1 * math.cos(2.0) * 2.0)
    assert path.validity(path.stamp)[0].all()


def test_a_parameter_comes_before_the_drive_and_a_joint_state_before_both(tmp_path: Path) -> None:
    path = path_of(tmp_path, "t")
    path.choose(Settings(controls={"phase": 1.2}))
    take(path, {"arm": 0.1}, 1)
    assert follower(path)[2] == pytest.approx(0.1 * math.sin(1.2))
    take(path, {"arm": 0.1, "phase": 0.7}, 2)
    assert follower(path)[2] == pytest.approx(0.1 * math.sin(0.7))
    step = take(path, {"arm": 0.2}, 3)
    assert frames(path, step) == {"arm"}
    assert follower(path)[2] == pytest.approx(0.1 * math.sin(0.7))


def test_a_drive_without_a_value_leaves_the_initial_one_and_is_told(tmp_path: Path) -> None:
    path = path_of(tmp_path, "1 / (t - 1)")
    take(path, {"arm": 0.1}, 1.0 * SECOND)
    assert follower(path)[2] == pytest.approx(0.1 * math.sin(0.3))
    why = {name: reason for name, _, reason in path.troubles(path.stamp)}
    assert "its drive has no value at t = 1 s" in why["phase"]
