"""The functions and constants that a formula may use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from robodyn_ros.kernels.scalar import Numeric, cos, sin, sqrt, where


class Function(NamedTuple):
    """A function: how many arguments it takes, what it computes, and a line about it.

    `compute` takes floats or, where `traceable`, symbols as well.
    """

    arguments: int
    compute: Callable[..., Numeric]
    traceable: bool
    about: str


def _sqrt(x: Numeric) -> Numeric:
    return math.sqrt(x) if isinstance(x, (int, float)) else sqrt(x)


def _sin(x: Numeric) -> Numeric:
    return math.sin(x) if isinstance(x, (int, float)) else sin(x)


def _cos(x: Numeric) -> Numeric:
    return math.cos(x) if isinstance(x, (int, float)) else cos(x)


def _tan(x: Numeric) -> Numeric:
    return _sin(x) / _cos(x)


def _abs(x: Numeric) -> Numeric:
    return where(x < 0.0, -x, x)


def _sign(x: Numeric) -> Numeric:
    return where(x > 0.0, 1.0, where(x < 0.0, -1.0, 0.0))


def _min(x: Numeric, y: Numeric) -> Numeric:
    return where(y < x, y, x)


def _max(x: Numeric, y: Numeric) -> Numeric:
    return where(y > x, y, x)


CONSTANTS: Mapping[str, float] = MappingProxyType({"pi": math.pi})

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        "sin": Function(1, _sin, True, "sine of an angle in rad"),
        "cos": Function(1, _cos, True, "cosine of an angle in rad"),
        "tan": Function(1, _tan, True, "tangent of an angle in rad"),
        "sqrt": Function(1, _sqrt, True, "square root"),
        "abs": Function(1, _abs, True, "absolute value"),
        "sign": Function(1, _sign, True, "-1, 0 or 1"),
        "min": Function(2, _min, True, "the smaller of two"),
        "max": Function(2, _max, True, "the larger of two"),
        "exp": Function(1, math.exp, False, "e to the power of"),
        "log": Function(1, math.log, False, "natural logarithm"),
        "asin": Function(1, math.asin, False, "arc sine, rad"),
        "acos": Function(1, math.acos, False, "arc cosine, rad"),
        "atan": Function(1, math.atan, False, "arc tangent, rad"),
        "atan2": Function(2, math.atan2, False, "angle of the point (second, first), rad"),
        "radians": Function(1, math.radians, False, "degrees as rad"),
        "degrees": Function(1, math.degrees, False, "rad as degrees"),
    }
)
