"""Kinds of values: each reads a place of a file and says in a few words what it takes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.nodes import List, Map, Place, Scalar, shown
from robodyn_ros.errors import DescriptionError, did_you_mean, quoted
from robodyn_ros.expressions import parse
from robodyn_ros.model.checks import LARGEST

Vector = NDArray[np.float64]

LONGEST_NAME = 250
UNIT_TOLERANCE = 1e-3
"""How far from 1 the length of a unit vector may be: four digits for each entry are enough."""
_ROUNDING = 1e-14


@dataclass(frozen=True)
class Scope:
    """What a value may refer to.

    Attributes:
        values: parameters by name.
        folder: where relative paths begin; None for a text, which has no place of its own.
    """

    values: Mapping[str, float] = field(default_factory=dict)
    folder: Path | None = None


class Kind(ABC):
    """What may stand at a place."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What it takes, for messages ("must be ...") and the reference."""

    @abstractmethod
    def read(self, place: Place, scope: Scope) -> Any:
        """Return the checked value, or raise the place's failure."""


@dataclass(frozen=True)
class Number(Kind):
    """A number or an expression; finite, not below `minimum`."""

    unit: str = ""
    minimum: float = -math.inf
    positive: bool = False

    @property
    def text(self) -> str:
        """Say so with the unit and the bound."""
        bound = " > 0" if self.positive else f" >= {self.minimum:g}" if self.is_bounded else ""
        return f"a number{bound}" + (f" in {self.unit}" if self.unit else "")

    @property
    def is_bounded(self) -> bool:
        """Whether there is a minimum."""
        return math.isfinite(self.minimum)

    def read(self, place: Place, scope: Scope) -> float:
        """Return the number, an expression evaluated."""
        value = number(place, scope, self.text)
        if not math.isfinite(value):
            raise place.failure(f"must be {self.text}, and finite")
        if abs(value) > LARGEST:
            raise place.failure(f"{value:g} is too large; check its unit")
        if value < self.minimum or (self.positive and value <= 0.0):
            raise place.failure(f"must be {self.text}, got {value:g}")
        return value


def number(place: Place, scope: Scope, wanted: str) -> float:
    """Return the number that stands at a place, maybe infinite or NaN; `wanted` is for errors."""
    node = place.node
    if not isinstance(node, Scalar):
        raise place.failure(f"must be {wanted}, not {shown(node)}")
    if node.kind == "number":
        return node.number
    if node.kind == "bool":
        raise place.failure(f"must be {wanted}; {node.text} is a truth value, write 1 or 0")
    if node.kind == "null":
        raise place.failure(f"must be {wanted}, and is empty")
    try:
        return float(parse(node.text).evaluate(scope.values))
    except DescriptionError as error:
        raise place.failure(f"must be {wanted}: {error}") from None


@dataclass(frozen=True)
class Numbers(Kind):
    """`count` numbers in a list."""

    count: int
    unit: str = ""
    example: str = ""

    @property
    def text(self) -> str:
        """Say so with the unit."""
        text = f"{self.count} numbers" + (f" in {self.unit}" if self.unit else "")
        return text + (f" like {self.example}" if self.example else "")

    def read(self, place: Place, scope: Scope) -> Vector:
        """Return the numbers (count,)."""
        items = place.items(self.text)
        if len(items) != self.count:
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        return np.array([Number(self.unit).read(item, scope) for item in items])


@dataclass(frozen=True)
class UnitVector(Kind):
    """Three numbers, a vector of length 1; `of_length` is the key for what a length may mean."""

    of_length: str = ""

    @property
    def text(self) -> str:
        """Say so."""
        return "a unit vector like [0, 0, 1]"

    def read(self, place: Place, scope: Scope) -> Vector:
        """Return the vector (3,), of length 1 to the last digits."""
        vector: Vector = Numbers(3, example="[0, 0, 1]").read(place, scope)
        largest = float(np.max(np.abs(vector)))
        if largest == 0.0:
            raise place.failure("is zero; give a unit vector like [0, 0, 1]")
        unit = vector / largest
        unit = unit / np.linalg.norm(unit) + 0.0
        if np.max(np.abs(vector - unit)) > UNIT_TOLERANCE:
            length = largest * float(np.linalg.norm(vector / largest))
            listed = ", ".join(f"{entry:.6g}" for entry in unit)
            more = f", and {self.of_length}: {length:.6g} if that is meant" * bool(self.of_length)
            raise place.failure(f"has length {length:.6g}, not 1; write [{listed}]{more}")
        return vector if abs(vector @ vector - 1.0) <= _ROUNDING else unit


