"""The rows of `robodyn torque`: one for each coordinate, and what is beyond its limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import quoted
from robodyn_ros.joints import JointLimits
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

TERMS = ("inertial", "coriolis", "gravity", "friction", "armature", "payload", "external", "total")

SLACK = 1e-9
"""Positions and velocities may be this much beyond a limit, which degrees are rounded to."""


@dataclass(frozen=True)
class Row:
    """One coordinate.

    Attributes:
        name: of the coordinate.
        unit: of its efforts.
        position: in `position_unit`; None where the joint's attitude is a quaternion.
        position_unit: "rad", "deg" or "m".
        terms: efforts in the order of TERMS.
        limit: effort limit, None where none is known.
        beyond: what is beyond its limits in this state, by limit: "velocity", "effort" or "range".
    """

    name: str
    unit: str
    position: float | None
    position_unit: str
    terms: tuple[float, ...]
    limit: float | None
    beyond: dict[str, str]

    @property
    def share(self) -> float | None:
        """The total in per cent of the limit."""
        return None if self.limit is None else 100.0 * abs(self.terms[-1]) / self.limit


def rows_of(model: Model, q: Floats, v: Floats, efforts: Floats, degrees: bool) -> tuple[Row, ...]:
    """Return a row for each coordinate; `efforts` are (number of terms, nv), angles of q in rad."""
    at = dict(zip(model.position_names, q.tolist(), strict=True))
    rows: list[Row] = []
    for joint in model.own_joints:
        for turns, limits in zip(joint.joint.turning(), joint.rate_limits, strict=True):
            k = len(rows)
            name, unit = model.coordinate_names[k], "N m" if turns else "N"
            scale, angle = (180.0 / np.pi, "deg") if turns and degrees else (1.0, "rad")
            length = angle if turns else "m"
            position = at.get(name)
            terms = tuple((efforts[:, k] + 0.0).tolist())
            beyond = {
                "range": _out_of_range(position, limits, scale, length),
                "velocity": _too_fast(float(v[k]), limits, scale, length),
                "effort": _too_strong(terms[-1], limits, unit),
            }
            rows.append(
                Row(
                    name,
                    unit,
                    None if position is None else position * scale,
                    length,
                    terms,
                    _known(limits.effort),
                    {limit: said for limit, said in beyond.items() if said},
                )
            )
    return tuple(rows)


def limit_notes(rows: Sequence[Row]) -> list[str]:
    """Return a note for each kind of limit that something is beyond."""
    notes = []
    for limit, what in (
        ("effort", "beyond the effort limit"),
        ("velocity", "beyond the velocity limit"),
        ("range", "outside the range of positions"),
    ):
        found = [f"{quoted(row.name)} ({row.beyond[limit]})" for row in rows if limit in row.beyond]
        if found:
            notes.append(f"{what}: {', '.join(found)}")
    return notes


def _known(limit: float | None) -> float | None:
    """Return a limit of magnitude, None where it is none: absent, not positive or endless."""
    return limit if limit is not None and 0.0 < limit < np.inf else None


def _out_of_range(position: float | None, limits: JointLimits, scale: float, unit: str) -> str:
    low = -np.inf if limits.lower is None else limits.lower
    high = np.inf if limits.upper is None else limits.upper
    if position is None or low - SLACK <= position <= high + SLACK:
        return ""
    return f"{position * scale:.4g} {unit}, allowed {low * scale:.4g} to {high * scale:.4g}"


def _too_fast(velocity: float, limits: JointLimits, scale: float, unit: str) -> str:
    limit = _known(limits.velocity)
    if limit is None or abs(velocity) <= limit + SLACK:
        return ""
    return f"{velocity * scale:.4g} {unit}/s, allowed {limit * scale:.4g}"


def _too_strong(effort: float, limits: JointLimits, unit: str) -> str:
    limit = _known(limits.effort)
    if limit is None or abs(effort) <= limit:
        return ""
    return f"{effort:.4g} {unit}, allowed {limit:.4g}"
