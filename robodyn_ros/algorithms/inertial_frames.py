"""Named frames at rest in the world, and the motion of bodies seen from one of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.kinematics import BodyMotion
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply, compose

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]


def seen_from(model: Model, frame: str, motion: Iterable[Array]) -> BodyMotion:
    """Return the motion of bodies relative to a frame that is fixed in the world, in its axes.

    What is seen from there of centres of mass and markers follows by `centers_of` and `markers_of`.

    Args:
        model: The model.
        frame: Name of a frame that is fixed in the world, such as a mechanism file's workspace.
        motion: What `body_motion` returned, in world axes.

    Raises:
        ArgumentError: the frame moves in the world.
        UnknownNameError: no such frame.
    """
    R_WF, p_WF = pose_in_world(model, frame)
    p, R, *vectors = motion
    R_FW = R_WF.T
    return BodyMotion(apply(R_FW, p - p_WF), R_FW @ R, *(apply(R_FW, x) for x in vectors))


def pose_in_world(model: Model, frame: str) -> Pose:
    """Return R_WF (3, 3) and p_WF (3,), m, of a frame that is fixed in the world.

    Raises:
        ArgumentError: the frame moves in the world.
        UnknownNameError: no such frame.
    """
    fixed = frames_fixed_to(model, 0)
    if frame not in fixed:
        body = model.body_names[model.frame(frame).body]
        raise ArgumentError(
            f"frame {quoted(frame)} is fixed in body {quoted(body)}, which moves in the world; name"
            f" a frame at rest: {', '.join(map(quoted, fixed))}"
        )
    return fixed[frame]


def frames_fixed_to(model: Model, body: int) -> dict[str, Pose]:
    """Return the frames that never move in a body, by name, each with R_BF (3, 3) and p_BF (3,).

    These are the body's own, those of the bodies behind it that only fixed joints hold, then the
    named frames on any of them.
    """
    X_B: dict[int, Pose] = {body: (np.eye(3), np.zeros(3))}
    for i, joint in model.moving:
        # A prescribed base has no coordinates, but moves.
        held = joint.joint.nv == 0 and not (i == 1 and model.base == "prescribed")
        if held and joint.parent in X_B:
            X_BF = compose(X_B[joint.parent], (joint.rotation, joint.position))
            X_B[i] = compose(X_BF, joint.joint.pose(joint.joint.neutral()))
    frames = {model.body_names[i]: pose for i, pose in X_B.items()}
    for extra in model.extra_frames:
        if extra.body in X_B:
            frames[extra.name] = compose(X_B[extra.body], (extra.rotation, extra.position))
    return frames
