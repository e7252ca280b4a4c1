"""Parts of requests of the dynamics services."""

from __future__ import annotations

from typing import Any

import numpy as np
from geometry_msgs.msg import WrenchStamped

from robodyn_ros.model import Model
from robodyn_ros.spatial import quaternion_exponential, quaternion_logarithm


def positions(model: Model, q: np.ndarray) -> np.ndarray:
    """Return a number for each coordinate name: attitudes as rotation vectors.

    A quaternion of q whose rotation vector gives the opposite one is turned round in q.
    """
    values = np.zeros(model.nv)
    for joint in model.own_joints:
        own = q[joint.q_index : joint.q_index + joint.joint.nq]
        span = slice(joint.v_index, joint.v_index + joint.joint.nv)
        if joint.joint.quaternion_start is None:
            values[span] = own
        else:
            turned = quaternion_logarithm(own[3:])
            sign = 1.0 if np.allclose(quaternion_exponential(turned), own[3:]) else -1.0
            q[joint.q_index + 3 : joint.q_index + 7] *= sign
            values[span] = [*turned, *own[:3]]
    return values


def wrench(frame: str, moment: Any = (0, 0, 0), force: Any = (0, 0, 0)) -> WrenchStamped:
    """Return a wrench message."""
    message = WrenchStamped()
    message.header.frame_id = frame
    torque = message.wrench.torque
    torque.x, torque.y, torque.z = map(float, moment)
    pull = message.wrench.force
    pull.x, pull.y, pull.z = map(float, force)
    return message
