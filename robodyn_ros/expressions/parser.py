"""From the text of a formula to its tree: recursive descent with limits, no eval.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ ("^" | "**") signed ]     binds tighter than a sign before it, as in Python
    atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"

An exponent must come to a known whole number, at most 100 in size.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.expressions.functions import CONSTANTS, FUNCTIONS
from robodyn_ros.expressions.nodes import Call, Name, Node, Number, Power, Product, Quotient, Sum
from robodyn_ros.expressions.tokens import Token, refusal, tokens_of
from robodyn_ros.kernels.scalar import Numeric

DEEPEST = 50
"""Levels of brackets, signs and powers at most."""
LARGEST_EXPONENT = 100
MOST_WORDS = 500
"""Words of a formula at most."""


@dataclass(frozen=True)
class Expression:
    """A formula that was read.

    Attributes:
        text: as given.
        tree: its parts.
        columns: where each name first stands, in the order of the text.
    """

    text: str
    tree: Node
    columns: Mapping[str, int]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that need values, in the order of the text."""
        return tuple(self.columns)

    def evaluate(self, values: Mapping[str, Numeric] | None = None) -> Numeric:
        """Return the value where its names have `values`, floats or symbols.

        Raises:
            DescriptionError: a name has no value, or the result of floats is not a finite number.
        """
        given = values or {}
        for name, column in self.columns.items():
            if name not in given:
                raise refusal(self.text, column, _unknown(name, given))
        try:
            value = self.tree.evaluate(given)
        except (ArithmeticError, ValueError) as error:
            raise DescriptionError(f"expression {quoted(self.text)}: {error}") from None
        if isinstance(value, (int, float)) and not math.isfinite(value):
            raise DescriptionError(f"expression {quoted(self.text)} comes to {value}")
        return value

    def derivative(self, name: str) -> Expression:
        """Return the exact partial derivative with respect to a name."""
        return Expression(f"d({self.text})/d{name}", self.tree.derivative(name), self.columns)


def parse(text: str) -> Expression:
    """Read a formula: numbers, names, + - * / ^ (or **), brackets, functions and pi.

    Raises:
        DescriptionError: it is no formula, or too long or deep; the text names the column.
    """
    if not isinstance(text, str):
        raise DescriptionError(f"an expression is text, got {type(text).__name__}")
    return _Parser(text).expression()


def _unknown(name: str, known: Mapping[str, object]) -> str:
    """Return the reason why `name` cannot be used."""
    if name in FUNCTIONS:
        return f"{name} is a function; write {name}(...)"
    near = difflib.get_close_matches(name, [*known, *FUNCTIONS, *CONSTANTS], n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(list(known)[:8]) or "none"
    return f"no value is called {quoted(name)}{hint} (known: {listed})"


class _Parser:
    """Reads one formula, a word at a time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = tokens_of(text)
        self._at = 0
        self._depth = 0
        self._columns: dict[str, int] = {}
        if len(self._words) > MOST_WORDS:
            raise refusal(
                text, self._words[MOST_WORDS].column, f"more than {MOST_WORDS} words; split it"
            )

    def expression(self) -> Expression:
        if self._words[0].kind == "end":
            raise DescriptionError("an expression is empty; write a number or a formula")
        tree = self._sum()
        self._require("end")
        return Expression(self._text, tree, self._columns)

    @property
    def _word(self) -> Token:
        return self._words[self._at]

    def _next(self) -> Token:
        word = self._word
        self._at += word.kind != "end"
        return word

    def _accept(self, *marks: str) -> str | None:
        """Take the next word if it is one of `marks`."""
        if self._word.kind == "mark" and self._word.text in marks:
            return self._next().text
        return None

    def _require(self, what: str) -> None:
        word = self._word
        if word.kind == what or (word.kind == "mark" and word.text == what):
            self._next()
            return
        found = quoted(word.text) if word.text else "the end"
        wanted = "an operator or the end" if what == "end" else repr(what)
        raise refusal(self._text, word.column, f"expected {wanted}, found {found}")

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise refusal(
                self._text, self._word.column, f"nested more than {DEEPEST} levels; simplify it"
            )

    def _sum(self) -> Node:
        node = self._product()
        while mark := self._accept("+", "-"):
            node = Sum(node, self._product(), 1.0 if mark == "+" else -1.0)
        return node

    def _product(self) -> Node:
        node = self._signed()
        while mark := self._accept("*", "/"):
            right = self._signed()
            node = Product(node, right) if mark == "*" else Quotient(node, right)
        return node

    def _signed(self) -> Node:
        self._deeper()
        negative = False
        while mark := self._accept("+", "-"):
            negative ^= mark == "-"
        node = self._power()
        self._depth -= 1
        if not negative:
            return node
        return Number(-node.value) if isinstance(node, Number) else Product(Number(-1.0), node)

    def _power(self) -> Node:
        base = self._atom()
        if not self._accept("^", "**"):
            return base
        column = self._word.column
        exponent = self._signed()
        names: set[str] = set(self._columns)
        try:
            value = exponent.evaluate({})
        except KeyError:
            value = math.nan
        except (ArithmeticError, ValueError):
            value = math.inf
        if value == 0.5:
            return Call("sqrt", (base,))
        if not (abs(value) <= LARGEST_EXPONENT and value == int(value)):
            given = " with names in it" if math.isnan(value) and names else f" {value:g}"
            reason = f"an exponent must be a whole number up to {LARGEST_EXPONENT} in size, not one"
            raise refusal(self._text, column, f"{reason}{given}")
        return Power(base, int(value))

    def _atom(self) -> Node:
        word = self._next()
        if word.kind == "number":
            value = float(word.text)
            if not math.isfinite(value):
                raise refusal(self._text, word.column, f"the number {word.text} is too large")
            return Number(value)
        if word.kind == "name":
            return self._named(word)
        if word.text == "(":
            node = self._sum()
            self._require(")")
            return node
        found = quoted(word.text) if word.text else "the end"
        raise refusal(self._text, word.column, f"expected a number or a name, found {found}")

    def _named(self, word: Token) -> Node:
        """Return a constant, a call or a name."""
        if self._accept("("):
            return self._call(word)
        if word.text in CONSTANTS:
            return Number(CONSTANTS[word.text])
        self._columns.setdefault(word.text, word.column)
        return Name(word.text)

    def _call(self, word: Token) -> Node:
        function = FUNCTIONS.get(word.text)
        if function is None:
            near = difflib.get_close_matches(word.text, FUNCTIONS, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(FUNCTIONS)}"
            raise refusal(self._text, word.column, f"no function {quoted(word.text)}{hint}")
        arguments = [self._sum()]
        while self._accept(","):
            arguments.append(self._sum())
        self._require(")")
        if len(arguments) != function.arguments:
            raise refusal(
                self._text,
                word.column,
                f"{word.text} takes {function.arguments} argument(s), got {len(arguments)}",
            )
        return Call(word.text, tuple(arguments))
