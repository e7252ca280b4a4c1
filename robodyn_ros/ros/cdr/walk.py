"""A message as CDR bytes, together with where each of its numbers lies in them.

The encoding is the little-endian XCDR1 that ROS 2 sends (OMG DDSI-RTPS 2.5, section 10, and
DDS-XTypes 1.3, section 7.4.1): four bytes of header, then the fields in order, each number aligned
to its own size counted from behind the header; a string is its length with the closing NUL, then
its bytes; a sequence is its length, then its elements; an array has its elements only.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from robodyn_ros.errors import ArgumentError, quoted

HEADER = b"\x00\x01\x00\x00"
"""What every message of this encoding starts with: CDR, little endian, no options."""

_KINDS = {
    "boolean": "b1",
    "octet": "u1",
    "char": "u1",
    "float": "f4",
    "double": "f8",
    **{f"int{bits}": f"i{bits // 8}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits // 8}" for bits in (8, 16, 32, 64)},
}
_FORMATS = {
    kind: struct.Struct("<" + letter)
    for kind, letter in zip(
        ("b1", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
        "?fdbhiqBHIQ",
        strict=True,
    )
}
_COUNT = _FORMATS["u4"]
_SEQUENCE = re.compile(r"sequence<(?P<element>.+?)(?:, \d+)?>")
_ARRAY = re.compile(r"(?P<element>.+)\[\d+\]")
_STRING = re.compile(r"string(?:<\d+>)?")


class Place(NamedTuple):
    """Where a number lies.

    Attributes:
        offset: Its first byte, counted from the start of the message, header included.
        kind: Its type as NumPy abbreviates it: "f8", "f4", "i4", "u4", "u1", "b1" and so on.
    """

    offset: int
    kind: str


class Serialized(NamedTuple):
    """A message as bytes.

    Attributes:
        data: What a publisher sends; padding is zero.
        places: The place of each number by its path: "transforms[3].transform.rotation.x".
    """

    data: bytes
    places: dict[str, Place]


def serialize(message: Any) -> Serialized:
    """Return the bytes of a message of any generated type and the places of its numbers.

    Args:
        message: The message; its present strings and lengths decide the places.

    Raises:
        ArgumentError: A field of a type that is not supported (wide strings), or a value that does
            not fit its field.
    """
    walk = _Walk()
    try:
        walk.message("", message)
    except (struct.error, OverflowError, TypeError, UnicodeEncodeError) as error:
        raise ArgumentError(f"{type(message).__name__} cannot be serialised: {error}") from error
    return Serialized(bytes(walk.data), walk.places)


class _Walk:
    """Bytes and places so far."""

    def __init__(self) -> None:
        self.data = bytearray(HEADER)
        self.places: dict[str, Place] = {}

    def message(self, path: str, message: Any) -> None:
        fields = message.get_fields_and_field_types()
        if not fields:
            self.data.append(0)  # a structure without members has one byte
        for name, kind in fields.items():
            self._field(f"{path}.{name}" if path else name, kind, getattr(message, name))

    def _field(self, path: str, kind: str, value: Any) -> None:
        sequence = _SEQUENCE.fullmatch(kind)
        if sequence:
            self._number("u4", len(value))
            self._elements(path, sequence["element"], value)
            return
        array = _ARRAY.fullmatch(kind)
        if array:
            self._elements(path, array["element"], value)
            return
        self._element(path, kind, value)

    def _elements(self, path: str, kind: str, values: Sequence[Any]) -> None:
        for i, value in enumerate(values):
            self._element(f"{path}[{i}]", kind, value)

    def _element(self, path: str, kind: str, value: Any) -> None:
        if kind in _KINDS:
            number = value[0] if kind == "octet" else value
            self.places[path] = Place(self._number(_KINDS[kind], number), _KINDS[kind])
        elif _STRING.fullmatch(kind):
            text = value.encode() + b"\0"
            self._number("u4", len(text))
            self.data += text
        elif "/" in kind:
            self.message(path, value)
        else:
            raise ArgumentError(f"{path} is a {quoted(kind)}, which is not supported")

    def _number(self, kind: str, value: Any) -> int:
        """Append a number behind its padding; return its place."""
        form = _FORMATS[kind]
        self.data += bytes((len(HEADER) - len(self.data)) % form.size)
        offset = len(self.data)
        self.data += form.pack(value)
        return offset
