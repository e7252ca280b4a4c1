"""sensor_msgs/JointState out of its CDR bytes, about ten times as fast as rclpy makes the message.

A publisher sends the same names and lengths again and again, so the bytes are parsed once for each
layout. Later ones are compared with it as a single integer, in which the stamp, the frame, the
numbers and the padding (which carries whatever lay in the publisher's memory) are masked out, and
the numbers are unpacked in one go.

    header  00 01 and two bytes of options     names      count, strings
    stamp   int32, uint32                      positions, velocities, efforts
    frame   string                                        count, doubles each
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

LAYOUTS = 32
"""Number of layouts, and of shapes, that are remembered; one more makes the reader start over."""

LARGEST = 1 << 16
"""Bytes of a message beyond which it is left to rclpy: some thousand joints."""

LONGEST_TAIL = 15
"""Bytes that may follow the message: rclpy and DDS round its size up, by four for each of the three
sequences and for the end."""

_ENCODING = b"\x00\x01"
_HEADER = 4
_STAMP_END = 12
_SECOND = 1_000_000_000
_COUNT = struct.Struct("<I")
_DOUBLE = 8


@dataclass(frozen=True, eq=False)
class Shape:
    """What the messages of one publisher have in common; compared and hashed by identity.

    Attributes:
        names: Names of the joints.
        positions: Number of positions.
        velocities: Number of velocities.
        efforts: Number of efforts.
    """

    names: tuple[str, ...]
    positions: int
    velocities: int
    efforts: int


class Reading(NamedTuple):
    """One joint state.

    Attributes:
        shape: Names and counts; the same object for the same ones, as long as it is remembered.
        stamp: header.stamp, ns; may be negative, as its seconds may.
        numbers: Positions, then velocities, then efforts, as they were sent: SI, maybe not finite.
    """

    shape: Shape
    stamp: int
    numbers: tuple[float, ...]


class JointStateReader:
    """Reads joint states; for one thread."""

    def __init__(self) -> None:
        self._last = _Layout(-1, 0, 0, _nothing, Shape((), 0, 0, 0))
        self._layouts: dict[int, list[_Layout]] = {}
        self._count = 0
        self._shapes: dict[tuple[Any, ...], Shape] = {}

    def read(self, data: bytes) -> Reading | None:
        """Return what a serialised sensor_msgs/JointState holds.

        Args:
            data: The bytes of the message, its header included, from a publisher of any kind.

        Returns:
            The joint state, or None where the bytes are not laid out as ROS 2 does it on the
            platforms it runs on (little endian, plain CDR), are more than `LARGEST`, are cut off,
            have more than `LONGEST_TAIL` behind the end, or a name that is not UTF-8 or has no NUL
            at its end or one before: rclpy then has to say what they mean. Where a joint state is
            returned, rclpy finds the same one.
        """
        layout = self._last
        if (
            len(data) != layout.size
            or int.from_bytes(data, "little") & layout.mask != layout.expected
        ):
            found = self._find(data) or self._parse(data)
            if found is None:
                return None
            layout = self._last = found
        values = layout.unpack(data)
        return Reading(layout.shape, values[0] * _SECOND + values[1], values[2:])

    def _find(self, data: bytes) -> _Layout | None:
        """Return the remembered layout of these bytes."""
        layouts = self._layouts.get(len(data))
        if layouts is None:
            return None
        value = int.from_bytes(data, "little")
        for layout in layouts:
            if value & layout.mask == layout.expected:
                return layout
        return None

    def _parse(self, data: bytes) -> _Layout | None:
        """Return the layout of bytes that were not met before, and remember it."""
        layout = _parse(data)
        if layout is None:
            return layout
        if self._count >= LAYOUTS or len(self._shapes) >= LAYOUTS:
            self._layouts.clear()
            self._shapes.clear()
            self._count = 0
        shape = layout.shape
        key = (shape.names, shape.positions, shape.velocities, shape.efforts)
        layout = layout._replace(shape=self._shapes.setdefault(key, shape))
        self._layouts.setdefault(layout.size, []).append(layout)
        self._count += 1
        return layout


class _Layout(NamedTuple):
    """How messages of `size` bytes are laid out whose masked value is `expected`."""

    size: int
    mask: int
    expected: int
    unpack: Callable[[bytes], tuple[Any, ...]]
    shape: Shape


def _nothing(data: bytes) -> tuple[Any, ...]:
    return ()


class _MisfitError(Exception):
    """The bytes are not a message that is laid out as expected."""


class _Cursor:
    """Goes through the bytes; what decides the layout is noted in the mask."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = _STAMP_END
        self.mask = bytearray(len(data))
        self.mask[: len(_ENCODING)] = b"\xff" * len(_ENCODING)

    def count(self, smallest: int) -> int:
        """Take the number of elements, each of which has at least so many bytes."""
        self.align(_COUNT.size)
        end = self.place + _COUNT.size
        if end > len(self.data):
            raise _MisfitError
        (value,) = _COUNT.unpack_from(self.data, self.place)
        if value * smallest > len(self.data) - end:
            raise _MisfitError
        self.mask[self.place : end] = b"\xff" * _COUNT.size
        self.place = end
        return int(value)

    def skip_string(self) -> None:
        length = self.count(1)
        self.place += length

    def name(self) -> str:
        """Take a string that decides the layout."""
        length = self.count(1)
        start, self.place = self.place, self.place + length
        self.mask[start : self.place] = b"\xff" * length
        text = self.data[start : self.place]
        if text and text.find(0) != length - 1:
            raise _MisfitError
        return text[:-1].decode()

    def align(self, size: int) -> None:
        self.place += (_HEADER - self.place) % size

    def doubles(self) -> tuple[int, int]:
        """Pass by a sequence of doubles; return where it starts and how many it has."""
        count = self.count(_DOUBLE)
        if count:
            self.align(_DOUBLE)
        start, self.place = self.place, self.place + count * _DOUBLE
        return start, count


def _parse(data: bytes) -> _Layout | None:
    if len(data) > LARGEST or not data.startswith(_ENCODING):
        return None
    cursor = _Cursor(data)
    try:
        cursor.skip_string()  # the frame: whatever it is called
        names = tuple(cursor.name() for _ in range(cursor.count(_COUNT.size)))
        sequences = [cursor.doubles() for _ in range(3)]
    except (_MisfitError, UnicodeDecodeError):
        return None
    if not 0 <= len(data) - cursor.place <= LONGEST_TAIL:
        return None
    form, end = f"<{_HEADER}xiI", _STAMP_END
    for start, count in sequences:
        form += f"{start - end}x{count}d"
        end = start + count * _DOUBLE
    mask = int.from_bytes(cursor.mask, "little")
    return _Layout(
        len(data),
        mask,
        int.from_bytes(data, "little") & mask,
        struct.Struct(form).unpack_from,
        Shape(names, *(count for _, count in sequences)),
    )
