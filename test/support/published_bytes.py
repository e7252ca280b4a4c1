"""What state_publisher publishes, read from its bytes: independent of how they were made.

Fast enough for every message of a stream, and strict: a message that does not end where it should
is an error.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

_COUNT = struct.Struct("<I")
_STAMP = struct.Struct("<iI")
_POSE = struct.Struct("<7d")
_MOTION = struct.Struct("<28d")
_AGE = struct.Struct("<d")
_HEADER = 4
_LONGEST_TAIL = 7
Numbers = tuple[float, ...]


class Transform(NamedTuple):
    """One transform: stamp in ns, frames, position and quaternion xyzw."""

    stamp: int
    parent: str
    child: str
    pose: Numbers


class Body(NamedTuple):
    """One body's state; `motion` has its 28 numbers in the order of BodyState."""

    name: str
    motion: Numbers
    valid: bool
    age: float


class Bodies(NamedTuple):
    """One message of bodies' states; the stamp in ns."""

    stamp: int
    frame: str
    bodies: list[Body]


class _Cursor:
    def __init__(self, data: bytes) -> None:
        assert data[:2] == b"\0\1", f"not little-endian CDR: {data[:4]!r}"
        self._data = data
        self._place = _HEADER

    def _take(self, form: struct.Struct, size: int) -> Numbers:
        place = self._place + (_HEADER - self._place) % size
        self._place = place + form.size
        return form.unpack_from(self._data, place)

    def count(self) -> int:
        return int(self._take(_COUNT, 4)[0])

    def stamp(self) -> int:
        seconds, nanoseconds = self._take(_STAMP, 4)
        assert nanoseconds < 10**9
        return int(seconds) * 10**9 + int(nanoseconds)

    def text(self) -> str:
        length = self.count()
        start, self._place = self._place, self._place + length
        return self._data[start : self._place - 1].decode()

    def doubles(self, form: struct.Struct) -> Numbers:
        return self._take(form, 8)

    def flag(self) -> bool:
        value = self._data[self._place]
        assert value in (0, 1)
        self._place += 1
        return value == 1

    def end(self) -> None:
        assert 0 <= len(self._data) - self._place <= _LONGEST_TAIL


def transforms(data: bytes) -> list[Transform]:
    """Return the transforms of a serialised TFMessage."""
    cursor = _Cursor(data)
    found = [
        Transform(cursor.stamp(), cursor.text(), cursor.text(), cursor.doubles(_POSE))
        for _ in range(cursor.count())
    ]
    cursor.end()
    return found


def bodies(data: bytes) -> Bodies:
    """Return the states of a serialised BodyStateArray."""
    cursor = _Cursor(data)
    stamp, frame = cursor.stamp(), cursor.text()
    found = []
    for _ in range(cursor.count()):
        name, motion = cursor.text(), cursor.doubles(_MOTION)
        valid = cursor.flag()
        found.append(Body(name, motion, valid, cursor.doubles(_AGE)[0]))
    cursor.end()
    return Bodies(stamp, frame, found)
