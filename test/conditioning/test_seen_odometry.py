"""Odometry of a robot whose states are seen from a workspace: given in the world all the same."""

from __future__ import annotations

import numpy as np
import pytest

from quay_robot import quay_arm, turned
from robodyn_ros import load
from robodyn_ros.algorithms import pose_in_world
from robodyn_ros.conditioning.base_sources import OdometrySample
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.pose_inputs import PoseInputs
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_to_matrix, rotation_from_rpy

ROUNDING = 1e-14
SETTINGS = Settings()
REMEDY = "states are given in that frame of the description, which is elsewhere"


@pytest.mark.parametrize(("frame", "told"), [("world", False), ("quay", True)])
def test_odometry_is_given_in_the_world_and_seen_from_the_workspace(frame: str, told: bool) -> None:
    robot = load(quay_arm("floating"), compile="off")
    path = StatePath(robot, FramePlan(robot.model, world_frame="quay"), SETTINGS)
    R_WB, p_WB = np.asarray(rotation_from_rpy((0.4, -0.2, 1.0))), np.array([2.0, 1.0, -0.5])
    w, v = np.array([0.1, 0.2, -0.3]), np.array([0.7, -0.4, 0.2])
    sample = OdometrySample(
        1_000_000, frame, "pedestal", p_WB, quaternion_from_matrix(R_WB), np.array([*w, *v])
    )
    step = path.take_poses(PoseInputs(path, "odometry").take(sample, 0, SETTINGS))
    texts = [complaint.text for complaint in step.complaints]
    assert any(REMEDY in text and "publish odometry in 'world'" in text for text in texts) is told
    R_WF, p_WF = pose_in_world(robot.model, "quay")
    pedestal = path.bodies()[1]
    assert pedestal[:3] == pytest.approx(R_WF.T @ (p_WB - p_WF), abs=ROUNDING)
    assert quaternion_to_matrix(pedestal[3:7]) == pytest.approx(R_WF.T @ R_WB, abs=ROUNDING)
    twist = turned(R_WF, np.array([R_WB @ v, R_WB @ w])).ravel()
    assert pedestal[7:13] == pytest.approx(twist, abs=ROUNDING)
