"""Motion of one frame in a reference frame, and what it is in a joint's coordinates.

Positions m, quaternions xyzw, rates rad/s and m/s, accelerations rad/s^2 and m/s^2. All vectors
have the reference's axes, and linear ones are derivatives of the position of the frame's origin.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.one_frame import cross, inverse, matrix, norm, product
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.joints import Planar
from robodyn_ros.model import BaseMotion
from robodyn_ros.spatial import axis_alignment, quaternion_from_matrix

Floats = NDArray[np.float64]
NORM_TOLERANCE = 1e-2
"""How far the norm of a message's quaternion may be off 1."""
PLANE_TOLERANCE = 1e-3
"""How far (m and rad) the pose of a planar joint may be off its plane before that is told."""


class Motion(NamedTuple):
    """Pose, velocity and acceleration of a frame; see above for units and axes."""

    position: Floats
    quaternion: Floats
    angular_velocity: Floats
    linear_velocity: Floats
    angular_acceleration: Floats
    linear_acceleration: Floats


def at_rest() -> Motion:
    """Return the motion of a frame that coincides with the reference and stays there."""
    zero = np.zeros(3)
    return Motion(zero, np.array([0.0, 0.0, 0.0, 1.0]), zero, zero, zero, zero)


class Offset(NamedTuple):
    """Where a frame B sits rigidly in a frame S: quaternion (4,) B to S axes, position (3,) m."""

    quaternion: Floats
    position: Floats


def carried(motion: Motion, X_SB: Offset) -> Motion:
    """Return the motion of a frame B that sits rigidly in the moving frame S at X_SB."""
    arm = matrix(motion.quaternion) @ X_SB.position
    w, dw = motion.angular_velocity, motion.angular_acceleration
    turning = cross(w, arm)
    return Motion(
        motion.position + arm,
        product(motion.quaternion, X_SB.quaternion),
        w,
        motion.linear_velocity + turning,
        dw,
        motion.linear_acceleration + cross(dw, arm) + cross(w, turning),
    )


def floating_coordinates(motion: Motion) -> tuple[Floats, Floats, Floats]:
    """Return q (7,), v (6,) and a (6,) of a floating joint: [omega; velocity] in child axes.

    The velocity's components turn with the child, so their derivative is the classical
    acceleration less omega x velocity.
    """
    R_MF = matrix(inverse(motion.quaternion))
    w, v, dw, dv = np.array(motion[2:]) @ R_MF.T
    q = np.concatenate(motion[:2])
    return q, np.concatenate((w, v)), np.concatenate((dw, dv - cross(w, v)))


def planar_coordinates(joint: Planar, motion: Motion) -> tuple[Floats, Floats, Floats]:
    """Return q (3,) = (x, y, theta), v (3,) and a (3,) of a planar joint, theta within +-pi.

    What of the motion is not in the plane is left out; see `off_plane`.
    """
    to_plane = axis_alignment(np.array(joint.axis)).T
    normal = to_plane[2]
    theta = 2.0 * math.atan2(normal @ motion.quaternion[:3], motion.quaternion[3])
    q = np.append((to_plane @ motion.position)[:2], math.remainder(theta, 2.0 * math.pi))
    v = np.append((to_plane @ motion.linear_velocity)[:2], normal @ motion.angular_velocity)
    a = np.append((to_plane @ motion.linear_acceleration)[:2], normal @ motion.angular_acceleration)
    return q, v, a


def off_plane(joint: Planar, position: Floats, quaternion: Floats) -> tuple[float, float]:
    """Return the distance (m) of a pose from the plane of a joint, and its tilt (rad), both >= 0.

    The tilt is what is left of the rotation when that about the normal is taken out (swing-twist
    decomposition).
    """
    normal = np.array(joint.axis)
    along = float(normal @ quaternion[:3])
    swing = float(np.linalg.norm(quaternion[:3] - along * normal))
    tilt = 2.0 * math.atan2(swing, math.hypot(along, float(quaternion[3])))
    return abs(float(normal @ position)), tilt


def base_motion_numbers(motion: Motion) -> Floats:
    """Return the 24 numbers of a prescribed base; see `robot.catalogue.base_motion_array`."""
    rotation = matrix(motion.quaternion).reshape(9)
    return np.concatenate([motion.position, rotation, *motion[2:]])


def described_motion(motion: BaseMotion) -> Motion:
    """Return the motion of a prescribed base that a description gives."""
    return Motion(
        motion.position,
        np.asarray(quaternion_from_matrix(motion.rotation)),
        motion.angular_velocity,
        motion.linear_velocity,
        motion.angular_acceleration,
        motion.linear_acceleration,
    )


def pose_trouble(position: Floats, quaternion: Floats) -> tuple[str, str]:
    """Return the kind of what is wrong with a pose and a text, or two empty ones."""
    if not all(map(math.isfinite, (*position.tolist(), *quaternion.tolist()))):
        return "not finite", "its pose is not finite"
    largest = max(map(abs, position.tolist()))
    if largest > LIMIT:
        return "out of bounds", f"its position {largest:g} is beyond the bound of {LIMIT:g} m"
    length = norm(quaternion)
    if abs(length - 1.0) > NORM_TOLERANCE:
        return "not a rotation", f"its quaternion has norm {length:g} instead of 1"
    return "", ""


def vector_trouble(what: str, vector: Floats, unit: str) -> tuple[str, str]:
    """Return the kind of what is wrong with a vector and a text, or two empty ones.

    NaN is no trouble: it says that there is no value.
    """
    numbers = [abs(x) for x in vector.tolist() if not math.isnan(x)]
    largest = max(numbers, default=0.0)
    if math.isinf(largest):
        return "not finite", f"its {what} is not finite"
    if largest > LIMIT:
        return "out of bounds", f"its {what} {largest:g} is beyond the bound of {LIMIT:g} {unit}"
    return "", ""


def is_given(vector: Floats | None) -> TypeGuard[Floats]:
    """Return whether there is a vector at all: not None, and no NaN in it."""
    return vector is not None and not any(map(math.isnan, vector.tolist()))
