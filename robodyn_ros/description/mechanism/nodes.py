"""What a YAML document consists of, with the lines it stands on.

Plain scalars mean what YAML 1.2's core schema says: `1e-3` is a number, `on` is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from robodyn_ros.errors import DescriptionError, quoted

ScalarKind = Literal["null", "bool", "number", "text"]

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]{1,20}", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,16}", re.ASCII)
_INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)", re.ASCII)
_NAN = frozenset({".nan", ".NaN", ".NAN"})
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text as written; `plain` where it is not in quotes; at characters `start` to `end`."""

    text: str
    plain: bool
    line: int
    start: int = 0
    end: int = 0
    size: int = 1

    @property
    def kind(self) -> ScalarKind:
        """What the text stands for."""
        if not self.plain:
            return "text"
        if self.text in _NULLS:
            return "null"
        if self.text in _BOOLS:
            return "bool"
        return "text" if _as_number(self.text) is None else "number"

    @property
    def number(self) -> float:
        """The number, of a scalar of that kind; it may be infinite or NaN."""
        value = _as_number(self.text)
        return float("nan") if value is None else value


@dataclass(frozen=True, slots=True)
class List:
    """Items in order."""

    items: tuple[Node, ...]
    line: int
    size: int


@dataclass(frozen=True, slots=True)
class Map:
    """Values by key, in the order of the document."""

    entries: Mapping[str, tuple[Scalar, Node]]
    line: int
    size: int


Node: TypeAlias = Scalar | List | Map


def _as_number(text: str) -> float | None:
    """Return the number that a plain scalar stands for, or None."""
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _OCTAL.fullmatch(text):
        return float(int(text[2:], 8))
    if _HEXADECIMAL.fullmatch(text):
        return float(int(text[2:], 16))
    if found := _INFINITE.fullmatch(text):
        return float(f"{found[1]}inf")
    return float("nan") if text in _NAN else None


def shown(node: Node) -> str:
    """Return how a message names a value."""
    if isinstance(node, List):
        return f"a list of {len(node.items)}" if node.items else "an empty list"
    if isinstance(node, Map):
        return "a mapping"
    return "nothing" if node.kind == "null" else quoted(node.text, _SHOWN)


@dataclass(frozen=True)
class Place:
    """A value and the way to it: errors name both line and path.

    Attributes:
        node: the value.
        path: keys, and positions in lists counted from 1, from the top.
        line: where it stands; for an entry of a mapping, where its key stands.
    """

    node: Node
    path: tuple[str, ...] = ()
    line: int = field(default=0)

    def failure(self, text: str) -> DescriptionError:
        """Return the error that says where and then `text`."""
        path = "/".join(quoted(key, _SHOWN)[1:-1] for key in self.path)
        return DescriptionError(": ".join(part for part in (self.where, path, text) if part))

    @property
    def where(self) -> str:
        """The line as other errors cite it; "" for what comes from no file."""
        return f"line {self.line}" if self.line else ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is written, or null."""
        return isinstance(self.node, Scalar) and self.node.kind == "null"

    def entries(self, what: str) -> Mapping[str, Place]:
        """Return the places of a mapping's values by key; `what` says what else it should be."""
        if not isinstance(self.node, Map):
            raise self.failure(f"must be {what}, not {shown(self.node)}")
        return {
            name: Place(value, (*self.path, name), key.line)
            for name, (key, value) in self.node.entries.items()
        }

    def items(self, what: str) -> list[Place]:
        """Return the places of a list's items; `what` says what else it should be."""
        if not isinstance(self.node, List):
            raise self.failure(f"must be {what}, not {shown(self.node)}")
        return list(self._numbered(self.node))

    def _numbered(self, node: List) -> Iterator[Place]:
        for number, item in enumerate(node.items, start=1):
            yield Place(item, (*self.path, str(number)), item.line)
