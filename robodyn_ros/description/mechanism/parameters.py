"""The parameters of a mechanism file: numbers by name, each for those after it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from numbers import Real

from robodyn_ros.description.mechanism.kinds import Number, Scope
from robodyn_ros.description.mechanism.names import require_formula_name
from robodyn_ros.description.mechanism.nodes import Place, Scalar
from robodyn_ros.errors import ArgumentError, DescriptionError, UnknownNameError, quoted
from robodyn_ros.expressions import parse
from robodyn_ros.model.checks import LARGEST


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
        require_formula_name(at, name, "a parameter")
        if name in given:
            values[name] = given[name]
            continue
        try:
            values[name] = Number().read(at, Scope(values))
        except DescriptionError:
            _require_earlier(at, entries, values)
            raise
    return values


def _require_earlier(at: Place, entries: Mapping[str, Place], known: Mapping[str, float]) -> None:
    """Raise where a value cannot be read because it uses a parameter that stands below it."""
    names: tuple[str, ...] = ()
    with suppress(DescriptionError):
        names = parse(at.node.text).names if isinstance(at.node, Scalar) else ()
    for name in names:
        if name in entries and name not in known:
            line = entries[name].node.line
            raise at.failure(
                f"uses {quoted(name)} of line {line}, and a parameter may use only those above it"
            )


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
