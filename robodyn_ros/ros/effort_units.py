"""What drivers report as effort, in N m or N.

sensor_msgs/JointState defines efforts in N m and N; many drivers report motor currents all the
same. A joint's unit and gain say what its numbers are; where that is not known they are refused.
"""

from __future__ import annotations

from robodyn_ros.model import TreeJoint

NEWTON_METRE, NEWTON, AMPERE, UNKNOWN = "Nm", "N", "A", "unknown"
UNITS = (NEWTON_METRE, NEWTON, AMPERE, UNKNOWN)


def si_unit(joint: TreeJoint) -> str:
    """Return the SI unit of the effort of a joint with one coordinate."""
    (turns,) = joint.joint.turning()
    return NEWTON_METRE if turns else NEWTON


def conversion(joint: TreeJoint, unit: str, gain: float) -> tuple[float, str]:
    """Return the factor from reported efforts to N m or N, and why there is none ("").

    Args:
        joint: The joint, with one coordinate.
        unit: One of `UNITS`.
        gain: Factor that the operator gave, 0 for none.
    """
    if unit == UNKNOWN:
        return 0.0, f"unit unknown: set joints.{joint.name}.effort_unit"
    if unit == AMPERE and gain == 0.0:
        return 0.0, f"reported in A: set joints.{joint.name}.effort_gain"
    wanted = si_unit(joint)
    if unit not in (AMPERE, wanted):
        return 0.0, f"unit {unit} does not go with its kind of joint, which has {wanted}"
    return gain or 1.0, ""
