"""Arrays to messages and times to integers; every field gets a plain Python value.

A writer makes its message once and fills it anew for each call: publishing serialises at once, so
one message per topic is enough, and building nested messages costs more than filling them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from numpy.typing import NDArray
from robodyn_interfaces.msg import BodyState, BodyStateArray

from robodyn_ros.conditioning.frames import Poses
from robodyn_ros.robot import LazyBodyMotion, LazyCenterOfMassMotion
from robodyn_ros.spatial import quaternion_from_matrix
from tf2_msgs.msg import TFMessage

_SECOND = 1_000_000_000
NOBODY: NDArray[np.intp] = np.zeros(0, dtype=np.intp)


def nanoseconds(time: Time) -> int:
    """Return a stamp in ns."""
    return int(time.sec) * _SECOND + int(time.nanosec)


def set_time(time: Time, stamp: int) -> None:
    """Write a stamp in ns."""
    time.sec, time.nanosec = divmod(stamp, _SECOND)


class TransformWriter:
    """Fills one TFMessage for a fixed list of (parent frame, child frame)."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Make the message."""
        self._message = TFMessage(transforms=[_transform(*pair) for pair in pairs])
        self._parts = [
            (item.header.stamp, item.transform.translation, item.transform.rotation)
            for item in self._message.transforms
        ]

    def write(self, stamp: int, poses: Poses) -> TFMessage:
        """Return the message with a stamp (ns) and the poses of the children in their parents."""
        seconds, rest = divmod(stamp, _SECOND)
        rows = zip(self._parts, poses.position.tolist(), poses.quaternion.tolist(), strict=True)
        for (time, translation, rotation), (x, y, z), (qx, qy, qz, qw) in rows:
            time.sec, time.nanosec = seconds, rest
            translation.x, translation.y, translation.z = x, y, z
            rotation.x, rotation.y, rotation.z, rotation.w = qx, qy, qz, qw
        return self._message


def _transform(parent: str, child: str) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.frame_id = parent
    return message


class BodyStateWriter:
    """Fills one BodyStateArray for the bodies of a model."""

    def __init__(self, names: Sequence[str], frame_id: str) -> None:
        """Make the message; `frame_id` is the frame that the motion is given in."""
        self._message = BodyStateArray(bodies=[BodyState(name=name) for name in names])
        self._message.header.frame_id = frame_id
        self.overflowed: NDArray[np.intp] = NOBODY
        self._vectors = [
            (
                body.pose.position,
                body.twist.angular,
                body.twist.linear,
                body.acceleration.angular,
                body.acceleration.linear,
                body.center_of_mass,
                body.center_of_mass_velocity,
                body.center_of_mass_acceleration,
            )
            for body in self._message.bodies
        ]

    def write(
        self,
        stamp: int,
        motion: LazyBodyMotion,
        com: LazyCenterOfMassMotion,
        valid: NDArray[np.bool_],
        age: NDArray[np.float64],
    ) -> BodyStateArray:
        """Return the message with a stamp (ns), the motion, and validity and age of each body.

        A body whose motion is not finite gets zeros, the identity, and is not valid; which these
        are is kept in `overflowed` until the next call.
        """
        set_time(self._message.header.stamp, stamp)
        columns = (
            motion.position,
            motion.angular_velocity,
            motion.linear_velocity,
            motion.angular_acceleration,
            motion.linear_acceleration,
            com.position,
            com.velocity,
            com.acceleration,
        )
        numbers = np.stack(columns, axis=1)
        turns = quaternion_from_matrix(motion.rotation)
        finite = np.isfinite(numbers).all(axis=(1, 2)) & np.isfinite(turns).all(axis=1)
        self.overflowed = NOBODY
        if not finite.all():
            self.overflowed = np.flatnonzero(~finite)
            numbers[~finite], turns[~finite] = 0.0, (0.0, 0.0, 0.0, 1.0)
            valid = valid & finite
        rows, quaternions = numbers.tolist(), turns.tolist()
        flags, ages = valid.tolist(), age.tolist()
        for i, body in enumerate(self._message.bodies):
            for vector, (x, y, z) in zip(self._vectors[i], rows[i], strict=True):
                vector.x, vector.y, vector.z = x, y, z
            turn = body.pose.orientation
            turn.x, turn.y, turn.z, turn.w = quaternions[i]
            body.valid, body.age = flags[i], ages[i]
        return self._message
