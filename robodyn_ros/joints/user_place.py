"""Derivatives of a user-defined joint's screws, from those of its formulas by the product rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Protocol, TypeAlias

import numpy as np

from robodyn_ros.expressions import Expression
from robodyn_ros.spatial import Array, cross

Along: TypeAlias = tuple[int, ...]
"""By which variables a derivative is taken, in ascending order."""

_ENTRIES = (
    ("e", "n", 1.0),
    ("e", "m", -1.0),
    ("n", "m", 1.0),
    ("m", "a", 1.0),
    ("n", "a", 1.0),
    ("e", "a", 1.0),
)
"""An entry of a screw is sign times left times right's derivative; e is m x n."""


class Formulas(Protocol):
    """What a place needs of a joint."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables' names."""

    def derivative(self, name: str, along: Along) -> tuple[Expression, ...]:
        """Return the derivatives of "m", "n" or "a"."""


class Place:
    """The formulas' values and derivatives at some coordinates, each worked out once.

    None stands for a vector that is zero wherever the joint is.
    """

    def __init__(self, joint: Formulas, q: Array) -> None:
        self._joint = joint
        self._lead = q.shape[:-1]
        self._values = {name: q[..., k] for k, name in enumerate(joint.variables)}
        self._known: dict[tuple[str, Along], Array | None] = {}

    def needed(self, name: str) -> Array:
        """Return m, n or a (..., 3)."""
        found = self._vector(name, ())
        return np.zeros(3) if found is None else found

    def screw(self, j: int, along: Along) -> Array:
        """Return the derivative (..., 6) of S's column j."""
        entries = []
        for left, right, sign in _ENTRIES:
            entry = self._products(_dot, left, right, along, (j,))
            entries.append(np.zeros(()) if entry is None else sign * entry)
        return self._stacked(entries)

    def _vector(self, name: str, along: Along) -> Array | None:
        key = (name, along)
        if key not in self._known:
            self._known[key] = self._made(name, along)
        return self._known[key]

    def _made(self, name: str, along: Along) -> Array | None:
        if name == "e":
            return self._products(cross, "m", "n", along, ())
        formulas = self._joint.derivative(name, along)
        if all(formula.is_zero for formula in formulas):
            return None
        return self._stacked([np.asarray(f.evaluate(self._values)) for f in formulas])

    def _products(
        self,
        times: Callable[[Array, Array], Array],
        left: str,
        right: str,
        along: Along,
        own: Along,
    ) -> Array | None:
        """Return the derivative of left times (right's derivative by `own`): the product rule."""
        total: Array | None = None
        for these, those in _parted(along):
            a, b = self._vector(left, these), self._vector(right, ascending(*those, *own))
            if a is not None and b is not None:
                term = times(a, b)
                total = term if total is None else total + term
        return total

    def _stacked(self, entries: Sequence[Array]) -> Array:
        return np.stack([np.broadcast_to(entry, self._lead) for entry in entries], axis=-1)


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=-1))


def ascending(*numbers: int) -> Along:
    """Return numbers in the order in which derivatives are known by them."""
    return tuple(sorted(numbers))


def _parted(along: Along) -> Iterator[tuple[Along, Along]]:
    """Yield all ways to share out derivatives between two factors."""
    for chosen in product((True, False), repeat=len(along)):
        yield (
            tuple(k for k, mine in zip(along, chosen, strict=True) if mine),
            tuple(k for k, mine in zip(along, chosen, strict=True) if not mine),
        )
