"""Numbers that may depend on coordinates: lengths of constraint elements, couplings of joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robodyn_ros.expressions import Expression
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class Argument:
    """A name in a formula and the coordinate behind it: entries of q and of v."""

    name: str
    q_index: int
    v_index: int


@dataclass(frozen=True)
class CoordinateFunction:
    """A constant, or a formula of one-number coordinates whose rates are their derivatives.

    Attributes:
        constant: the value where there is no formula.
        formula: the formula.
        arguments: the coordinates that it depends on.
    """

    constant: float = 0.0
    formula: Expression | None = None
    arguments: tuple[Argument, ...] = ()

    def __repr__(self) -> str:
        """Show all that algorithms read, the same in every process."""
        text = None if self.formula is None else self.formula.text
        return f"CoordinateFunction({self.constant!r}, {text!r}, {self.arguments!r})"

    @property
    def columns(self) -> tuple[int, ...]:
        """The entries of v on which its rate depends."""
        return tuple(argument.v_index for argument in self.arguments)

    @cached_property
    def _first(self) -> tuple[Expression, ...]:
        formula = self.formula
        return () if formula is None else tuple(map(formula.derivative, self._names))

    @cached_property
    def _second(self) -> tuple[tuple[Expression, ...], ...]:
        """The derivatives of each first derivative, up to its own place."""
        return tuple(
            tuple(map(first.derivative, self._names[: k + 1]))
            for k, first in enumerate(self._first)
        )

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    def value(self, q: Array) -> Array:
        """Return its value (...) at coordinates q (..., nq)."""
        if self.formula is None:
            return np.asarray(self.constant)
        return np.asarray(self.formula.evaluate(self._values(q)))

    def gradient(self, q: Array) -> tuple[Array, ...]:
        """Return its derivative (...) with respect to each of its arguments."""
        values = self._values(q)
        return tuple(np.asarray(first.evaluate(values)) for first in self._first)

    def rate(self, q: Array, v: Array) -> Array:
        """Return its time derivative (...) for rates v (..., nv)."""
        zero = np.zeros(())
        terms = zip(self.gradient(q), self.arguments, strict=True)
        return sum((slope * v[..., at.v_index] for slope, at in terms), start=zero)

    def bias(self, q: Array, v: Array) -> Array:
        """Return what its second time derivative (...) is without accelerations."""
        values = self._values(q)
        total: Array = np.zeros(())
        for k, (row, at) in enumerate(zip(self._second, self.arguments, strict=True)):
            for i, (curvature, other) in enumerate(zip(row, self.arguments, strict=False)):
                twice = 1.0 if i == k else 2.0
                speeds = twice * v[..., at.v_index] * v[..., other.v_index]
                total = total + curvature.evaluate(values) * speeds
        return total

    def _values(self, q: Array) -> dict[str, Array]:
        return {argument.name: q[..., argument.q_index] for argument in self.arguments}
