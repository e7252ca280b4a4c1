"""What in the joints of a model will hurt dynamics, as findings with a remedy."""

from __future__ import annotations

import math
from collections.abc import Iterator

from robodyn_ros.errors import quoted
from robodyn_ros.joints import JointLimits
from robodyn_ros.model.coordinates import AffineFollower
from robodyn_ros.model.elements import TreeJoint
from robodyn_ros.model.findings import Finding
from robodyn_ros.model.model import Model

#: A bound beyond it is how some drivers write that there is none.
NO_BOUND = 1e4
#: rad and m: ranges beyond them are likely to be degrees and millimetres.
WIDEST = {"revolute": 30.0, "prismatic": 20.0}
_UNITS = {"revolute": "rad, not in degrees", "prismatic": "m, not in mm"}


def joint_findings(model: Model) -> Iterator[Finding]:
    """Yield what is wrong with the limits, friction and mimics of the model's joints."""
    for _, joint in model.moving:
        if joint.joint.nv == 0:
            continue
        yield from _friction_findings(joint)
        if joint.joint.nv == 1:
            yield from _limit_findings(joint)
        if isinstance(joint.coordinates, AffineFollower):
            yield from _mimic_findings(joint, joint.coordinates, model)


def _element(joint: TreeJoint) -> str:
    return f"joint {quoted(joint.name)}"


def _friction_findings(joint: TreeJoint) -> Iterator[Finding]:
    for name in ("damping", "friction", "armature"):
        value = getattr(joint, name)
        if value < 0.0:
            text = f"{name} is negative ({value:.4g}): the joint would drive itself"
            yield Finding("error", "friction", _element(joint), text, "give a value >= 0")


def _known(value: float | None) -> bool:
    return value is not None and abs(value) < NO_BOUND


def _limit_findings(joint: TreeJoint) -> Iterator[Finding]:
    """Yield what is missing in, or wrong with, the limits of a joint of one coordinate."""
    limits, kind = joint.limits, joint.joint.type_name
    if kind in WIDEST:
        yield from _range_findings(joint, limits, kind)
    if joint.is_follower:
        return
    missing = [name for name in ("velocity", "effort") if not _strong(getattr(limits, name))]
    if missing:
        text = f"no {' and no '.join(missing)} limit (absent, not positive or endless)"
        remedy = 'give them in <limit velocity="..." effort="..."/>, from the data sheet'
        yield Finding("warning", "limits", _element(joint), text, remedy)


def _strong(value: float | None) -> bool:
    """Return whether a velocity or effort limit says something; forces of 1e6 N exist."""
    return value is not None and 0.0 < value < math.inf


def _range_findings(joint: TreeJoint, limits: JointLimits, kind: str) -> Iterator[Finding]:
    element, lower, upper = _element(joint), limits.lower, limits.upper
    missing = [name for name in ("lower", "upper") if not _known(getattr(limits, name))]
    if missing:
        text = f"no {' and no '.join(missing)} limit, though it is {kind}"
        remedy = "give the range"
        if kind == "revolute":
            remedy += ', or make it type="continuous"'
        yield Finding("warning", "range", element, text, remedy)
    if lower is not None and upper is not None:
        if lower > upper:
            text = f"its lower limit {lower:.4g} is above its upper limit {upper:.4g}"
            yield Finding("error", "range", element, text, "exchange them")
        elif lower == upper:
            text = f"its range is one point, {lower:.4g}"
            yield Finding("warning", "range", element, text, 'widen it, or make it type="fixed"')
    widest = max((abs(x) for x in (lower, upper) if x is not None and _known(x)), default=0.0)
    if widest > WIDEST[kind]:
        text = f"its range goes to {widest:.4g}"
        yield Finding("warning", "units", element, text, f"give it in {_UNITS[kind]}")


def _mimic_findings(joint: TreeJoint, follows: AffineFollower, model: Model) -> Iterator[Finding]:
    """Yield where a follower stands still, or is driven out of its own range."""
    element = _element(joint)
    if follows.multiplier == 0.0:
        text = f"follows joint {quoted(joint.driver)} with multiplier 0: it never moves"
        yield Finding("warning", "mimic", element, text, 'correct it, or make it type="fixed"')
        return
    driver, own = model.joint(str(joint.driver)).limits, joint.limits
    if driver.lower is None or driver.upper is None:
        return
    ends = sorted(follows.multiplier * x + follows.offset for x in (driver.lower, driver.upper))
    slack = 1e-3 * max(1e-3, ends[1] - ends[0])
    low = own.lower is not None and ends[0] < own.lower - slack
    high = own.upper is not None and ends[1] > own.upper + slack
    if low or high:
        text = (
            f"joint {quoted(joint.driver)} drives it from {ends[0]:.4g} to {ends[1]:.4g},"
            " beyond its own limits"
        )
        yield Finding("warning", "mimic", element, text, "correct multiplier, offset or limits")
