"""What a formula consists of: a tree of immutable nodes that evaluate and differentiate."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from robodyn_ros.expressions.functions import FUNCTIONS, defined
from robodyn_ros.kernels.scalar import Numeric

LARGEST_EXPONENT = 100
"""Size of a known exponent at most."""


class Values:
    """What names are, and what parts of a formula have come to: each is worked out once.

    Derivatives use the same parts many times over.
    """

    def __init__(self, named: Mapping[str, Numeric]) -> None:
        """Begin with the values of names: floats, arrays or symbols."""
        self.named = named
        self._known: dict[int, tuple[Node, Numeric]] = {}

    def of(self, node: Node) -> Numeric:
        """Return what a part comes to."""
        found = self._known.get(id(node))
        if found is None:
            # With the node, so that no other takes its place in memory.
            found = self._known[id(node)] = node, node.evaluate(self)
        return found[1]


class Derivation:
    """Partial derivatives with respect to a name, each part's made once."""

    def __init__(self, name: str) -> None:
        """Begin without any."""
        self.name = name
        self._known: dict[int, tuple[Node, Node]] = {}

    def of(self, node: Node) -> Node:
        """Return the derivative of a part."""
        found = self._known.get(id(node))
        if found is None:
            found = self._known[id(node)] = node, node.derivative(self)
        return found[1]


class Node(ABC):
    """A part of a formula, which may be part of several others."""

    @abstractmethod
    def evaluate(self, values: Values) -> Numeric:
        """Return the value where names have `values`."""

    @abstractmethod
    def derivative(self, by: Derivation) -> Node:
        """Return the partial derivative, exactly."""


@dataclass(frozen=True)
class Number(Node):
    """A constant."""

    value: float

    def evaluate(self, values: Values) -> Numeric:
        """Return it."""
        return self.value

    def derivative(self, by: Derivation) -> Node:
        """Return 0."""
        return ZERO


@dataclass(frozen=True)
class Name(Node):
    """A parameter or variable."""

    name: str

    def evaluate(self, values: Values) -> Numeric:
        """Look it up."""
        return values.named[self.name]

    def derivative(self, by: Derivation) -> Node:
        """Return 1 for itself, else 0."""
        return ONE if by.name == self.name else ZERO


@dataclass(frozen=True)
class Sum(Node):
    """left + sign * right."""

    left: Node
    right: Node
    sign: float = 1.0

    def evaluate(self, values: Values) -> Numeric:
        """Add or subtract."""
        left, right = values.of(self.left), values.of(self.right)
        return left + right if self.sign > 0.0 else left - right

    def derivative(self, by: Derivation) -> Node:
        """Differentiate both."""
        return added(by.of(self.left), by.of(self.right), self.sign)


@dataclass(frozen=True)
class Product(Node):
    """left * right."""

    left: Node
    right: Node

    def evaluate(self, values: Values) -> Numeric:
        """Multiply."""
        return values.of(self.left) * values.of(self.right)

    def derivative(self, by: Derivation) -> Node:
        """Use the product rule."""
        return added(
            multiplied(by.of(self.left), self.right),
            multiplied(self.left, by.of(self.right)),
        )


@dataclass(frozen=True)
class Quotient(Node):
    """left / right."""

    left: Node
    right: Node

    def evaluate(self, values: Values) -> Numeric:
        """Divide."""
        return defined(values.of(self.left) / values.of(self.right))

    def derivative(self, by: Derivation) -> Node:
        """Return (l' - (l / r) r') / r."""
        top = added(by.of(self.left), multiplied(self, by.of(self.right)), -1.0)
        return ZERO if top == ZERO else Quotient(top, self.right)


@dataclass(frozen=True)
class Power(Node):
    """base ** exponent with a whole exponent that is known."""

    base: Node
    exponent: int

    def evaluate(self, values: Values) -> Numeric:
        """Multiply as often as the exponent says, by squaring; divide where it is negative."""
        value, left = values.of(self.base), abs(self.exponent)
        result: Numeric = 1.0
        while left:
            if left & 1:
                result = result * value
            left >>= 1
            if left:
                value = value * value
        return defined(1.0 / result) if self.exponent < 0 else result

    def derivative(self, by: Derivation) -> Node:
        """Return n b^(n-1) b'."""
        lower = ONE if self.exponent == 1 else Power(self.base, self.exponent - 1)
        outer = multiplied(Number(float(self.exponent)), lower)
        return multiplied(outer, by.of(self.base))


