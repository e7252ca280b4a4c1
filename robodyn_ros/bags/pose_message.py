"""The numbers of a sensor_msgs/MultiDOFJointState."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SECOND = 1_000_000_000


class Poses(NamedTuple):
    """One message.

    Attributes:
        stamp: header.stamp, ns; 0 where it was not set.
        names: Of the joints.
        poses: Of each x y z (m) and quaternion xyzw.
        twists: Of each angular (rad/s), then linear (m/s).
    """

    stamp: int
    names: tuple[str, ...]
    poses: list[Floats]
    twists: list[Floats]


def poses_of(message: Any) -> Poses:
    """Return the numbers of a message as rosbags reads it."""
    stamp = message.header.stamp
    poses = [
        np.array([*_vector(x.translation), *_vector(x.rotation), x.rotation.w])
        for x in message.transforms
    ]
    twists = [np.array([*_vector(x.angular), *_vector(x.linear)]) for x in message.twist]
    names = tuple(map(str, message.joint_names))
    return Poses(int(stamp.sec) * _SECOND + int(stamp.nanosec), names, poses, twists)


def _vector(vector: Any) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z
