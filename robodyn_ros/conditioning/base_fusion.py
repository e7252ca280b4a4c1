"""What an IMU adds to odometry, and what it says alone; see `base_state` for the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.base_sources import ImuTrack, OdometryTrack
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.one_frame import inverse, matrix, norm, product
from robodyn_ros.conditioning.pose_rates import MAX_GAP_NS

Floats = NDArray[np.float64]
_ZERO = np.zeros(3)


def alone(imu: ImuTrack, before: Motion, gravity: Floats) -> Motion:
    """Return the root link's motion as an IMU tells it, at rest in position and velocity.

    Without an orientation the attitude is that of the motion `before`.
    """
    attitude = before.quaternion if imu.attitude is None else imu.attitude
    rate = _ZERO if imu.rate is None else _turned(attitude, imu.rate)
    rise = _ZERO if imu.force is None else _turned(attitude, imu.force) + gravity
    return Motion(_ZERO, attitude, rate, _ZERO, _turned(attitude, imu.spin), rise)


def turn_between(odometry: OdometryTrack, imu: ImuTrack) -> Floats | None:
    """Return the rotation (4,) from the IMU's world to the odometry's, both at the same time.

    None where the IMU gives no orientation near the time of the odometry.
    """
    if abs(imu.stamp - odometry.stamp) > MAX_GAP_NS:
        return None
    attitude = imu.attitude_at(odometry.stamp)
    if attitude is None:
        return None
    return product(odometry.frame.motion.quaternion, inverse(attitude))


def combined(
    odometry: OdometryTrack, imu: ImuTrack, turn: Floats | None, gravity: Floats
) -> Motion:
    """Return the root link's motion from odometry and a fresh IMU.

    Args:
        odometry: Pose, velocity, and what the IMU does not give.
        imu: The IMU.
        turn: (4,) from the IMU's world to the odometry's, where known.
        gravity: (3,) the physical vector, world axes, m/s^2.
    """
    base = odometry.frame.motion
    newer = imu.stamp >= odometry.stamp
    attitude = level = base.quaternion
    if turn is not None and imu.attitude is not None:
        up = -gravity / max(norm(gravity), 1e-9)
        level = product(heading(turn, up), imu.attitude)
        if newer:
            attitude = product(turn, imu.attitude)
    motion = base._replace(quaternion=attitude)
    if imu.rate is not None:
        motion = motion._replace(angular_acceleration=_turned(attitude, imu.spin))
        if newer:
            motion = motion._replace(angular_velocity=_turned(attitude, imu.rate))
    if imu.force is not None:
        motion = motion._replace(linear_acceleration=_turned(level, imu.force) + gravity)
    return motion


def heading(turn: Floats, up: Floats) -> Floats:
    """Return the part of a rotation (quaternion) about the unit vector `up` (3,), or all of it.

    Source: swing-twist decomposition. All of it where the part is not defined: no `up`, or half a
    turn about a level axis.
    """
    part = np.append(up * (up @ turn[:3]), turn[3])
    length = norm(part)
    return turn if length < 1e-6 or not up.any() else np.asarray(part / length)


def _turned(quaternion: Floats, vector: Floats) -> Floats:
    """Return a vector (3,) in the axes that the unit quaternion (4,) leads to."""
    return np.asarray(matrix(quaternion) @ vector)
