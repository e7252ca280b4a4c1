"""The functions and constants that a formula may use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from robodyn_ros.kernels.elementary import arccos, arcsin, arctan, exp, log, power
from robodyn_ros.kernels.scalar import (
    Numeric,
    arctan2,
    cos,
    greater,
    is_symbolic,
    less,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)


class Function(NamedTuple):
    """A function: how many arguments it takes, what it computes, and a line about it.

    Attributes:
        arguments: how many it takes.
        of_floats: takes floats; raises ValueError or OverflowError where it has no value.
        of_entries: takes arrays and symbols, entry by entry; never raises, NaN where it has none.
        about: one line.
        traceable: whether kernels can compute it.
    """

    arguments: int
    of_floats: Callable[..., float]
    of_entries: Callable[..., Numeric]
    about: str
    traceable: bool = True

    def compute(self, *values: Numeric) -> Numeric:
        """Return its value: a float for floats, with errors; else entry by entry, without."""
        if all(isinstance(value, float) for value in values):
            return self.of_floats(*values)
        return defined(self.of_entries(*values))


def defined(value: Numeric) -> Numeric:
    """Return a value with NaN for what is not finite in an array; as a float it is an error."""
    if isinstance(value, np.ndarray) and value.dtype.char != "O":
        return np.where(np.isfinite(value), value, np.nan)
    return value


def _tan(x: Numeric) -> Numeric:
    return sin(x) / cos(x) if is_symbolic(x) else np.tan(x)


def _sign_of_float(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))


def _sign(x: Numeric) -> Numeric:
    if is_symbolic(x):
        return where(greater(x, 0.0), 1.0, where(less(x, 0.0), -1.0, 0.0))
    return np.sign(x)


def _min(x: Numeric, y: Numeric) -> Numeric:
    return minimum(x, y) if is_symbolic(x, y) else np.minimum(x, y)


def _max(x: Numeric, y: Numeric) -> Numeric:
    return maximum(x, y) if is_symbolic(x, y) else np.maximum(x, y)


def _radians(x: Numeric) -> Numeric:
    return x * (math.pi / 180.0)


def _degrees(x: Numeric) -> Numeric:
    return x * (180.0 / math.pi)


CHOICE = "if"
"""What a choice between two formulas begins with: ``if(x < 1, a, b)``."""

CONSTANTS: Mapping[str, float] = MappingProxyType({"pi": math.pi})

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        "sin": Function(1, math.sin, sin, "sine of an angle in rad"),
        "cos": Function(1, math.cos, cos, "cosine of an angle in rad"),
        "tan": Function(1, math.tan, _tan, "tangent of an angle in rad"),
        "sqrt": Function(1, math.sqrt, sqrt, "square root"),
        "abs": Function(1, abs, abs, "absolute value"),
        "sign": Function(1, _sign_of_float, _sign, "-1, 0 or 1"),
        "min": Function(2, min, _min, "the smaller of two"),
        "max": Function(2, max, _max, "the larger of two"),
        "exp": Function(1, math.exp, exp, "e to the power of"),
        "log": Function(1, math.log, log, "natural logarithm"),
        "pow": Function(2, math.pow, power, "x^y; x > 0 unless y is whole"),
        "asin": Function(1, math.asin, arcsin, "arc sine, rad"),
        "acos": Function(1, math.acos, arccos, "arc cosine, rad"),
        "atan": Function(1, math.atan, arctan, "arc tangent, rad"),
        "atan2": Function(2, math.atan2, arctan2, "angle of the point (second, first), rad"),
        "radians": Function(1, math.radians, _radians, "degrees as rad"),
        "degrees": Function(1, math.degrees, _degrees, "rad as degrees"),
    }
)
