"""The geometric Jacobian of a frame."""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.kinematics import pose_step
from robodyn_ros.model import Environment, Frame, Model
from robodyn_ros.spatial import Array, apply, cross, joined

_DEFAULT = Environment()


def jacobian(
    model: Model, q: Array, frame: Frame | str, *, environment: Environment = _DEFAULT
) -> Array:
    """Return J_WF (..., 6, nv): [omega; velocity of the frame's origin] = J v, world axes.

    Columns of joints that do not carry the frame are zero; a follower's contribution is in its
    driver's column.

    Args:
        model: the model.
        q: coordinates (..., nq).
        frame: the frame or its name; see `Model.frame`.
        environment: its base motion places a prescribed base.
    """
    if isinstance(frame, str):
        frame = model.frame(frame)
    R: Array = np.eye(3)
    p: Array = np.zeros(3)
    passed: list[tuple[tuple[int, ...], Array, Array]] = []
    for i in model.support(frame.body):
        _, joint = model.moving[i - 1]
        if i == 1 and model.base == "prescribed":
            R, p = environment.base_motion.rotation, environment.base_motion.position
            continue
        z = joint.coordinates.position(q)
        R, p, _ = pose_step(R, p, joint.joint, (joint.rotation, joint.position), z)
        if joint.joint.nv:
            S = joint.joint.motion_subspace(z) @ joint.coordinates.velocity_map(q)
            turning = R @ S[..., :3, :]
            block = joined(turning, R @ S[..., 3:, :], axis=-2)
            passed.append((joint.coordinates.columns(), p, block))
    tip = p + apply(R, frame.position)
    lead = q.shape[:-1]
    if model.base == "prescribed":
        lead = np.broadcast_shapes(lead, environment.base_motion.lead)
    return _columns(model.nv, lead, tip, passed)


def _columns(
    nv: int,
    lead: tuple[int, ...],
    tip: Array,
    passed: list[tuple[tuple[int, ...], Array, Array]],
) -> Array:
    """Return the Jacobian from the motions (columns, origin, 6 x n block) that carry the tip."""
    zero = np.zeros((*lead, 3))
    angular: list[Array] = [zero] * nv
    linear: list[Array] = [zero] * nv
    for columns, origin, block in passed:
        for k, column in enumerate(columns):
            turn = block[..., :3, k]
            angular[column] = angular[column] + turn
            linear[column] = linear[column] + block[..., 3:, k] + cross(turn, tip - origin)
    if nv == 0:
        return np.zeros((*lead, 6, 0))
    halves = (np.stack(angular, axis=-1), np.stack(linear, axis=-1))
    return joined(*halves, axis=-2)
