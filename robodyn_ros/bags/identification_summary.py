"""What was identified from a bag, as data for JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from robodyn_ros.analysis.friction_of_joints import JointFriction
from robodyn_ros.analysis.identification import Identification
from robodyn_ros.analysis.payload_estimate import PayloadEstimate
from robodyn_ros.analysis.residuals import JointResidual
from robodyn_ros.bags.identification import Outcome, Request
from robodyn_ros.bags.replay import Replay
from robodyn_ros.bags.summary import method_of, percent
from robodyn_ros.conditioning.effort_units import NEWTON, si_unit
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model

_LISTED = 6


def units_of(model: Model) -> dict[str, str]:
    """Return the unit of effort of each coordinate, "N m" or "N"."""
    return {
        model.coordinate_names[joint.v_index + k]: "N" if si_unit(joint, k) == NEWTON else "N m"
        for joint in model.own_joints
        for k in range(joint.joint.nv)
    }


def identification_summary(replay: Replay, request: Request, outcome: Outcome) -> dict[str, Any]:
    """Return everything about an identification as data for JSON."""
    found = outcome.found
    model = replay.robot.model
    units = units_of(model)
    data: dict[str, Any] = {
        "robot": model.name,
        "bag": str(replay.path),
        "identified": list(found.unknowns.parts),
        "rows": outcome.rows,
        "windows": found.windows,
        "held_out": found.held,
        "residuals": [_residual(one, units[one.name]) for one in found.residuals],
        "friction": [_friction(one, units[one.name]) for one in found.friction],
        "notes": list(outcome.notes),
        "method": list(_method(replay, request)),
    }
    if isinstance(found, PayloadEstimate):
        data["payload"] = _payload(found)
    else:
        data |= _parameters(found)
    return data


def _method(replay: Replay, request: Request) -> Iterator[str]:
    """Yield how the numbers came about."""
    yield from method_of(replay)
    yield (
        f"efforts, and the columns that explain them, are averaged over windows of"
        f" {request.window:g} s; where friction is looked for, only those count in which a joint"
        f" moves one way, faster than {request.rest_speed:g} rad/s or m/s"
    )
    yield (
        "weighted least squares with Huber's weights, then possible bodies (positive definite"
        " pseudo-inertia) and friction that is not negative; what is not excited stays as described"
    )


def _residual(one: JointResidual, unit: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "unit": unit,
        "measured": _finite(one.measured),
        "before": _finite(one.before),
        "after": _finite(one.after),
        "before_held_out": _finite(one.before_held),
        "after_held_out": _finite(one.after_held),
        "by_part": one.by_part,
        "noise": _finite(one.noise),
        "windows": one.rows,
        "outliers": one.outliers,
    }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _friction(one: JointFriction, unit: str) -> dict[str, Any]:
    curve = one.curve
    data: dict[str, Any] = {"name": one.name, "unit": unit}
    for key, value, deviation, known in (
        ("coulomb", curve.coulomb, one.deviation[0], one.described.coulomb),
        ("viscous", curve.viscous, one.deviation[1], one.described.viscous),
        ("offset", curve.offset, one.deviation[2], one.described.offset),
    ):
        data[key] = {"value": value, "deviation": float(deviation), "described": known}
    if one.stribeck is not None:
        data["stribeck"] = {
            "static": one.stribeck.static,
            "coulomb": one.stribeck.coulomb,
            "viscous": one.stribeck.viscous,
            "speed": one.stribeck.stribeck_speed,
        }
    return data


def _payload(found: PayloadEstimate) -> dict[str, Any]:
    return {
        "frame": found.unknowns.frame,
        "is_there": found.is_there,
        "mass": {"value": found.mass, "deviation": found.mass_deviation},
        "com": {"value": found.com.tolist(), "deviation": found.com_deviation.tolist()},
        "inertia": found.inertia.tolist(),
        "inertia_deviation": found.inertia_deviation.tolist(),
        "inertia_told": found.inertia_told,
    }


def _parameters(found: Identification) -> dict[str, Any]:
    unknowns, seen = found.unknowns, found.excitation
    data: dict[str, Any] = {
        "excitation": {
            "condition": _finite(seen.condition),
            "parameters": seen.count,
            "poor": [
                {"name": one.name, "share": one.share, "joints": list(one.joints)}
                for one in seen.poor
            ],
            "still": list(seen.still),
            "advice": list(seen.advice),
        }
    }
    if unknowns.base is not None:
        own = unknowns.places["base"]
        columns = (unknowns.nominal[own], found.values[own], found.fit.deviation[own])
        data["base_parameters"] = [
            {
                "name": unknowns.base.grouped(k),
                "described": float(described),
                "value": float(value),
                "deviation": float(deviation),
            }
            for k, (described, value, deviation) in enumerate(zip(*columns, strict=True))
        ]
    return data


def identification_lines(summary: dict[str, Any]) -> Iterator[str]:
    """Yield a summary as lines of text."""
    told = summary["held_out"]
    held = f", {told} of them held out" if told else ""
    yield (
        f"{quoted(summary['robot'])[1:-1]}: {' and '.join(summary['identified'])} from"
        f" {summary['rows']} rows in {summary['windows'] + told} windows{held}"
    )
    if "payload" in summary:
        yield from _payload_lines(summary["payload"])
    yield from _residual_lines(summary["residuals"])
    if summary["friction"]:
        yield from _friction_lines(summary["friction"])
    if "excitation" in summary:
        yield from _excitation_lines(summary["excitation"])
    yield from summary["notes"]


def _payload_lines(payload: dict[str, Any]) -> Iterator[str]:
    mass, com = payload["mass"], payload["com"]
    yield f"payload at {quoted(payload['frame'])}: {pair(mass['value'], mass['deviation'])} kg"
    if not payload["is_there"]:
        yield "the mass is within two standard deviations of 0: there may be no payload"
        return
    places = (pair(x, d) for x, d in zip(com["value"], com["deviation"], strict=True))
    yield f"centre of mass ({', '.join(places)}) m in its axes"
    I = payload["inertia"]  # noqa: E741 - its name everywhere
    moments = ", ".join(f"{I[k][k]:.3g}" for k in range(3))
    why = "" if payload["inertia_told"] else "; not excited, so that of a ball of aluminium"
    yield f"moments of inertia ({moments}) kg m^2 about its centre{why}"


def pair(value: float, deviation: float) -> str:
    """Return a number and its standard deviation, with two digits of that."""
    if not deviation > 0.0 or not np.isfinite(deviation):
        return f"{value:.4g}"
    digits = max(1 - int(np.floor(np.log10(deviation))), 0)
    return f"{value:.{digits}f} ± {deviation:.{digits}f}"


def _residual_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    head = ("residual, rms", "unit", "measured", "described", "identified", "held out: described")
    table: list[tuple[str, ...]] = [(*head, "identified")]
    for one in rows:
        numbers = [one[k] for k in ("measured", "before", "after")]
        numbers += [one["before_held_out"], one["after_held_out"]]
        cells = ("-" if x is None else f"{x:.4g}" for x in numbers)
        table.append((one["name"], one["unit"], *cells))
    yield from aligned(table)


def _friction_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    table: list[tuple[str, ...]] = [("friction", "unit", "Coulomb", "viscous", "offset")]
    for one in rows:
        cells = (
            pair(one[k]["value"], one[k]["deviation"]) for k in ("coulomb", "viscous", "offset")
        )
        table.append((one["name"], one["unit"], *cells))
    yield from aligned(table)


def _excitation_lines(seen: dict[str, Any]) -> Iterator[str]:
    condition = seen["condition"]
    number = "no number: some columns are nothing" if condition is None else f"{condition:.3g}"
    yield f"excitation: condition number {number}, {seen['parameters']} parameters"
    poor = seen["poor"]
    for one in poor[:_LISTED]:
        name = one["name"] if len(one["name"]) < 60 else f"{one['name'][:57]}..."
        yield f"poorly excited: {name} (to {percent(one['share'])} of what would be much)"
    if len(poor) > _LISTED:
        yield f"... and {len(poor) - _LISTED} more"
    if seen["still"]:
        yield f"hardly moved: {', '.join(map(quoted, seen['still']))}"
    yield from seen["advice"][:_LISTED]


def aligned(table: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table, the first column to the left."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        first, *others = (
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join([first, *others]).rstrip()
