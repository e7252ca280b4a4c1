"""From the text of a formula to its tree: recursive descent with limits, no eval.

    sum     = product { ("+" | "-") product }
    product = signed { ("*" | "/") signed }
    signed  = { "+" | "-" } power
    power   = atom [ ("^" | "**") signed ]     binds tighter than a sign before it, as in Python
    atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
            | "if" "(" sum comparison sum "," sum "," sum ")"
    comparison = "<" | "<=" | ">" | ">=" | "==" | "!="

An exponent that is known must be at most 100 in size. With a whole one, a power is a product; with
any other it is `pow`.
"""

from __future__ import annotations

import math

from robodyn_ros.errors import DescriptionError, did_you_mean, quoted
from robodyn_ros.expressions.choice import COMPARISONS, choice
from robodyn_ros.expressions.expression import Expression
from robodyn_ros.expressions.functions import CHOICE, CONSTANTS, FUNCTIONS
from robodyn_ros.expressions.nodes import (
    LARGEST_EXPONENT,
    Call,
    Name,
    Node,
    Number,
    Product,
    Quotient,
    Sum,
    Values,
    power,
)
from robodyn_ros.expressions.tokens import Token, refusal, tokens_of

DEEPEST = 50
"""Levels of brackets, signs and powers at most."""
MOST_WORDS = 500
"""Words of a formula at most."""


def parse(text: str) -> Expression:
    """Read a formula: numbers, names, + - * / ^ (or **), brackets, functions and pi.

    Raises:
        DescriptionError: it is no formula, or too long or deep; the text names the column.
    """
    if not isinstance(text, str):
        raise DescriptionError(f"an expression is text, got {type(text).__name__}")
    return _Parser(text).expression()


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
        try:
            value = float(exponent.evaluate(Values({})))
        except KeyError:
            return Call("pow", (base, exponent))
        except (ArithmeticError, ValueError):
            value = math.inf
        if not abs(value) <= LARGEST_EXPONENT:
            raise refusal(
                self._text,
                column,
                f"a known exponent must be at most {LARGEST_EXPONENT} in size, not {value:g}",
            )
        return power(base, value)

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
            if word.text == CHOICE:
                return self._choice()
            return self._call(word)
        if word.text in CONSTANTS:
            return Number(CONSTANTS[word.text])
        self._columns.setdefault(word.text, word.column)
        return Name(word.text)

    def _call(self, word: Token) -> Node:
        function = FUNCTIONS.get(word.text)
        if function is None:
            hint = did_you_mean(word.text, FUNCTIONS) or f"; there are {', '.join(FUNCTIONS)}"
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
        if word.text == "pow" and isinstance(arguments[1], Number):
            return power(arguments[0], arguments[1].value)
        return Call(word.text, tuple(arguments))

    def _choice(self) -> Node:
        """Return what ``if(`` begins."""
        left = self._sum()
        word = self._word
        mark = self._accept(*COMPARISONS)
        if mark is None:
            raise refusal(
                self._text,
                word.column,
                f"{CHOICE} begins with a comparison, as in {CHOICE}(x < 1, a, b); one of"
                f" {' '.join(COMPARISONS)} is missing",
            )
        right = self._sum()
        branches = []
        for _ in range(2):
            self._require(",")
            branches.append(self._sum())
        self._require(")")
        return choice(mark, left, right, *branches)
