"""What the efforts of recorded joint states are, in N m or N; see `conditioning.effort_units`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.effort_units import DEFAULT, UNITS, Report, conversion
from robodyn_ros.conditioning.told_coordinates import ToldCoordinate, told_coordinates
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
NOTHING: Mapping[str, str] = MappingProxyType({})
NO_GAINS: Mapping[str, float] = MappingProxyType({})
ALL = ""
"""The name under which something is said of all coordinates."""


@dataclass(frozen=True)
class EffortReports:
    """What an operator says of efforts, by name of a coordinate, of a joint, or `ALL`.

    Attributes:
        units: "Nm", "N", "A" or "unknown".
        gains: Factors to N m or N at the joint.
        driver_compensates_gravity: Whether they lack what holds the weight of links and payloads.
    """

    units: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    gains: Mapping[str, float] = field(default_factory=lambda: NO_GAINS)
    driver_compensates_gravity: bool = False


class Factors(NamedTuple):
    """What takes reported efforts to N m or N: a factor (n,) for each coordinate that is told.

    Attributes:
        factor: 0 where they are refused.
        refused: Why, by coordinate.
    """

    factor: Floats
    refused: dict[str, str]


def factors_of(model: Model, reports: EffortReports) -> Factors:
    """Return the factors of a model's coordinates.

    Raises:
        UnknownNameError: something is said of a joint that there is not.
        ArgumentError: no such unit, or a gain that is no factor.
    """
    told = told_coordinates(model)
    names = {name for one in told for name in (one.name, one.joint.name)}
    for name in (*reports.units, *reports.gains):
        if name != ALL and name not in names:
            raise UnknownNameError.among("joint with an effort", name, sorted(names))
    for name, unit in reports.units.items():
        if unit not in UNITS:
            raise ArgumentError(
                f"the unit of efforts must be {', '.join(UNITS[:-1])} or {UNITS[-1]}, got"
                f" {quoted(unit)} of {quoted(name or 'all joints')}"
            )
    for name, gain in reports.gains.items():
        if not np.isfinite(gain) or gain == 0.0:
            raise ArgumentError(
                f"the gain of efforts of {quoted(name or 'all joints')} must be a finite number"
                f" other than 0, got {gain:g}"
            )
    factors, refused = [], {}
    for one in told:
        factor, why = _factor(one, reports)
        factors.append(factor)
        if why:
            refused[one.name] = why
    return Factors(np.array(factors, dtype=np.float64), refused)


def _factor(one: ToldCoordinate, reports: EffortReports) -> tuple[float, str]:
    """Return the factor of one coordinate, and why there is none."""

    def report(name: str) -> Report:
        unit = reports.units.get(name, DEFAULT)
        return Report(unit, float(reports.gains.get(name, 0.0)))

    everywhere = report(ALL)
    joint, rate = one.joint, one.v - one.joint.v_index
    if joint.joint.axes:
        whole = report(joint.name)
        if whole == Report():
            whole = everywhere
        return _said(conversion(joint, rate, report(one.name), whole), one.name)
    own = report(one.name)
    unit = own.unit if own.unit != DEFAULT else everywhere.unit
    return _said(conversion(joint, rate, Report(unit, own.gain or everywhere.gain)), one.name)


def _said(found: tuple[float, str], name: str) -> tuple[float, str]:
    """Return a factor with its reason as the command line, not a node's parameters, has it."""
    factor, why = found
    remedies = {
        "reported in A": f"reported in A: give the gain, effort_gain {name}=N m per A",
        "unit unknown": f"unit unknown: give it, effort_unit {name}=Nm",
    }
    for begin, text in remedies.items():
        if why.startswith(begin):
            return factor, text
    return factor, why.partition(": set ")[0]
