"""What drivers report as effort, in N m or N.

sensor_msgs/JointState defines efforts in N m and N; many drivers report motor currents all the
same. A joint's unit and gain say what its numbers are; where that is not known they are refused.
A joint with several coordinates may have them for all at once and for each: the single one wins.
"""

from __future__ import annotations

from typing import NamedTuple

from robodyn_ros.model import TreeJoint

NEWTON_METRE, NEWTON, AMPERE, UNKNOWN = "Nm", "N", "A", "unknown"
UNITS = (NEWTON_METRE, NEWTON, AMPERE, UNKNOWN)
DEFAULT = "default"
"""The unit of a coordinate that has none of its own, and of a joint that has none for them all."""


class Report(NamedTuple):
    """What an operator says of reported efforts: one of `UNITS` or `DEFAULT`, and a gain or 0."""

    unit: str = DEFAULT
    gain: float = 0.0


def si_unit(joint: TreeJoint, rate: int = 0) -> str:
    """Return the SI unit of the effort of one of a joint's coordinates."""
    return NEWTON_METRE if joint.joint.turning()[rate] else NEWTON


def conversion(
    joint: TreeJoint, rate: int, own: Report, whole: Report | None = None
) -> tuple[float, str]:
    """Return the factor from reported efforts to N m or N, and why there is none ("").

    A coordinate with a unit of its own does not take the joint's gain, which is for another unit.

    Args:
        joint: The joint.
        rate: Which of its coordinates.
        own: What is said of this coordinate.
        whole: What is said of the joint, if that has several.
    """
    unit, gain, source = own.unit, own.gain, coordinate_name(joint, rate)
    wanted = si_unit(joint, rate)
    if unit == DEFAULT and whole is not None:
        unit, gain = whole.unit, gain or whole.gain
        if unit == UNKNOWN or (unit == AMPERE and gain == 0.0):
            source = joint.name
    if unit == DEFAULT:
        unit = wanted
    if unit == UNKNOWN:
        return 0.0, f"unit unknown: set joints.{source}.effort_unit"
    if unit == AMPERE and gain == 0.0:
        return 0.0, f"reported in A: set joints.{source}.effort_gain"
    if unit not in (AMPERE, wanted):
        if joint.joint.axes:
            told = f"unit {unit} does not go with this coordinate, which has {wanted}"
            return 0.0, f"{told}: set joints.{source}.effort_unit"
        return 0.0, f"unit {unit} does not go with its kind of joint, which has {wanted}"
    return gain or 1.0, ""


def coordinate_name(joint: TreeJoint, rate: int) -> str:
    """Return the name of one of a joint's coordinates, which its parameters go by."""
    return f"{joint.name}/{joint.joint.axes[rate]}" if joint.joint.axes else joint.name
