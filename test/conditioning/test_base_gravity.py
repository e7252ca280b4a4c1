"""An IMU on a moving base is read with the gravity of the moment."""

from __future__ import annotations

import numpy as np
import pytest

from base_rig import rover
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.pose_inputs import PoseInputs
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.robot import Robot

PLAIN = Settings(choices=Choices(filter_time_constant=0.0))
MS = 1_000_000
UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])
FORCE = np.array([0.5, 0.0, 9.81])


@pytest.mark.parametrize("base", ["floating", "prescribed"])
@pytest.mark.parametrize("base_input", ["imu", "odometry_and_imu"])
def test_gravity_may_change_while_the_base_moves(base: str, base_input: str) -> None:
    robot = Robot(rover(base), compile="off")
    path = StatePath(robot, FramePlan(robot.model), PLAIN)
    inputs = PoseInputs(path, base_input)
    root = robot.model.body_index("rover")
    shown = []
    for k, gravity in enumerate(([0.0, 0.0, -9.81], [0.0, 0.0, -3.7], [1.0, 0.0, -3.7]), start=1):
        path.gravity = np.array(gravity)
        stamp = k * 10 * MS
        if base_input != "imu":
            still = OdometrySample(stamp, "world", "rover", np.zeros(3), UPRIGHT, np.zeros(6))
            path.take_poses(inputs.take(still, stamp, PLAIN))
        sample = ImuSample(stamp, "rover", UPRIGHT, np.zeros(3), FORCE)
        path.take_poses(inputs.take(sample, stamp, PLAIN))
        shown.append(path.bodies()[root, 13:16].copy())
    expected = [FORCE + np.array(g) for g in ([0, 0, -9.81], [0, 0, -3.7], [1, 0, -3.7])]
    assert np.array(shown) == pytest.approx(np.array(expected), abs=1e-12)
