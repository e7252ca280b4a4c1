"""sensor_msgs/JointState out of CDR bytes, whole runs of messages at once.

A recorder's messages repeat one layout again and again: the same frame length, names and lengths
of arrays. The first one of a layout is parsed; those that follow are stacked as an array of bytes,
compared with it where the layout is decided (padding may hold anything), and their numbers are cut
out of the columns. What is laid out otherwise is left to rosbags. See `ros/cdr` for the same of
single messages, as they come to a node.

    header  00 01 and two bytes of options     names      count, strings
    stamp   int32, uint32                      positions, velocities, efforts
    frame   string                                        count, doubles each
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Stamps = NDArray[np.int64]
Indices = NDArray[np.intp]
Bytes = NDArray[np.uint8]

LAYOUTS = 64
"""Layouts that are remembered; one more makes the reader start over."""
LONGEST_TAIL = 15
"""Bytes that may follow a message: sizes are rounded up."""
_SECOND = 1_000_000_000
_HEADER, _STAMP_END = 4, 12
_COUNT, _DOUBLE = 4, 8


class Shape(NamedTuple):
    """What the messages of one publisher have in common: joint names, and lengths of the arrays."""

    names: tuple[str, ...]
    positions: int
    velocities: int
    efforts: int


class Run(NamedTuple):
    """Messages of one shape, in the order in which they came.

    Attributes:
        shape: Names and lengths.
        rows: (n,) which of the messages they are.
        stamp: (n,) header.stamp, ns; 0 where it was not set.
        position, velocity, effort: (n, lengths) as they were sent.
    """

    shape: Shape
    rows: Indices
    stamp: Stamps
    position: Floats
    velocity: Floats
    effort: Floats


@dataclass(frozen=True, eq=False)
class _Layout:
    """How messages of one size are laid out.

    Attributes:
        shape: What they say.
        decided: Where in them the layout is decided, with the bytes there and which of them count.
        starts: Where the three arrays begin.
        order: "<" or ">".
    """

    shape: Shape
    decided: tuple[tuple[slice, Bytes, Bytes], ...]
    starts: tuple[int, int, int]
    order: str

    def fits(self, stacked: Bytes) -> NDArray[np.bool_]:
        """Return which messages, stacked (n, size), are laid out so."""
        same: NDArray[np.bool_] = (stacked[:, :2] == [0, self.order == "<"]).all(axis=1)
        for part, expected, mask in self.decided:
            same &= ~((stacked[:, part] ^ expected) & mask).any(axis=1)
        return same

    def run(self, stacked: Bytes, rows: Indices) -> Run:
        """Return the numbers of messages that fit."""
        stamp = _cut(stacked, _HEADER, 2, f"{self.order}u4")
        seconds = stamp[:, 0].astype(np.uint32).view(np.int32).astype(np.int64)
        lengths = self.shape[1:]
        position, velocity, effort = (
            _cut(stacked, start, length, f"{self.order}f8").astype(np.float64, copy=False)
            for start, length in zip(self.starts, lengths, strict=True)
        )
        nanoseconds = seconds * _SECOND + stamp[:, 1].astype(np.int64)
        return Run(self.shape, rows, nanoseconds, position, velocity, effort)


def _cut(stacked: Bytes, start: int, count: int, kind: str) -> NDArray[Any]:
    """Return numbers (n, count) that begin at a column of stacked messages."""
    size = int(kind[2:])
    part = np.ascontiguousarray(stacked[:, start : start + count * size])
    return part.view(kind).reshape(len(stacked), count)


class JointStateBytes:
    """Reads messages; remembers their layouts."""

    def __init__(self, otherwise: Callable[[bytes], Any]) -> None:
        """Prepare; `otherwise` reads a message that is laid out unusually, or raises anything."""
        self._otherwise = otherwise
        self._layouts: dict[int, list[_Layout]] = {}
        self._count = 0

    def read(self, messages: Sequence[bytes]) -> list[Run]:
        """Return what messages say; those that cannot be read are in no run."""
        sizes = np.fromiter(map(len, messages), np.intp, len(messages))
        runs: list[Run] = []
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            chosen = messages if len(rows) == len(messages) else [messages[k] for k in rows]
            stacked = np.frombuffer(b"".join(chosen), np.uint8).reshape(len(rows), size)
            self._read_alike(messages, stacked, rows, runs)
        return _gathered(runs)

    def _read_alike(
        self, messages: Sequence[bytes], stacked: Bytes, rows: Indices, runs: list[Run]
    ) -> None:
        """Read messages of one size."""
        known = list(self._layouts.get(stacked.shape[1], ()))
        while len(rows):
            layout = known.pop() if known else self._parsed(messages[rows[0]])
            if layout is None:
                run = self._read_one(messages[rows[0]], int(rows[0]))
                runs.extend(() if run is None else (run,))
                stacked, rows = stacked[1:], rows[1:]
                continue
            fits = layout.fits(stacked)
            if fits.all():
                runs.append(layout.run(stacked, rows))
                return
            if fits.any():
                runs.append(layout.run(stacked[fits], rows[fits]))
                stacked, rows = stacked[~fits], rows[~fits]

    def _parsed(self, data: bytes) -> _Layout | None:
        """Return the layout of a message, and remember it."""
        layout = _parse(data)
        if layout is not None:
            if self._count >= LAYOUTS:
                self._layouts.clear()
                self._count = 0
            self._layouts.setdefault(len(data), []).append(layout)
            self._count += 1
        return layout

    def _read_one(self, data: bytes, row: int) -> Run | None:
        try:
            message = self._otherwise(data)
            stamp = message.header.stamp
            arrays = [
                np.array(getattr(message, x), np.float64)
                for x in ("position", "velocity", "effort")
            ]
            shape = Shape(tuple(map(str, message.name)), *map(len, arrays))
            time = int(stamp.sec) * _SECOND + int(stamp.nanosec)
        except Exception:  # noqa: BLE001 - whatever the bytes are, they are no joint state
            return None
        return Run(shape, np.array([row]), np.array([time], np.int64), *(x[None] for x in arrays))


def _gathered(runs: list[Run]) -> list[Run]:
    """Return one run for each shape, in the order of the messages."""
    alike: dict[Shape, list[Run]] = {}
    for run in runs:
        alike.setdefault(run.shape, []).append(run)
    found = []
    for shape, parts in alike.items():
        whole = parts[0]
        if len(parts) > 1:
            arrays = [np.concatenate(x) for x in zip(*(part[1:] for part in parts), strict=True)]
            order = np.argsort(arrays[0], kind="stable")
            whole = Run(shape, *(array[order] for array in arrays))
        found.append(whole)
    return found


class _MisfitError(Exception):
    """The bytes are not laid out as expected."""


class _Cursor:
    """Goes through the bytes; what decides the layout is noted in the mask."""

    def __init__(self, data: bytes, order: str) -> None:
        self.data, self.place = data, _STAMP_END
        self.mask = np.zeros(len(data), np.uint8)
        self._count = struct.Struct(f"{order}I")

    def count(self, smallest: int) -> int:
        """Take a number of elements, each of at least so many bytes."""
        self.align(_COUNT)
        end = self.place + _COUNT
        if end > len(self.data):
            raise _MisfitError
        (value,) = self._count.unpack_from(self.data, self.place)
        if value * smallest > len(self.data) - end:
            raise _MisfitError
        self.mask[self.place : end] = 0xFF
        self.place = end
        return int(value)

    def skip_string(self) -> None:
        length = self.count(1)
        self.place += length

    def name(self) -> str:
        length = self.count(1)
        start, self.place = self.place, self.place + length
        self.mask[start : self.place] = 0xFF
        text = self.data[start : self.place]
        if not text or text.find(0) != length - 1:
            raise _MisfitError
        return text[:-1].decode()

    def align(self, size: int) -> None:
        self.place += (_HEADER - self.place) % size

    def doubles(self) -> tuple[int, int]:
        """Pass by an array of doubles; return where it starts and how many it has."""
        count = self.count(_DOUBLE)
        if count:
            self.align(_DOUBLE)
        start, self.place = self.place, self.place + count * _DOUBLE
        return start, count


def _parse(data: bytes) -> _Layout | None:
    """Return the layout of a message; None where rosbags has to say what it means."""
    if len(data) <= _STAMP_END or data[0] != 0 or data[1] > 1:
        return None
    order = "<" if data[1] else ">"
    cursor = _Cursor(data, order)
    try:
        cursor.skip_string()  # the frame: whatever it is called
        names = tuple(cursor.name() for _ in range(cursor.count(_COUNT)))
        arrays = [cursor.doubles() for _ in range(3)]
    except (_MisfitError, UnicodeDecodeError):
        return None
    if not 0 <= len(data) - cursor.place <= LONGEST_TAIL:
        return None
    (one, _), (two, _), (three, _) = arrays
    shape = Shape(names, *(count for _, count in arrays))
    return _Layout(shape, tuple(_decided(data, cursor.mask)), (one, two, three), order)


def _decided(data: bytes, mask: Bytes) -> Iterator[tuple[slice, Bytes, Bytes]]:
    """Yield the parts of a message in which its layout is decided."""
    places = np.flatnonzero(mask)
    for part in np.split(places, np.flatnonzero(np.diff(places) > _DOUBLE) + 1):
        where = slice(int(part[0]), int(part[-1]) + 1)
        yield where, np.frombuffer(data, np.uint8)[where] & mask[where], mask[where]
