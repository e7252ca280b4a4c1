"""What a node reports of where its accelerations come from."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from robodyn_ros.conditioning.complaints import counted
from robodyn_ros.errors import quoted
from robodyn_ros.ros.reports import FIRST, MAX_ROWS, Level, Report, listed

_TEXTS = {
    "none": "taken for zero",
    "filtered": "filtered derivatives of the velocities",
    "forward_dynamics": "from forward dynamics of the measured efforts",
}


def accelerations_report(
    source: str, joints: int, kernel: str, reasons: Mapping[str, str] | None
) -> Report:
    """Report on the accelerations of joints.

    Args:
        source: The parameter acceleration_source.
        joints: Number of joints that could have efforts.
        kernel: State of the compiled function behind them.
        reasons: Why accelerations of joints do not follow from efforts, by name; None where they
            are not to, or nothing came yet.
    """
    name, values = "accelerations", {"source": source}
    if source != "forward_dynamics":
        return Report(name, Level.OK, _TEXTS[source], values=values)
    values["kernel driven_step"] = kernel
    if reasons is None:
        return Report(name, Level.OK, "nothing came yet", values=values)
    values |= {"joints": str(joints), "joints without": str(len(reasons))}
    values |= {f"joint {quoted(x)}": why for x, why in islice(reasons.items(), MAX_ROWS)}
    if not reasons:
        return Report(name, Level.OK, _TEXTS[source], values=values)
    shown = [f"{quoted(x)} ({why})" for x, why in islice(reasons.items(), FIRST + 1)]
    text = (
        f"{len(reasons)} of {counted(joints, 'joint')} with filtered accelerations, not valid:"
        f" {listed(shown, len(reasons))}"
    )
    return Report(name, Level.WARN, text, values=values)
