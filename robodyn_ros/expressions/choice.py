"""A choice between two formulas: ``if(x < 0.5, a, b)``.

Floats take one branch and leave the other alone. Arrays and symbols compute both and choose entry
by entry. With symbols, what could be without a value in the branch that is not taken gets a
harmless argument there: derivatives of a trace multiply that branch by 0, and 0 times NaN is NaN.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from robodyn_ros.expressions.nodes import (
    ZERO,
    Call,
    Derivation,
    Node,
    Number,
    Power,
    Product,
    Quotient,
    Values,
)
from robodyn_ros.expressions.nodes import Sum as SumNode
from robodyn_ros.kernels.scalar import Numeric, is_symbolic, less, less_equal, where


def _equal(left: Numeric, right: Numeric) -> Numeric:
    return where(less_equal(left, right), less_equal(right, left), False)


_OF_FLOATS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}
_OF_ENTRIES: Mapping[str, Callable[[Numeric, Numeric], Numeric]] = {
    "<": less,
    "<=": less_equal,
    "==": _equal,
}
_TURNED = {">": "<", ">=": "<="}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
"""The marks that may stand in a condition."""


@dataclass(frozen=True)
class Condition:
    """left `mark` right, where mark is <, <= or ==; see `choice` for the others."""

    mark: str
    left: Node
    right: Node

    def holds(self, values: Values) -> Numeric:
        """Return whether it holds: a bool for floats, else entry by entry; NaN if it is unknown."""
        left, right = values.of(self.left), values.of(self.right)
        if isinstance(left, float) and isinstance(right, float):
            return _OF_FLOATS[self.mark](left, right)
        held = _OF_ENTRIES[self.mark](left, right)
        if is_symbolic(held):
            return held
        return np.where(np.isnan(left) | np.isnan(right), np.nan, held)


@dataclass(frozen=True)
class Choice(Node):
    """`yes` where the condition holds, else `no`."""

    condition: Condition
    yes: Node
    no: Node

    def evaluate(self, values: Values) -> Numeric:
        """Choose the branch of floats; of arrays and symbols, choose among the values."""
        held = self.condition.holds(values)
        if isinstance(held, bool):
            return values.of(self.yes if held else self.no)
        yes, no = self.yes, self.no
        if is_symbolic(held):
            yes = _Fence(self.condition, True).around(yes)
            no = _Fence(self.condition, False).around(no)
        return _chosen(held, values.of(yes), values.of(no))

    def derivative(self, by: Derivation) -> Node:
        """Return the derivative of the branch that is taken."""
        yes, no = by.of(self.yes), by.of(self.no)
        return ZERO if yes == ZERO and no == ZERO else replace(self, yes=yes, no=no)


@dataclass(frozen=True)
class _Fenced(Node):
    """`node` where the condition comes out as `when`, else a number."""

    condition: Condition
    when: bool
    node: Node
    number: float

    def evaluate(self, values: Values) -> Numeric:
        held, value = self.condition.holds(values), values.of(self.node)
        return where(held, *((value, self.number) if self.when else (self.number, value)))

    def derivative(self, by: Derivation) -> Node:
        return Choice(self.condition, *((self.node, ZERO) if self.when else (ZERO, self.node)))


def choice(mark: str, left: Node, right: Node, yes: Node, no: Node) -> Choice:
    """Return the choice for any mark of `COMPARISONS`."""
    if mark == "!=":
        return Choice(Condition("==", left, right), no, yes)
    if mark in _TURNED:
        return Choice(Condition(_TURNED[mark], right, left), yes, no)
    return Choice(Condition(mark, left, right), yes, no)


def _chosen(held: Numeric, yes: Numeric, no: Numeric) -> Numeric:
    if is_symbolic(held):
        return where(held, yes, no)
    return where(np.isnan(held), np.nan, where(held == 1.0, yes, no))


#: Arguments at which functions that are not defined everywhere have values and derivatives.
_HARMLESS: Mapping[str, float] = {
    **dict.fromkeys(("sqrt", "log", "pow", "atan2"), 1.0),
    **dict.fromkeys(("exp", "asin", "acos"), 0.0),
}


@dataclass(frozen=True)
class _Fence:
    """Gives parts of a branch harmless arguments where the condition does not come out so."""

    condition: Condition
    when: bool

    def around(self, node: Node) -> Node:
        """Return a node with everything in it fenced."""
        match node:
            case SumNode() | Product():
                node = replace(node, left=self.around(node.left), right=self.around(node.right))
            case Quotient():
                node = Quotient(self.around(node.left), self._argument(node.right, 1.0))
            case Power(exponent=exponent):
                argument = self._argument if exponent < 0 else lambda part, _: self.around(part)
                node = replace(node, base=argument(node.base, 1.0))
            case Call(function=function) if function in _HARMLESS:
                number = _HARMLESS[function]
                arguments = tuple(self._argument(part, number) for part in node.arguments)
                node = replace(node, arguments=arguments)
            case Call():
                node = replace(node, arguments=tuple(map(self.around, node.arguments)))
            case Choice(condition=held):
                held = Condition(held.mark, self.around(held.left), self.around(held.right))
                node = Choice(held, self.around(node.yes), self.around(node.no))
            case _Fenced():
                node = replace(node, node=self.around(node.node))
        return node

    def _argument(self, part: Node, number: float) -> Node:
        if isinstance(part, Number):
            return part
        return _Fenced(self.condition, self.when, self.around(part), number)
