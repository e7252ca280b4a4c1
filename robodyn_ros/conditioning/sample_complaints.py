"""What is said of stamps and samples that are not as they should be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import (
    MAX_SUBJECTS,
    SHOWN,
    Complaint,
    Severity,
    Subject,
    counted,
    listed,
)
from robodyn_ros.conditioning.joint_states import Bad
from robodyn_ros.conditioning.stamps import Verdict
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import quoted

_ABOUT_VERDICT = {
    Verdict.RESET: Complaint(
        Severity.WARN,
        "clock resets",
        "joint state stamps jumped back: starting over, what was known of the joints is forgotten",
        once=False,
    ),
    Verdict.LATE: Complaint(
        Severity.WARN,
        "late",
        "a joint state older than what is published already is dropped",
        once=False,
    ),
    Verdict.REPEATED: Complaint(
        Severity.DEBUG,
        "repeated stamps",
        "a joint state with the stamp of the last one is dropped",
    ),
}
_OUTLIERS_SHOWN = 3
"""Joints named in a line on outliers; the diagnostics name and count them all."""
_UNITS = {"position": "rad or m", "velocity": "rad/s or m/s"}


def about_verdict(verdict: Verdict) -> Complaint:
    """Return what to say of a stamp that is not simply newer."""
    return _ABOUT_VERDICT[verdict]


def about_samples(
    names: Sequence[str], samples: NDArray[np.float64], bad: Bad
) -> Iterator[Complaint]:
    """Complain of samples (4, n) that are not finite, too large or outliers; `names` by slot."""
    for row, kind in enumerate(("position", "velocity")):
        insane = (bad.position, bad.velocity)[row]
        for slot in insane[:SHOWN]:
            yield _insane(names[slot], kind, float(samples[row, slot]))
        if len(insane) > SHOWN:
            yield _more(len(insane) - SHOWN, kind)
        outliers = (bad.position_outlier, bad.velocity_outlier)[row]
        if len(outliers):
            values = {names[slot]: float(samples[row, slot]) for slot in outliers.tolist()}
            yield _outliers(values, kind)


def _more(count: int, kind: str) -> Complaint:
    verb = "has" if count == 1 else "have"
    text = f"{counted(count, 'more joint')} {verb} a {kind} that is not finite or beyond all bounds"
    return Complaint(Severity.WARN, "not finite", text, about=kind, once=False)


def _insane(joint: str, kind: str, value: float) -> Complaint:
    name = quoted(joint)
    finite = np.isfinite(value)
    trouble = f"{value:g} is beyond the bound of {LIMIT:g} {_UNITS[kind]}"
    return Complaint(
        Severity.WARN,
        "out of bounds" if finite else "not finite",
        f"joint {name}: {kind} {trouble if finite else 'is not finite'}; it is invalid"
        " until a sane one comes",
        about=f"{kind} of {name}",
        once=False,
        subjects=(Subject(joint, f"{kind} {value:g}"),),
    )


def _outliers(values: Mapping[str, float], kind: str) -> Complaint:
    texts = {name: f"{value:g} {_UNITS[kind]}" for name, value in values.items()}
    told = listed([f"{quoted(name)} ({text})" for name, text in texts.items()], _OUTLIERS_SHOWN)
    subjects = [Subject(name, f"{kind} {text}") for name, text in texts.items()]
    return Complaint(
        Severity.WARN,
        "outliers",
        f"{kind} of {told} does not follow from those before: an outlier, not valid",
        about=kind,
        once=False,
        subjects=tuple(subjects[:MAX_SUBJECTS]),
    )
