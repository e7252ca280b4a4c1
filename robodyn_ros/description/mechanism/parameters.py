"""The parameters of a mechanism file: numbers by name, each for those after it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from numbers import Real

from robodyn_ros.description.mechanism.kinds import Number, Scope
from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.expressions import CONSTANTS, FUNCTIONS
from robodyn_ros.model.checks import LARGEST

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def read_parameters(place: Place | None, overrides: Mapping[str, float] | None) -> dict[str, float]:
    """Return the values of all parameters, in the order of the file.

    Args:
        place: of the section, None where there is none.
        overrides: values by name that stand in the place of those in the file.

    Raises:
        DescriptionError: a name or value that cannot be used.
        UnknownNameError: an override of a parameter that the file does not have.
        ArgumentError: an override that is no finite number.
    """
    entries = {}
    if place is not None and not place.is_empty:
        entries = dict(place.entries("a mapping from names to numbers or expressions"))
    given = checked_overrides(overrides)
    for name in given:
        if name not in entries:
            raise UnknownNameError.among("parameter", name, entries)
    values: dict[str, float] = {}
    for name, at in entries.items():
        if not _NAME.fullmatch(name):
            raise at.failure(
                f"{quoted(name)} is no name for a parameter; use letters, digits and _, and begin"
                " with a letter"
            )
        if name in FUNCTIONS or name in CONSTANTS:
            raise at.failure(f"{name} has a meaning in expressions already; choose another name")
        values[name] = given[name] if name in given else Number().read(at, Scope(values))
    return values


def checked_overrides(overrides: Mapping[str, float] | None) -> dict[str, float]:
    """Return overrides as floats; one that is no finite number is an ArgumentError."""
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ArgumentError(
            f"parameters must be a mapping from names to numbers, got {quoted(overrides)}"
        )
    checked: dict[str, float] = {}
    for name, value in (overrides or {}).items():
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise ArgumentError(
                f"parameter {quoted(name)} must be a finite number, got {quoted(value)}"
            )
        if abs(value) > LARGEST:
            raise ArgumentError(f"parameter {quoted(name)} is too large, got {value:g}")
        checked[name] = float(value)
    return checked
