"""What to say where values by name are given for an array."""

from __future__ import annotations

from collections.abc import Mapping

from robodyn_ros.errors import ArgumentError

POSITIONS = ("q", "q0", "q1", "default")
"""Arguments that are configurations."""

RATES = ("v", "a", "tau")
"""Arguments with a number for each of `coordinate_names`."""


def refuse_mapping(name: str, value: object) -> None:
    """Raise ArgumentError where the argument `name` is a mapping: how to make it an array."""
    if not isinstance(value, Mapping):
        return
    remedy = "give its numbers"
    if name in POSITIONS:
        remedy = "use robot.configuration({joint: value, ...})"
    elif name in RATES:
        remedy = "use [values.get(name, 0.0) for name in robot.model.coordinate_names]"
    raise ArgumentError(f"{name} must be an array, got a mapping; {remedy}")
