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
#: rad and m: ranges beyond them are likely to be degrees and millimetres. A screw may turn often.
WIDEST = {"turn": 30.0, "slide": 20.0}
_UNITS = {"turn": "rad, not in degrees", "slide": "m, not in mm"}
#: m/rad: a smaller pitch is rounding.
_NO_PITCH = 1e-9


def joint_findings(model: Model) -> Iterator[Finding]:
    """Yield what is wrong with the limits, friction and mimics of the model's joints."""
    for _, joint in model.moving:
        if joint.joint.nv == 0:
            continue
        yield from _friction_findings(joint)
        yield from _limit_findings(joint, led=_is_led(model, joint))
        if isinstance(joint.coordinates, AffineFollower):
            yield from _mimic_findings(joint, joint.coordinates, model)


def _is_led(model: Model, joint: TreeJoint) -> bool:
    """Return whether constraints move a joint, or it is a control element and so no joint at all.

    It needs neither the limits of a motor nor a range of its own.
    """
    if joint.joint.type_name == "control":
        return True
    if not model.is_closed or joint.is_follower:
        return False
    partition = model.closure.partition
    independent = partition.independent if partition is not None else ()
    return joint.v_index not in (model.closure.actuated or independent)


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


def _limit_findings(joint: TreeJoint, *, led: bool) -> Iterator[Finding]:
    """Yield what is missing in, or wrong with, the limits of a joint, which others may lead."""
    for axis, limits in zip(joint.joint.axes or ("",), joint.rate_limits, strict=True):
        yield from _order_findings(joint, limits, f" of {quoted(axis)}" if axis else "")
    if joint.joint.nv > 1:
        return
    yield from _range_findings(joint, led=led or joint.is_follower)
    if led or joint.is_follower:
        return
    missing = [name for name in ("velocity", "effort") if not _strong(getattr(joint.limits, name))]
    if missing:
        text = f"no {' and no '.join(missing)} limit (absent, not positive or endless)"
        keys = ", ".join(f"{name}_limit" for name in missing)
        remedy = (
            f"give {'it' if len(missing) == 1 else 'them'}, from the data sheet (in a URDF"
            f" <limit {' '.join(missing)}>, in a mechanism file {keys})"
        )
        yield Finding("warning", "limits", _element(joint), text, remedy)


def _strong(value: float | None) -> bool:
    """Return whether a velocity or effort limit says something; forces of 1e6 N exist."""
    return value is not None and 0.0 < value < math.inf


def _order_findings(joint: TreeJoint, limits: JointLimits, of_rate: str) -> Iterator[Finding]:
    """Yield a range that is empty or a point; `of_rate` says of which of several."""
    lower, upper = limits.lower, limits.upper
    if lower is None or upper is None:
        return
    if lower > upper:
        text = f"its lower limit{of_rate} {lower:.4g} is above its upper limit {upper:.4g}"
        yield Finding("error", "range", _element(joint), text, "exchange them")
    elif lower == upper:
        text = f"its range{of_rate} is one point, {lower:.4g}"
        remedy = "widen it, or make it fixed" if not of_rate else "widen it, or leave the axis out"
        yield Finding("warning", "range", _element(joint), text, remedy)


def _range_findings(joint: TreeJoint, *, led: bool) -> Iterator[Finding]:
    """Yield the missing ends, and the doubtful unit, of the range of a joint of one rate."""
    element, limits, motion = _element(joint), joint.limits, _motion(joint)
    kind = joint.joint.type_name
    missing = [name for name in ("lower", "upper") if not _known(getattr(limits, name))]
    # All that slides comes to an end; of what only turns, it is a revolute joint that says so. A
    # joint that is led moves as far as others let it.
    if missing and not led and (motion != "turn" or kind == "revolute"):
        text = f"no {' and no '.join(missing)} limit, though it is {kind}"
        remedy = "give the range" + ", or make it continuous" * (kind == "revolute")
        yield Finding("warning", "range", element, text, remedy)
    ends = (limits.lower, limits.upper)
    widest = max((abs(x) for x in ends if x is not None and _known(x)), default=0.0)
    if motion in WIDEST and widest > WIDEST[motion]:
        text = f"its range goes to {widest:.4g}"
        yield Finding("warning", "units", element, text, f"give it in {_UNITS[motion]}")


def _motion(joint: TreeJoint) -> str:
    """Return "turn", "slide" or "screw" of a joint of one rate."""
    if joint.joint.turning() == (False,):
        return "slide"
    screw = joint.joint.motion_subspace(joint.joint.neutral())[:, 0]
    return "screw" if abs(screw[:3] @ screw[3:]) > _NO_PITCH else "turn"


def _mimic_findings(joint: TreeJoint, follows: AffineFollower, model: Model) -> Iterator[Finding]:
    """Yield where a follower stands still, or is driven out of its own range."""
    element = _element(joint)
    if follows.multiplier == 0.0:
        text = f"follows joint {quoted(joint.driver)} with multiplier 0: it never moves"
        yield Finding("warning", "mimic", element, text, "correct it, or make it fixed")
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