@dataclass(frozen=True)
class Matrix(Kind):
    """Three rows of three numbers."""

    unit: str = ""

    @property
    def text(self) -> str:
        """Say so."""
        return "3 rows of 3 numbers" + (f" in {self.unit}" if self.unit else "")

    def read(self, place: Place, scope: Scope) -> Vector:
        """Return the matrix (3, 3)."""
        rows = place.items(self.text)
        if len(rows) != 3:
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        return np.array([Numbers(3, self.unit).read(row, scope) for row in rows])


@dataclass(frozen=True)
class Name(Kind):
    """A name; `of` says of what."""

    of: str = ""

    @property
    def text(self) -> str:
        """Say so."""
        return f"name of a {self.of}" if self.of else "a name"

    def read(self, place: Place, scope: Scope) -> str:
        """Return the name."""
        node = place.node
        if not isinstance(node, Scalar) or node.kind == "null":
            raise place.failure(f"must be a {self.text.removeprefix('a ')}, not {shown(node)}")
        return checked_name(place, node.text)


def checked_name(place: Place, name: str) -> str:
    """Return a name without blanks at its ends, or raise for one that would harm messages."""
    if not name.strip():
        raise place.failure("a name must not be empty")
    if len(name) > LONGEST_NAME:
        raise place.failure(f"a name has at most {LONGEST_NAME} characters; shorten it")
    if not name.isprintable():
        raise place.failure(f"the name {quoted(name)} has characters that do not print")
    return name.strip()


@dataclass(frozen=True)
class Choice(Kind):
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """List them."""
        return "one of " + ", ".join(self.words)

    def read(self, place: Place, scope: Scope) -> str:
        """Return the word."""
        node = place.node
        if isinstance(node, Scalar) and node.text in self.words:
            return node.text
        near = did_you_mean(node.text, self.words) if isinstance(node, Scalar) else ""
        raise place.failure(f"must be {self.text}, not {shown(node)}{near}")


@dataclass(frozen=True)
class Text(Kind):
    """Free text."""

    what: str = "a text"

    @property
    def text(self) -> str:
        """Say so."""
        return self.what

    def read(self, place: Place, scope: Scope) -> str:
        """Return the text."""
        if not isinstance(place.node, Scalar) or not place.node.text.strip():
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        return place.node.text.strip()


@dataclass(frozen=True)
class OneOrMany(Kind):
    """One number, or a list of numbers: as many as a joint has rates (or coordinates)."""

    number: Number
    per: str = "rate"

    @property
    def text(self) -> str:
        """Say so."""
        return f"{self.number.text}, or a list with one per {self.per}"

    def read(self, place: Place, scope: Scope) -> float | Vector:
        """Return the number, or the numbers (n,)."""
        if isinstance(place.node, List):
            return np.array([self.number.read(item, scope) for item in place.items(self.text)])
        if isinstance(place.node, Map):
            raise place.failure(f"must be {self.text}, not {shown(place.node)}")
        return self.number.read(place, scope)


@dataclass(frozen=True)
class Items(Kind):
    """A list of things of one kind."""

    item: Kind
    most: int = 10_000

    @property
    def text(self) -> str:
        """Say so."""
        return f"a list, each {self.item.text}"

    def read(self, place: Place, scope: Scope) -> list[Any]:
        """Return the things in order."""
        items = place.items(self.text)
        if len(items) > self.most:
            raise place.failure(f"has {len(items)} entries; at most {self.most} are taken")
        return [self.item.read(item, scope) for item in items]


@dataclass(frozen=True)
class Custom(Kind):
    """A kind that a function reads."""

    what: str
    reader: Callable[[Place, Scope], Any]

    @property
    def text(self) -> str:
        """Say what it takes."""
        return self.what

    def read(self, place: Place, scope: Scope) -> Any:
        """Call the function."""
        return self.reader(place, scope)


def listed(words: Sequence[str], most: int = 12) -> str:
    """Return words for a message, the first few."""
    return ", ".join(words[:most]) + (", ..." if len(words) > most else "")
