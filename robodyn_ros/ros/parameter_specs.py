"""What a node parameter is: one row of a table with kind, default, bounds and text.

A node states its parameters as a tuple of `Spec`; `robodyn_ros.ros.parameters` turns the rows into
ROS descriptors and validation. Nothing here needs ROS.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass

from robodyn_ros.errors import quoted

Value = bool | int | float | str | list[float]


@dataclass(frozen=True, slots=True)
class Spec:
    """One parameter.

    Attributes:
        name: Parameter name.
        kind: `bool`, `int`, `float`, `str`, or `list` for several numbers; numbers that need not be
            whole may be.
        text: What it does, with its unit.
        default: Value when none is given; None leaves the parameter not set.
        lower, upper: Bounds, both included; both or none, for numbers only.
        length: How many numbers a list has.
        choices: The values a text may have; empty for any.
        refused: Values that are known but not available, each with the reason.
        read_only: Whether it is fixed once the node is up.
        check: A further test of a value, returning what is wrong with it or "".
    """

    name: str
    kind: type[bool | int | float | str | list[float]]
    text: str
    default: Value | None = None
    lower: float | None = None
    upper: float | None = None
    length: int = 0
    choices: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    read_only: bool = False
    check: Callable[[Value], str] | None = None

    def problem(self, value: object) -> str:
        """Return what is wrong with `value` in one line, or "" when it is acceptable."""
        if not self._kind_matches(value):
            return f"{self.name} must be {self._described()}, got {quoted(value)}"
        if self.kind is list:
            problems = (self._number_problem(x) for x in value)  # type: ignore[attr-defined]
            return next(filter(None, problems), "")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            trouble = self._number_problem(value)
            if trouble:
                return trouble
        if isinstance(value, str):
            trouble = self._text_problem(value)
            if trouble:
                return trouble
        if self.check is not None:
            return self.check(value)  # type: ignore[arg-type]
        return ""

    def convert(self, value: Value) -> Value:
        """Return an accepted value as the spec's kind (an integer given for a float)."""
        if self.kind is list:
            return [float(x) for x in value]  # type: ignore[union-attr]
        return float(value) if self.kind is float else value  # type: ignore[arg-type]

    def _described(self) -> str:
        """Return what its values are."""
        return f"{self.length} numbers" if self.kind is list else _ARTICLE[self.kind]

    def _kind_matches(self, value: object) -> bool:
        if self.kind is float:
            return _is_number(value)
        if self.kind is int:
            return isinstance(value, int) and not isinstance(value, bool)
        if self.kind is list:
            numbers = list(value) if isinstance(value, (list, tuple, array)) else []
            return len(numbers) == self.length and all(map(_is_number, numbers))
        return isinstance(value, self.kind)

    def _number_problem(self, value: float) -> str:
        if not math.isfinite(value):
            return f"{self.name} must be finite, got {value}"
        if self.lower is None or self.upper is None:
            return ""
        if self.lower <= value <= self.upper:
            return ""
        return f"{self.name} must be between {self.lower:g} and {self.upper:g}, got {value:g}"

    def _text_problem(self, value: str) -> str:
        for refused, reason in self.refused:
            if value == refused:
                return f"{self.name} {quoted(value)} is not available: {reason}"
        if self.choices and value not in self.choices:
            return f"{self.name} must be one of {', '.join(self.choices)}, got {quoted(value)}"
        return ""


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_ARTICLE: dict[type, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "a text",
}
