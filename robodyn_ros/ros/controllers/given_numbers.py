"""Numbers given for single joints at start-up: `gains.JOINT.FIELD` and `effort_limits.JOINT`."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.ros.parameters import Parameters

Floats = NDArray[np.float64]


def effort_limits(config: Parameters, names: Iterable[str]) -> dict[str, float]:
    """Return the effort limits given by coordinate name, N m or N.

    Raises:
        UnknownNameError: of a coordinate that there is not.
        ArgumentError: not a finite number above 0.
    """
    known = tuple(names)
    found = {}
    for name, value in config.given("effort_limits").items():
        number = _number(f"effort_limits.{name}", value)
        if number <= 0.0:
            raise ArgumentError(f"effort_limits.{name} must be above 0, got {number:g}")
        if name not in known:
            raise UnknownNameError.among("coordinate of effort_limits", name, known)
        found[name] = number
    return found


def gains(config: Parameters, field: str, default: Floats, model: Model) -> Floats:
    """Return gains (nv,): `default` but for the coordinates of `gains.JOINT.field`.

    Raises:
        UnknownNameError: of a coordinate that there is not.
        ArgumentError: not a finite number, or below 0.
    """
    found = default.copy()
    known = model.coordinate_names
    for key, value in config.given("gains").items():
        name, _, last = key.rpartition(".")
        if last != field:
            continue
        number = _number(f"gains.{key}", value)
        if number < 0.0:
            raise ArgumentError(f"gains.{key} must be at least 0, got {number:g}")
        if name not in known:
            raise UnknownNameError.among("coordinate of gains", name, known)
        found[known.index(name)] = number
    return found


def require_fields(config: Parameters, fields: Iterable[str]) -> None:
    """Raise ArgumentError where a gain is given that this node does not have."""
    known = tuple(fields)
    for key in config.given("gains"):
        if key.rpartition(".")[2] not in known:
            fitting = ", ".join(f"gains.JOINT.{field}" for field in known) or "no gains of joints"
            raise ArgumentError(f"there is no parameter gains.{key}: this node has {fitting}")


def _number(what: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ArgumentError(f"{what} must be a finite number, got {value!r}")
    return float(value)
