"""The state publisher's report on the joints."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType

from robodyn_ros.conditioning.complaints import counted, one_line
from robodyn_ros.errors import quoted
from robodyn_ros.ros.rates import Mention
from robodyn_ros.ros.reports import FIRST, MAX_ROWS, Level, Report, listed

LONGEST_REASON = 160
"""Characters of a reason that are shown."""
_NONE: Mapping[str, Mention] = MappingProxyType({})


def joints_report(
    joints: Mapping[str, tuple[float, str]], outliers: Mapping[str, Mention] = _NONE
) -> Report:
    """Report on what is known of each joint.

    Args:
        joints: By name the age of its last sample, s (negative or not finite when there is none),
            and why it is not valid ("" when it is).
        outliers: Joints with samples that were outliers.
    """
    invalid = [name for name, (_, reason) in joints.items() if reason]
    valid = [name for name, (_, reason) in joints.items() if not reason]
    valid.sort(key=lambda name: name not in outliers)
    values = {"joints": str(len(joints)), "invalid joints": str(len(invalid))}
    values["joints with outliers"] = str(sum(name in outliers for name in joints))
    for name in [*invalid, *valid][:MAX_ROWS]:
        age, reason = joints[name]
        state = f"invalid, {_brief(reason)}; " if reason else ""
        seen = f"age {age:.3f} s" if isfinite(age) and age >= 0.0 else "no age"
        values[f"joint {quoted(name)}"] = state + seen + _outliers(outliers.get(name))
    if len(joints) > MAX_ROWS:
        values["joints not listed"] = str(len(joints) - MAX_ROWS)
    if not invalid:
        return Report("joints", Level.OK, _all_valid(len(joints)), values=values)
    first = [f"{quoted(name)} ({_brief(joints[name][1])})" for name in invalid[:FIRST]]
    named = listed(first, len(invalid))
    text = f"{len(invalid)} of {counted(len(joints), 'joint')} invalid: {named}"
    return Report("joints", Level.WARN, text, values=values)


def _all_valid(number: int) -> str:
    return f"all {number} joints valid" if number != 1 else "the joint is valid"


def _outliers(mention: Mention | None) -> str:
    if mention is None:
        return ""
    last = f", the last with {mention.what}" if mention.what else ""
    return f"; {counted(mention.total, 'outlier')}, {mention.recent} in this period{last}"


def _brief(reason: str) -> str:
    return one_line(reason, LONGEST_REASON)
