"""Numbers put in the place of names: what parameters are to a formula that has coordinates too."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from robodyn_ros.expressions.expression import Expression
from robodyn_ros.expressions.nodes import Call, Name, Node, Number, Values, power
from robodyn_ros.expressions.tokens import tokens_of


def substituted(expression: Expression, values: Mapping[str, float]) -> Expression:
    """Return a formula with numbers in the place of those of its names that have `values`.

    Its text has the numbers too, so that formulas with different numbers never look alike. Parts
    without names become numbers, where they have a value.
    """
    if not any(name in values for name in expression.names):
        return expression
    text, columns = _rewritten(expression, values)
    return Expression(text, _replaced(expression.tree, values), columns)


def _rewritten(expression: Expression, values: Mapping[str, float]) -> tuple[str, dict[str, int]]:
    """Return the text with numbers, and the columns of the names that are left."""
    given, text, end = expression.text, "", 0
    columns: dict[str, int] = {}
    for token in tokens_of(given):
        start = token.column - 1
        text += given[end:start]
        end = start + len(token.text)
        if token.kind == "name" and token.text in expression.columns:
            if token.text in values:
                number = repr(float(values[token.text]))
                text += f"({number})" if number.startswith("-") else number
                continue
            columns.setdefault(token.text, len(text) + 1)
        text += token.text
    return text, columns


def _replaced(part: Any, values: Mapping[str, float]) -> Any:
    """Return a part of a tree with numbers, whatever kind of node it is."""
    if isinstance(part, Name):
        return Number(float(values[part.name])) if part.name in values else part
    if isinstance(part, tuple):
        return tuple(_replaced(item, values) for item in part)
    if isinstance(part, Number) or not is_dataclass(part) or isinstance(part, type):
        return part
    inner = {field.name: _replaced(getattr(part, field.name), values) for field in fields(part)}
    again = type(part)(**inner)
    return _worked_out(again) if isinstance(again, Node) else again


def _worked_out(node: Node) -> Node:
    """Return a node without names as a number; what has no value stays, and fails when asked."""
    try:
        value = node.evaluate(Values({}))
    except (ArithmeticError, KeyError, ValueError):
        return _with_known_exponent(node)
    return Number(value) if isinstance(value, float) and math.isfinite(value) else node


def _with_known_exponent(node: Node) -> Node:
    """Return x^n as a product where n has become a whole number."""
    match node:
        case Call(function="pow", arguments=(base, Number(value=exponent))):
            return power(base, exponent)
    return node
