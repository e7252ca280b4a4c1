"""trajectory_msgs/JointTrajectory out of its CDR bytes, point by point.

rclpy makes a message of 1,000 points in a tenth of a second or so, in which no other thread of the
process runs: no state would be answered meanwhile.

    header  00 01 and two bytes of options     names      count, strings
    stamp   int32, uint32                      points     count, points
    frame   string
    point   positions, velocities, accelerations, efforts: count, doubles each; int32, uint32
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from robodyn_ros.control.joint_trajectory import MOST_POINTS
from robodyn_ros.errors import ArgumentError

_PLAIN = bytes((0, 1, 0, 0))
_HEADER = 4
_DOUBLE = 8
_SECOND = 1_000_000_000
_COUNT = struct.Struct("<I")
_TIME = struct.Struct("<iI")


class ReadTrajectory(NamedTuple):
    """A trajectory.

    Attributes:
        stamp: header.stamp, ns.
        names: Of its joints.
        times: Of its points from their start on, s.
        positions, velocities, accelerations: Of its points, each of any length.
    """

    stamp: int
    names: tuple[str, ...]
    times: list[float]
    positions: list[tuple[float, ...]]
    velocities: list[tuple[float, ...]]
    accelerations: list[tuple[float, ...]]


def read_trajectory(data: bytes) -> ReadTrajectory:
    """Return what a serialised trajectory_msgs/JointTrajectory holds; efforts are passed over.

    Raises:
        ArgumentError: more than `MOST_POINTS` points, or bytes that are no such message in plain
            little endian CDR.
    """
    try:
        return _Cursor(data).trajectory()
    except (struct.error, UnicodeDecodeError):
        raise ArgumentError("its bytes cannot be read") from None


class _Cursor:
    """Bytes, and how far they are read."""

    def __init__(self, data: bytes) -> None:
        if data[:_HEADER] != _PLAIN:
            raise struct.error
        self._data = data
        self._at = _HEADER

    def trajectory(self) -> ReadTrajectory:
        stamp = self._time()
        self._text()
        names = tuple(self._text() for _ in range(self._count()))
        count = self._count()
        if count > MOST_POINTS:
            raise ArgumentError(f"a trajectory has 1 to {MOST_POINTS} points, got {count}")
        read = ReadTrajectory(stamp, names, [], [], [], [])
        for _ in range(count):
            read.positions.append(self._doubles())
            read.velocities.append(self._doubles())
            read.accelerations.append(self._doubles())
            self._doubles()
            read.times.append(self._time() / _SECOND)
        return read

    def _time(self) -> int:
        seconds, rest = _TIME.unpack_from(self._data, self._aligned(_COUNT.size))
        self._at += _TIME.size
        return int(seconds) * _SECOND + int(rest)

    def _count(self) -> int:
        (count,) = _COUNT.unpack_from(self._data, self._aligned(_COUNT.size))
        self._at += _COUNT.size
        if count > len(self._data):
            raise struct.error
        return int(count)

    def _text(self) -> str:
        size = self._count()
        begin, self._at = self._at, self._at + size
        if self._at > len(self._data):
            raise struct.error
        return self._data[begin : self._at].rstrip(b"\0").decode()

    def _doubles(self) -> tuple[float, ...]:
        count = self._count()
        if not count:
            return ()
        numbers = struct.unpack_from(f"<{count}d", self._data, self._aligned(_DOUBLE))
        self._at += _DOUBLE * count
        return numbers

    def _aligned(self, size: int) -> int:
        """Go on to where a number of a size may lie."""
        self._at += (_HEADER - self._at) % size
        return self._at
