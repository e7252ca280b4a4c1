"""Ranges of positions."""

from __future__ import annotations

import math

from robodyn_ros.description.mechanism.kinds import Kind, Scope, number
from robodyn_ros.description.mechanism.nodes import List, Place

Bounds = tuple[float | None, float | None]


class Range(Kind):
    """Lower and upper limit, or a list of such pairs."""

    text = "[lower, upper] in rad or m, or a list with such a pair (or null) per rate"

    def read(self, place: Place, scope: Scope) -> list[Bounds]:
        """Return one pair for all rates, or one for each; None where there is no limit."""
        items = place.items(self.text)
        if any(isinstance(item.node, List) for item in items):
            return [self._pair(item, scope) for item in items]
        return [self._pair(place, scope)]

    def _pair(self, place: Place, scope: Scope) -> Bounds:
        if place.is_empty:
            return (None, None)
        ends = place.items(self.text)
        if len(ends) != 2:
            raise place.failure(f"must be {self.text}; here are {len(ends)} numbers")
        lower, upper = (self._end(end, scope) for end in ends)
        if lower is not None and upper is not None and lower > upper:
            raise place.failure(f"lower limit {lower:g} is above upper limit {upper:g}")
        return (lower, upper)

    def _end(self, place: Place, scope: Scope) -> float | None:
        if place.is_empty:
            return None
        value = number(place, scope, "a number in rad or m, null or .inf")
        if math.isnan(value):
            raise place.failure("is not a number; write null where there is no limit")
        return value if math.isfinite(value) else None
