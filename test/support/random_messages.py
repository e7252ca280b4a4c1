"""Messages of any generated type with random content, for comparing encodings."""

from __future__ import annotations

import array
import importlib
import random
import re
import struct
from collections.abc import Callable
from typing import Any

_NAMES = ("", "a", "joint_1", "panda_link7", "säule", "関節", "tf frame", "x" * 41)
_SEQUENCE = re.compile(r"sequence<(.+?)(?:, (\d+))?>")
_ARRAY = re.compile(r"(.+)\[(\d+)\]")
LONGEST = 3


def random_message(kind: type, rng: random.Random) -> Any:
    """Return a message of a type, every field drawn; floats are finite, sequences short."""
    message = kind()
    for name, field in kind.get_fields_and_field_types().items():
        setattr(message, name, _value(field, rng))
    return message


def _value(field: str, rng: random.Random) -> Any:
    sequence = _SEQUENCE.fullmatch(field)
    if sequence:
        longest = min(LONGEST, int(sequence[2] or LONGEST))
        return _values(sequence[1], rng.randint(0, longest), rng)
    fixed = _ARRAY.fullmatch(field)
    if fixed:
        return _values(fixed[1], int(fixed[2]), rng)
    return _element(field, rng)


def _values(kind: str, count: int, rng: random.Random) -> list[Any]:
    return [_element(kind, rng) for _ in range(count)]


def _element(kind: str, rng: random.Random) -> Any:
    draw = _DRAWS.get(kind)
    if draw is not None:
        return draw(rng)
    bits = re.fullmatch(r"(u?)int(\d+)", kind)
    if bits:
        size = int(bits[2])
        return rng.getrandbits(size) - (0 if bits[1] else 1 << (size - 1))
    package, _, name = kind.partition("/")
    return random_message(getattr(importlib.import_module(f"{package}.msg"), name), rng)


def _single(rng: random.Random) -> float:
    return float(struct.unpack("f", struct.pack("f", rng.uniform(-1e3, 1e3)))[0])


_DRAWS: dict[str, Callable[[random.Random], Any]] = {
    "boolean": lambda rng: rng.random() < 0.5,
    "octet": lambda rng: bytes([rng.randrange(256)]),
    "double": lambda rng: rng.uniform(-1e3, 1e3),
    "float": _single,
    "string": lambda rng: rng.choice(_NAMES),
}


def plain(value: Any) -> Any:
    """Return a message as nested dicts, lists and numbers, equal where the content is."""
    if hasattr(value, "get_fields_and_field_types"):
        return {name: plain(getattr(value, name)) for name in value.get_fields_and_field_types()}
    if isinstance(value, (list, array.array)) or hasattr(value, "tolist"):
        return [plain(x) for x in (value.tolist() if hasattr(value, "tolist") else value)]
    return value
