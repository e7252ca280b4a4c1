"""A formula that was read: its value and its derivatives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property

import numpy as np

from robodyn_ros.errors import DescriptionError, did_you_mean, quoted
from robodyn_ros.expressions.functions import CHOICE, CONSTANTS, FUNCTIONS, defined
from robodyn_ros.expressions.nodes import ZERO, Derivation, Node, Values
from robodyn_ros.expressions.tokens import refusal
from robodyn_ros.kernels.scalar import Numeric, Scalar

MOST_PARTS = 20_000
"""Parts of a derivative at most: each derivative may be longer than the last by a factor."""


@dataclass(frozen=True)
class Expression:
    """A formula that was read.

    Attributes:
        text: as given; formulas are equal where their texts are.
        tree: its parts.
        columns: where each name first stands, in the order of the text.
    """

    text: str
    tree: Node = field(repr=False, compare=False)
    columns: Mapping[str, int] = field(repr=False, compare=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that need values, in the order of the text."""
        return tuple(self.columns)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 wherever: the derivative with respect to a name that it does not have."""
        return self.tree == ZERO

    def evaluate(self, values: Mapping[str, Numeric] | None = None) -> Numeric:
        """Return the value where its names have `values`.

        Args:
            values: A number for each name, all floats; or float64 arrays of any shapes that
                broadcast, or symbols (`kernels.scalar.Scalar`, or object arrays of them), among
                which floats may be.

        Returns:
            A float for floats. An array of the shape that all broadcast to, NaN in each entry
            where the formula has no finite value, a float where no array takes part. With symbols,
            symbols: what a kernel made of them computes where the formula has no value is not
            finite or not defined.

        Raises:
            DescriptionError: a name has no value, or the result of floats is not a finite number.
        """
        given = values or {}
        for name, column in self.columns.items():
            if name not in given:
                raise refusal(self.text, column, _unknown(name, given))
        used = Values({name: _prepared(given[name]) for name in self.columns})
        try:
            if all(isinstance(value, float) for value in used.named.values()):
                return self._finite(used.of(self.tree))
            with np.errstate(all="ignore"):
                return self._masked(used.of(self.tree), [given[name] for name in used.named])
        except (ArithmeticError, ValueError) as error:
            raise DescriptionError(f"expression {quoted(self.text)}: {error}") from None
        except RecursionError:
            raise self._too_deep() from None

    def derivative(self, name: str) -> Expression:
        """Return the exact partial derivative with respect to a name.

        Of `if` it is that of the branch which is taken: where the branches do not meet with equal
        slopes, the formula has no derivative at the switch, and this is the one side's. Of `abs`
        it is 0 at 0; of `min` and `max` the mean of both where they are equal; of `sign` 0
        everywhere. That of x^y with respect to y needs x > 0.

        Raises:
            DescriptionError: it is too long or too deeply nested.
        """
        try:
            tree = Derivation(name).of(self.tree)
        except RecursionError:
            raise self._too_deep() from None
        if _is_longer(tree, MOST_PARTS):
            raise DescriptionError(
                f"the derivative of {quoted(self.text)} with respect to {name} has more than"
                f" {MOST_PARTS} parts; write the formula shorter, products of many equal factors as"
                " powers"
            )
        return Expression(f"d({self.text})/d{name}", tree, self.columns)

    def gradient(self, names: Sequence[str]) -> tuple[Expression, ...]:
        """Return the partial derivatives with respect to `names`."""
        return tuple(map(self.derivative, names))

    def _finite(self, value: float) -> float:
        if not math.isfinite(value):
            raise DescriptionError(f"expression {quoted(self.text)} comes to {value}")
        return value

    def _masked(self, value: Numeric, given: Sequence[Numeric]) -> Numeric:
        """Return the value with the shape of what was given, NaN where it is not finite."""
        if not isinstance(value, np.ndarray):
            return self._finite(value) if isinstance(value, float) else value
        value = defined(value)
        is_flat = value.shape == (1,) and all(np.ndim(one) == 0 for one in given)
        return value[0] if is_flat else value

    def _too_deep(self) -> DescriptionError:
        return DescriptionError(
            f"expression {quoted(self.text)} is nested too deeply; write it in parts"
        )


def _prepared(value: Numeric) -> Numeric:
    """Return a float, a symbol, or an array with an axis, whose entries stay arrays."""
    if isinstance(value, (float, Scalar)):
        return value
    if not isinstance(value, np.ndarray):
        return float(value)
    array = value if value.dtype.char == "O" else value.astype(np.float64, copy=False)
    return array if array.ndim else array.reshape(1)


def _unknown(name: str, known: Mapping[str, object]) -> str:
    """Return the reason why `name` cannot be used."""
    if name in FUNCTIONS or name == CHOICE:
        return f"{name} is a function; write {name}(...)"
    hint = did_you_mean(name, [*known, *FUNCTIONS, *CONSTANTS])
    listed = ", ".join(list(known)[:8]) or "none"
    return f"no value is called {quoted(name)}{hint} (known: {listed})"


def _is_longer(tree: Node, most: int) -> bool:
    """Return whether a formula has more than so many parts; one that serves twice counts once."""
    waiting: list[object] = [tree]
    seen: set[int] = set()
    while waiting and len(seen) <= most:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif is_dataclass(part) and id(part) not in seen:
            seen.add(id(part))
            waiting += [getattr(part, entry.name) for entry in fields(part)]
    return len(seen) > most
