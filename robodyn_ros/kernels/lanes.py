"""LLVM's names for W doubles side by side, and a writer of instruction lines."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

GROUP_SIZES = (4, 2)
"""How many values a single call may compute side by side."""


@dataclass(frozen=True)
class Lanes:
    """The types and constants of a function that works on `width` samples a turn.

    Attributes:
        width: Samples a turn, a power of two; 1 means scalars.
    """

    width: int

    def _vector(self, element: str) -> str:
        return element if self.width == 1 else f"<{self.width} x {element}>"

    @cached_property
    def real(self) -> str:
        """Type of a value."""
        return self._vector("double")

    @cached_property
    def integer(self) -> str:
        """Type of a value's bits."""
        return self._vector("i64")

    @cached_property
    def mask(self) -> str:
        """Type of a condition."""
        return self._vector("i1")

    @cached_property
    def suffix(self) -> str:
        """What intrinsics on values end in."""
        return "f64" if self.width == 1 else f"v{self.width}f64"

    @cached_property
    def bytes(self) -> int:
        """Size of a value in memory; it is aligned to as much."""
        return 8 * self.width

    def number(self, value: float) -> str:
        """Return the constant `value` in every lane, bit by bit as it is."""
        return self._splat("double", double_literal(value))

    def whole(self, value: int) -> str:
        """Return the integer constant `value` in every lane."""
        return self._splat("i64", str(value))

    @cached_property
    def true(self) -> str:
        """The condition that holds in every lane."""
        return self._splat("i1", "true")

    def _splat(self, element: str, literal: str) -> str:
        return (
            literal if self.width == 1 else f"<{', '.join([f'{element} {literal}'] * self.width)}>"
        )

    @property
    def declarations(self) -> str:
        """Declarations of intrinsics on values; with width 1 also those on groups of values."""
        if self.width == 1:
            return "".join(Lanes(width)._intrinsics for width in (1, *GROUP_SIZES))
        return "" if self.width in GROUP_SIZES else self._intrinsics

    @property
    def _intrinsics(self) -> str:
        unary = "\n".join(
            f"declare {self.real} @llvm.{name}.{self.suffix}({self.real})"
            for name in ("sqrt", "fabs")
        )
        operands = ", ".join([self.real] * 3)
        return f"{unary}\ndeclare {self.real} @llvm.fma.{self.suffix}({operands})\n"


def double_literal(value: float) -> str:
    """Return LLVM's exact literal of a double."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Lines:
    """The body of an LLVM function: lines of text and fresh names."""

    def __init__(self, lanes: Lanes, prefix: str = "t") -> None:
        """Begin an empty body for values of `lanes`; names begin with `prefix`."""
        self.lanes = lanes
        self.lines: list[str] = []
        self._prefix = prefix
        self._count = 0

    def new(self, expression: str) -> str:
        """Add an instruction and return the name of its result."""
        self._count += 1
        name = f"%{self._prefix}{self._count}"
        self.lines.append(f"  {name} = {expression}")
        return name

    def do(self, statement: str) -> None:
        """Add an instruction without a result."""
        self.lines.append(f"  {statement}")

    def call(self, intrinsic: str, *operands: str) -> str:
        """Call an LLVM intrinsic on values."""
        real = self.lanes.real
        arguments = ", ".join(f"{real} {operand}" for operand in operands)
        return self.new(f"call {real} @llvm.{intrinsic}.{self.lanes.suffix}({arguments})")

    def binary(self, operator: str, left: str, right: str) -> str:
        """Apply an arithmetic operator to two values."""
        return self.new(f"{operator} {self.lanes.real} {left}, {right}")

    def negated(self, value: str) -> str:
        """Return the negative of a value."""
        return self.new(f"fneg {self.lanes.real} {value}")

    def polynomial(self, x: str, coefficients: Sequence[float]) -> str:
        """Return c0 + c1 x + c2 x^2 + ... by Horner's rule, one rounding a step."""
        result = self.lanes.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            result = self.call("fma", result, x, self.lanes.number(coefficient))
        return result

    def compare(self, test: str, left: str, right: str) -> str:
        """Return the condition of an ordered comparison of two values: "olt", "ole", ..."""
        return self.new(f"fcmp {test} {self.lanes.real} {left}, {right}")

    def bits(self, value: str) -> str:
        """Return a value's bits as integers."""
        return self.new(f"bitcast {self.lanes.real} {value} to {self.lanes.integer}")

    def value_of(self, bits: str) -> str:
        """Return the value that has these bits."""
        return self.new(f"bitcast {self.lanes.integer} {bits} to {self.lanes.real}")

    def integer(self, operator: str, left: str, right: str | int) -> str:
        """Apply an operator to two integers, or to one and a constant."""
        right = self.lanes.whole(right) if isinstance(right, int) else right
        return self.new(f"{operator} {self.lanes.integer} {left}, {right}")

    def select(self, condition: str, yes: str, no: str) -> str:
        """Choose lane by lane."""
        lanes = self.lanes
        return self.new(f"select {lanes.mask} {condition}, {lanes.real} {yes}, {lanes.real} {no}")

    def element(self, pointer: str, index: int, kind: str = "double") -> str:
        """Return the address of element `index` of an array of `kind`."""
        if index == 0:
            return pointer
        return self.new(f"getelementptr inbounds {kind}, ptr {pointer}, i64 {index}")

    def load(self, pointer: str, index: int) -> str:
        """Load value `index` of an aligned array of values."""
        address = self.element(pointer, index, self.lanes.real)
        return self.new(f"load {self.lanes.real}, ptr {address}, align {self.lanes.bytes}")

    def store(self, value: str, pointer: str, index: int) -> None:
        """Store value `index` of an aligned array of values."""
        address = self.element(pointer, index, self.lanes.real)
        self.do(f"store {self.lanes.real} {value}, ptr {address}, align {self.lanes.bytes}")
