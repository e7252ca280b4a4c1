"""Poses of messages: numbers that are a pose, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.controllers.references import pose_of


def pose(x: float = 0.0, w: float = 1.0, qx: float = 0.0) -> PoseStamped:
    message = PoseStamped()
    message.pose.position.x = x
    message.pose.orientation.w, message.pose.orientation.x = w, qx
    return message


def test_a_pose_is_read() -> None:
    position, rotation = pose_of(pose(2.0, 0.0, 1.0))
    assert position.tolist() == [2.0, 0.0, 0.0]
    np.testing.assert_allclose(rotation, np.diag([1.0, -1.0, -1.0]), atol=1e-15)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (pose(float("nan")), "not finite"),
        (pose(w=float("inf")), "not finite"),
        (pose(1e300), "beyond 1e.09 m"),
        (pose(w=0.0), "the norm of its orientation is 0"),
        (pose(w=1e300), "the norm of its orientation"),
    ],
)
def test_what_is_no_pose_is_refused(message: PoseStamped, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        pose_of(message)
