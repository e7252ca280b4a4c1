"""How a link or frame of a robot is turned, as its joint states say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import pose_in_world
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import quoted
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]


def attitude(path: StatePath, stamp: int, frame: str, prefix: str) -> Floats | str:
    """Return the rotation (3, 3) of a link or frame in the world, or why it is not known.

    Args:
        path: The state path; its lock is held.
        stamp: The time, ns.
        frame: By its published name.
        prefix: What published names begin with.
    """
    frames = path.robot.model.frames
    name = frame.removeprefix(prefix) if frame.startswith(prefix) else ""
    if name not in frames:
        return f"its frame_id {quoted(frame)} is no frame of the robot"
    place = frames[name]
    valid, _ = path.validity(stamp)
    if not valid[place.body]:
        return f"it is not known how its frame {quoted(frame)} is turned"
    R_WB: Floats = np.asarray(quaternion_to_matrix(path.bodies()[place.body, 3:7]))
    if path.plan.seen_from:
        R_WB = pose_in_world(path.robot.model, path.plan.seen_from)[0] @ R_WB
    return R_WB @ place.rotation