@dataclass(frozen=True)
class Call(Node):
    """A function of the table applied to its arguments."""

    function: str
    arguments: tuple[Node, ...]

    def evaluate(self, values: Values) -> Numeric:
        """Call it."""
        inner = [values.of(argument) for argument in self.arguments]
        try:
            return FUNCTIONS[self.function].compute(*inner)
        except OverflowError:
            reason = "is too large a number"
        except ValueError:
            reason = "is not defined"
        given = ", ".join(f"{value:g}" for value in inner)
        raise ValueError(f"{self.function}({given}) {reason}")

    def derivative(self, by: Derivation) -> Node:
        """Use the chain rule."""
        total: Node = ZERO
        for argument, outer in zip(self.arguments, self._partials(), strict=True):
            total = added(total, multiplied(outer, by.of(argument)))
        return total

    def _partials(self) -> tuple[Node, ...]:
        """Return the derivative with respect to each argument."""
        rule = _PARTIALS.get(self.function)
        return rule(self, *self.arguments) if rule else (ZERO,) * len(self.arguments)


ZERO, ONE, HALF = Number(0.0), Number(1.0), Number(0.5)


def added(left: Node, right: Node, sign: float = 1.0) -> Node:
    """Return left + sign * right, without what adds nothing."""
    if right == ZERO:
        return left
    if left == ZERO:
        return right if sign > 0.0 else negated(right)
    return Sum(left, right, sign)


def multiplied(left: Node, right: Node) -> Node:
    """Return left * right, without factors 0 and 1."""
    if ZERO in (left, right):
        return ZERO
    if left == ONE:
        return right
    return left if right == ONE else Product(left, right)


def power(base: Node, exponent: float) -> Node:
    """Return a power with a known exponent: a product where it is whole and not too large."""
    if exponent == HALF.value:
        return Call("sqrt", (base,))
    if abs(exponent) <= LARGEST_EXPONENT and exponent == int(exponent):
        return Power(base, int(exponent))
    return Call("pow", (base, Number(exponent)))


def negated(node: Node) -> Node:
    """Return -node."""
    return Number(-node.value) if isinstance(node, Number) else Product(Number(-1.0), node)


def _arc_sine(sign: float, x: Node) -> tuple[Node, ...]:
    """Return sign / sqrt(1 - x^2)."""
    return (Quotient(Number(sign), Call("sqrt", (added(ONE, Power(x, 2), -1.0),))),)


def _arc_tangent_of_two(y: Node, x: Node) -> tuple[Node, ...]:
    """Return x / (x^2 + y^2) and -y / (x^2 + y^2)."""
    square = added(Power(x, 2), Power(y, 2))
    return Quotient(x, square), Quotient(negated(y), square)


def _power(call: Node, x: Node, y: Node) -> tuple[Node, ...]:
    """Return y x^(y - 1) and x^y log(x)."""
    if isinstance(y, Number):
        return multiplied(y, power(x, y.value - 1.0)), ZERO
    lower = Call("pow", (x, added(y, ONE, -1.0)))
    return multiplied(y, lower), multiplied(call, Call("log", (x,)))


def _choice(x: Node, y: Node) -> tuple[Node, ...]:
    """Return 1 and 0 where x < y, 0 and 1 where x > y, a half each where they are equal."""
    half = multiplied(HALF, Call("sign", (added(y, x, -1.0),)))
    return added(HALF, half), added(HALF, half, -1.0)


#: The partial derivatives of a call with respect to its arguments; sign has none but 0.
_PARTIALS: Mapping[str, Callable[..., tuple[Node, ...]]] = {
    "sin": lambda call, x: (Call("cos", (x,)),),
    "cos": lambda call, x: (negated(Call("sin", (x,))),),
    "tan": lambda call, x: (added(ONE, Power(call, 2)),),
    "sqrt": lambda call, x: (Quotient(HALF, call),),
    "abs": lambda call, x: (Call("sign", (x,)),),
    "exp": lambda call, x: (call,),
    "pow": _power,
    "log": lambda call, x: (Quotient(ONE, x),),
    "asin": lambda call, x: _arc_sine(1.0, x),
    "acos": lambda call, x: _arc_sine(-1.0, x),
    "atan": lambda call, x: (Quotient(ONE, added(ONE, Power(x, 2))),),
    "atan2": lambda call, y, x: _arc_tangent_of_two(y, x),
    "radians": lambda call, x: (Number(math.radians(1.0)),),
    "degrees": lambda call, x: (Number(math.degrees(1.0)),),
    "min": lambda call, x, y: _choice(x, y),
    "max": lambda call, x, y: _choice(y, x),
}
