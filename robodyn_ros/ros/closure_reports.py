"""Reports on what a state path works out: passive joints of a closed mechanism, accelerations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robodyn_ros.conditioning.closing import singular_coordinate
from robodyn_ros.conditioning.passive_joints import NEAR_SINGULAR, PassiveJoints
from robodyn_ros.conditioning.redundant_joints import Compared
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.constraints.elimination import partition_of
from robodyn_ros.constraints.failures import largest_gap
from robodyn_ros.errors import quoted
from robodyn_ros.ros.acceleration_reports import accelerations_report
from robodyn_ros.ros.reports import MAX_ROWS, Level, Report, listed

NAME = "mechanism"


def path_reports(
    path: StatePath | None, now: int | None, acceleration_source: str
) -> Iterator[Report]:
    """Yield the reports on a path; called with its lock held.

    Args:
        path: The path; None before the first description.
        now: Time by the clock of the stamps, ns; None before the first input.
        acceleration_source: The parameter.
    """
    if path is None:
        return
    reasons = None
    if path.is_driven and now is not None:
        reasons = path.acceleration_troubles(now)
    count = len(path.plan.slots)
    yield accelerations_report(acceleration_source, count, path.stepper.state, reasons)
    if path.passive is not None:
        yield closure_report(path, path.passive, heard=now is not None)


def closure_report(path: StatePath, passive: PassiveJoints, *, heard: bool) -> Report:
    """Report on the constraints of a closed mechanism, and on what passive joints follow from.

    Args:
        path: The path.
        passive: Its passive joints.
        heard: Whether anything was received.
    """
    model, received = passive.model, path.received()
    names = model.coordinate_names
    independent = [names[k] for k in partition_of(model).independent]
    element, gap, unit = largest_gap(model, passive.q)
    redundant = path.redundant()
    pivot = float(passive.closure[2])
    values = {
        "independent coordinates": ", ".join(independent),
        "completed by": "state_step" if path.stepper.is_compiled else "plain functions",
        "passive coordinates": str(model.nv - len(independent)),
        "largest residual": f"{gap:.3g} {unit} ({element})",
        "conditioning": f"smallest pivot {pivot:.3g} times its limit",
    }
    values |= {f"measured {quoted(one.name)}": _comparison(one) for one in redundant[:MAX_ROWS]}
    troubles = list(_troubles(passive, redundant, pivot))
    missing = passive.missing(received)
    if missing:
        values["missing"] = ", ".join(missing[:MAX_ROWS])
        if heard:
            text = listed([quoted(name) for name in missing], len(missing))
            troubles.insert(0, f"passive joints follow from {text}, which nothing gives")
    if troubles:
        level = Level.WARN if passive.is_good else Level.ERROR
        return Report(NAME, level, "; ".join(troubles), values=values)
    text = f"passive joints follow from {listed(independent, len(independent))}"
    return Report(NAME, Level.OK, text, values=values)


def _troubles(passive: PassiveJoints, redundant: list[Compared], pivot: float) -> Iterator[str]:
    if not passive.is_good:
        yield f"passive joints keep their last state, invalid: {passive.reason}"
    elif not pivot > NEAR_SINGULAR:
        with np.errstate(all="ignore"):
            name = singular_coordinate(passive.model, passive.q)
        yield (
            f"near a singular position: small changes of the measured joints move {quoted(name)}"
            " far"
        )
    off = [one for one in redundant if one.is_off]
    if off:
        text = ", ".join(f"{quoted(one.name)} by {one.measured - one.computed:.3g}" for one in off)
        yield f"measured values differ from those that follow from the others: {text}"


def _comparison(one: Compared) -> str:
    off = one.measured - one.computed
    return f"{one.measured:.6g}, follows from the others as {one.computed:.6g}: off by {off:.3g}"
