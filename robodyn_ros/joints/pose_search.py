"""Coordinates of a pose where there is no formula for them: Newton's method from several places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, JointLimits
from robodyn_ros.spatial import Array, apply, transpose

_STARTS = 12
_STEPS = 40
_SEED = 3
_RANK = 1e-9
_LONGEST = 0.7
"""Size of a step at most: derivatives do not tell of what is far."""


def coordinates_near(joint: Joint, R_FM: Array, p_FM: Array) -> NDArray[np.float64]:
    """Return coordinates (..., nq) of a joint with nq = nv whose pose is nearest to that given.

    From its neutral coordinates and from random ones; of all ends, the one with the nearest pose.
    """
    lead = np.broadcast_shapes(R_FM.shape[:-2], p_FM.shape[:-1])
    rng = np.random.default_rng(_SEED)
    starts = [joint.neutral(), *(joint.random(rng, JointLimits()) for _ in range(_STARTS - 1))]
    ones = (1,) * len(lead)
    q = np.broadcast_to(
        np.stack(starts).reshape(_STARTS, *ones, joint.nq), (_STARTS, *lead, joint.nq)
    )
    for _ in range(_STEPS):
        twist = _apart(joint, q, R_FM, p_FM)
        S = np.broadcast_to(joint.motion_subspace(q), (*q.shape[:-1], 6, joint.nv))
        step = apply(np.linalg.pinv(np.nan_to_num(S), rcond=_RANK), np.nan_to_num(twist))
        size = np.linalg.norm(step, axis=-1, keepdims=True)
        q = q + step * np.minimum(1.0, _LONGEST / np.maximum(size, _LONGEST))
    left = np.linalg.norm(_apart(joint, q, R_FM, p_FM), axis=-1)
    best = np.argmin(np.where(np.isfinite(left), left, np.inf), axis=0)
    found: NDArray[np.float64] = np.take_along_axis(q, best[None, ..., None], axis=0)[0]
    return found


def _apart(joint: Joint, q: Array, R_FM: Array, p_FM: Array) -> Array:
    """Return the turn and the displacement (..., 6) to the pose, in M's axes.

    The turn is the axis times the sine of half its angle, twice: it does not vanish at half a turn.
    """
    R, p = joint.pose(q)
    turn = transpose(R) @ R_FM
    axis = np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ],
        axis=-1,
    )
    cosine = 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1.0)
    half = np.sqrt(np.maximum(0.5 * (1.0 + cosine), 0.01))[..., None]
    shift = apply(transpose(R), p_FM - p)
    return np.concatenate(np.broadcast_arrays(0.5 * axis / half, shift), axis=-1)
