"""A message whose strings and lengths stay as they are, and whose numbers are filled in.

Constructing and converting a message costs tens of microseconds in Python, its numbers written into
bytes that are made once cost a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.cdr.walk import HEADER, Place, serialize

Target = tuple[str, int]
"""A field by its path, and the index in the source array of the number that it gets."""

_SECOND = 1_000_000_000
_LARGEST_SECOND = 2**31
_DOUBLE = 8
_NUMBERS = ("f8", "f4")
_KINDS_OF_FLAGS = ("b1", "u1", "i4")
_Indices = NDArray[np.intp]


class Template:
    """The bytes of a message, made once and filled as often as wanted.

    One thread at a time may fill it.
    """

    def __init__(
        self,
        message: Any,
        stamps: Iterable[str] = ("header.stamp",),
        numbers: Sequence[Target] = (),
        flags: Sequence[Target] = (),
    ) -> None:
        """Lay the message out.

        Args:
            message: A message of any generated type with all strings, lengths and constants.
            stamps: Paths of the times that get the stamp.
            numbers: float64 and float32 fields: path (as in `walk.Serialized`) and index into the
                numbers.
            flags: bool, uint8 and int32 fields: path and index into the flags.

        Raises:
            ArgumentError: A path that the message does not have, a field of another type, an index
                below zero.
        """
        data, places = serialize(message)
        # Aligned so that what lies behind the header starts at a multiple of eight, as CDR counts.
        start = _DOUBLE - len(HEADER)
        size = -(-(start + len(data)) // _DOUBLE) * _DOUBLE
        doubles: NDArray[np.float64] = np.zeros(size // _DOUBLE)
        self._doubles = doubles
        self._words = doubles.view(np.int32)
        self._singles = doubles.view(np.float32)
        self._bytes = doubles.view(np.uint8)
        self._message = self._bytes[start : start + len(data)]
        self._message[:] = np.frombuffer(data, dtype=np.uint8)

        def units(found: Iterable[Place], size: int) -> _Indices:
            return np.array([(start + place.offset) // size for place in found], dtype=np.intp)

        times = [_time(places, path) for path in stamps]
        self._seconds = units((sec for sec, _ in times), 4)
        self._nanoseconds = units((nanosec for _, nanosec in times), 4)
        self._second: int | None = None
        single = {path for path, _ in numbers if _place(places, path, _NUMBERS).kind == "f4"}
        doubled = [x for x in numbers if x[0] not in single]
        self._number_places = units((places[path] for path, _ in doubled), 8)
        self._number_sources = _sources(doubled)
        singles = [x for x in numbers if x[0] in single]
        self._single_places = units((places[path] for path, _ in singles), 4)
        self._single_sources = _sources(singles)
        kinds = {path: _place(places, path, _KINDS_OF_FLAGS).kind for path, _ in flags}
        by_kind = {k: [x for x in flags if kinds[x[0]] == k] for k in _KINDS_OF_FLAGS}
        self._flags = [
            (kind, units((places[path] for path, _ in chosen), int(kind[1])), _sources(chosen))
            for kind, chosen in by_kind.items()
            if chosen
        ]

    def fill(
        self,
        stamp_ns: int,
        numbers: NDArray[np.float64],
        flags: NDArray[Any] | None = None,
    ) -> bytes:
        """Return the message for `Publisher.publish`.

        Args:
            stamp_ns: Time, ns.
            numbers: (n,) float64, at least as many as the largest index asks for.
            flags: (m,) of a boolean or integer type; None leaves them as they were.

        Raises:
            ArgumentError: A stamp whose seconds do not fit 32 bits.
            IndexError: Fewer numbers or flags than the largest index asks for.
        """
        seconds, rest = divmod(stamp_ns, _SECOND)
        if seconds != self._second:
            if not -_LARGEST_SECOND <= seconds < _LARGEST_SECOND:
                raise ArgumentError(f"a stamp of {stamp_ns} ns does not fit a message")
            self._words[self._seconds] = seconds
            self._second = seconds
        self._words[self._nanoseconds] = rest
        self._doubles[self._number_places] = numbers[self._number_sources]
        if len(self._single_places):
            self._singles[self._single_places] = numbers[self._single_sources]
        if flags is not None and self._flags:
            self._fill_flags(flags)
        return self._message.tobytes()

    def _fill_flags(self, flags: NDArray[Any]) -> None:
        for kind, places, sources in self._flags:
            values = flags[sources]
            if kind == "i4":
                self._words[places] = values
            else:
                self._bytes[places] = values != 0 if kind == "b1" else values


def _time(places: dict[str, Place], path: str) -> tuple[Place, Place]:
    return _place(places, f"{path}.sec", ("i4",)), _place(places, f"{path}.nanosec", ("u4",))


def _place(places: dict[str, Place], path: str, kinds: tuple[str, ...]) -> Place:
    place = places.get(path)
    if place is None:
        raise ArgumentError(f"the message has no number {quoted(path)}")
    if place.kind not in kinds:
        raise ArgumentError(f"{quoted(path)} is of type {place.kind}, not {' or '.join(kinds)}")
    return place


def _sources(targets: Sequence[Target]) -> _Indices:
    sources = np.array([source for _, source in targets], dtype=np.intp)
    if sources.size and sources.min() < 0:
        raise ArgumentError(f"index {sources.min()} of a number is below zero")
    return sources
