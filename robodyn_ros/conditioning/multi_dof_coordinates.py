"""What the motion of a joint's child frame is in the joint's coordinates, and how far it is off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frame_motion import (
    Motion,
    floating_coordinates,
    off_plane,
    planar_coordinates,
)
from robodyn_ros.conditioning.one_frame import (
    cross,
    inverse,
    matrix,
    norm,
    product,
    rotation_vector,
)
from robodyn_ros.joints import Floating, Joint, Placed, Planar, Reversed
from robodyn_ros.spatial import quaternion_from_matrix

Floats = NDArray[np.float64]

#: Rates of which the subspace's singular values are smaller than so much of the largest one are
#: not to be had from a velocity: near gimbal lock they would be its noise, magnified.
_LOST = 1e-6


def described(joint: Joint) -> Joint:
    """Return the joint as the description has it, neither turned round nor placed in the child."""
    while isinstance(joint, (Reversed, Placed)):
        joint = joint.inner
    return joint


def is_told_by_poses(joint: Joint) -> bool:
    """Return whether a pose determines the coordinates of a joint that has several rates."""
    return joint.nv > 1 and joint.coordinates_at(np.eye(3), np.zeros(3)) is not None


def joint_coordinates(joint: Joint, motion: Motion) -> tuple[Floats, Floats, Floats]:
    """Return q (nq,), v (nv,) and a (nv,) of a joint whose child frame moves so.

    What of the motion the joint cannot do is left out; see `off_joint`. Angles are within +-pi.
    """
    if isinstance(joint, Floating):
        return floating_coordinates(motion)
    if isinstance(joint, Planar):
        return planar_coordinates(joint, motion)
    q = np.asarray(joint.coordinates_at(matrix(motion.quaternion), motion.position))
    R_MF = matrix(inverse(motion.quaternion))
    w, v, dw, dv = np.array(motion[2:]) @ R_MF.T
    inverted = np.linalg.pinv(joint.motion_subspace(q), rcond=_LOST)
    rates = inverted @ np.concatenate((w, v))
    change = np.concatenate((dw, dv - cross(w, v)))
    bias = joint.bias(q, rates)
    return q, rates, inverted @ (change if bias is None else change - bias)


def off_joint(joint: Joint, position: Floats, quaternion: Floats) -> tuple[float, float]:
    """Return the distance (m) and angle (rad) of a pose from the nearest that a joint can have."""
    if isinstance(joint, Floating):
        return 0.0, 0.0
    if isinstance(joint, Planar):
        return off_plane(joint, position, quaternion)
    R, p = joint.pose(np.asarray(joint.coordinates_at(matrix(quaternion), position)))
    left = product(inverse(np.asarray(quaternion_from_matrix(R))), quaternion)
    return norm(position - p), norm(rotation_vector(left))
