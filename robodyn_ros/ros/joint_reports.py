"""The state publisher's report on the joints."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.errors import quoted
from robodyn_ros.ros.reports import FIRST, MAX_ROWS, Level, Report, listed

LONGEST_REASON = 100
"""Characters of a reason that are shown."""


def joints_report(joints: Mapping[str, tuple[float, str]]) -> Report:
    """Report on what is known of each joint.

    Args:
        joints: By name the age of its last sample, s (negative or not finite when there is none),
            and why it is not valid ("" when it is).
    """
    invalid = [name for name, (_, reason) in joints.items() if reason]
    valid = [name for name, (_, reason) in joints.items() if not reason]
    values = {"joints": str(len(joints)), "invalid joints": str(len(invalid))}
    for name in [*invalid, *valid][:MAX_ROWS]:
        age, reason = joints[name]
        state = f"invalid, {_brief(reason)}; " if reason else ""
        seen = f"age {age:.3f} s" if isfinite(age) and age >= 0.0 else "no age"
        values[f"joint {quoted(name)}"] = state + seen
    if len(joints) > MAX_ROWS:
        values["joints not listed"] = str(len(joints) - MAX_ROWS)
    if not invalid:
        return Report("joints", Level.OK, f"all {len(joints)} joints valid", values=values)
    first = [f"{quoted(name)} ({_brief(joints[name][1])})" for name in invalid[:FIRST]]
    named = listed(first, len(invalid))
    text = f"{len(invalid)} of {len(joints)} joints invalid: {named}"
    return Report("joints", Level.WARN, text, values=values)


def _brief(reason: str) -> str:
    return one_line(reason[:LONGEST_REASON])
