"""Reading the names and formulas of a user-defined joint."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from robodyn_ros.errors import ArgumentError, DescriptionError, did_you_mean, quoted
from robodyn_ros.expressions import CHOICE, CONSTANTS, FUNCTIONS, Expression, parse
from robodyn_ros.joints.parameter import finite_number

MOST_VARIABLES = 6
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def variable_names(given: object) -> tuple[str, ...]:
    """Return names of variables; what cannot be one is an ArgumentError."""
    names = (given,) if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not 1 <= len(names) <= MOST_VARIABLES:
        raise ArgumentError(f"variables must be one to {MOST_VARIABLES} names, got {quoted(given)}")
    for k, name in enumerate(names):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise ArgumentError(
                f"variables has {quoted(name)}, which is no name: use letters, digits and _, and"
                " begin with a letter"
            )
        if name in FUNCTIONS or name in CONSTANTS or name == CHOICE:
            raise ArgumentError(
                f"variables has {name}, which has a meaning in formulas already: choose another"
            )
        if name in names[:k]:
            raise ArgumentError(f"variables has {name} twice")
    return tuple(names)


def three_formulas(field: str, given: object, variables: Sequence[str]) -> tuple[Expression, ...]:
    """Return three formulas of the variables; what is none is an ArgumentError."""
    if not isinstance(given, (Sequence, np.ndarray)) or isinstance(given, str) or len(given) != 3:
        raise ArgumentError(f"{field} must be three formulas or numbers, got {quoted(given)}")
    return tuple(_formula(f"{field}[{k}]", entry, variables) for k, entry in enumerate(given))


def _formula(place: str, given: object, variables: Sequence[str]) -> Expression:
    if isinstance(given, Expression):
        formula = given
    elif isinstance(given, str):
        try:
            formula = parse(given)
        except DescriptionError as error:
            raise ArgumentError(f"{place}: {error}") from None
    else:
        number = finite_number(place, given, "")  # type: ignore[arg-type]
        formula = parse(repr(number + 0.0))
    for name in formula.names:
        if name not in variables:
            hint = did_you_mean(name, variables)
            raise ArgumentError(
                f"{place} has {quoted(name)}, which is no variable of the joint"
                f" (variables: {', '.join(variables)}){hint}"
            )
    return formula
