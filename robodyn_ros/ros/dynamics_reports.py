"""What a node reports of its dynamics: surroundings, and efforts that were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import counted
from robodyn_ros.conditioning.joint_efforts import NO_EFFORT
from robodyn_ros.errors import quoted
from robodyn_ros.model import Payload
from robodyn_ros.ros.reports import MAX_ROWS, Level, Report, listed

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Surroundings:
    """What is known of a robot's surroundings.

    Attributes:
        source: Where gravity comes from.
        gravity: (3,) world axes, m/s^2.
        age: Of gravity, s; negative and infinite where it does not age.
        trouble: Why gravity is not known, "" where it is.
        payloads: What the robot carries.
        compensated: Whether its driver compensates gravity.
        kernel: State of the compiled function behind efforts, "" where nobody asked for them yet.
    """

    source: str
    gravity: Floats
    age: float
    trouble: str
    payloads: Sequence[Payload]
    compensated: bool
    kernel: str


def dynamics_report(known: Surroundings) -> Report:
    """Report on gravity and payloads."""
    x, y, z = known.gravity.tolist()
    values = {
        "gravity source": known.source,
        "gravity": f"{x:.4f}, {y:.4f}, {z:.4f} m/s^2 in world axes",
    }
    if isfinite(known.age):
        values["gravity age"] = f"{known.age:.3f} s"
    values["driver compensates gravity"] = str(known.compensated).lower()
    values["payloads"] = str(len(known.payloads))
    for load in islice(known.payloads, MAX_ROWS):
        values[f"payload {quoted(load.name)}"] = f"{load.mass:.4g} kg on {quoted(load.frame)}"
    values["kernel dynamics_step"] = known.kernel or "not asked for"
    if known.trouble:
        return Report("dynamics", Level.WARN, known.trouble, values=values)
    total = sum(load.mass for load in known.payloads)
    text = f"gravity known; {counted(len(known.payloads), 'payload')}, {total:.4g} kg"
    return Report("dynamics", Level.OK, text, values=values)


def measured_report(joints: int, reasons: Mapping[str, str] | None) -> Report:
    """Report on the efforts of joint states.

    Args:
        joints: Number of joints that could have some.
        reasons: Why the efforts of joints are not used, by name; None while nobody listens.
    """
    name = "measured efforts"
    if reasons is None:
        return Report(name, Level.OK, "not looked at: nobody listens to ~/joint_dynamics")
    values = {"joints": str(joints), "joints without": str(len(reasons))}
    values |= {f"joint {quoted(x)}": why for x, why in islice(reasons.items(), MAX_ROWS)}
    if not reasons:
        return Report(name, Level.OK, "all compared with computed ones", values=values)
    silent = sum(why == NO_EFFORT for why in reasons.values())
    if silent == joints:
        # A driver that has no efforts is nothing unusual.
        return Report(name, Level.OK, NO_EFFORT, values=values)
    named = listed([f"{quoted(x)} ({why})" for x, why in islice(reasons.items(), 9)], len(reasons))
    text = f"{len(reasons)} of {counted(joints, 'joint')} without a residual: {named}"
    return Report(name, Level.WARN, text, values=values)
