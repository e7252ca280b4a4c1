"""The parameters that say whether the base moves, and what tells how: one row each."""

from __future__ import annotations

from typing import get_args

from robodyn_ros.conditioning.base_state import INPUTS
from robodyn_ros.conditioning.pose_inputs import DESCRIPTION
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model.builder import Base
from robodyn_ros.ros.parameter_specs import Spec

DESCRIBED = "described"

BASE_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "base",
        str,
        "How the root link is held: fixed to the world; floating, by a joint of six coordinates"
        " floating_base; prescribed, with a motion that is given from outside; or described, as a"
        " mechanism file says, and fixed where nothing is said.",
        default=DESCRIBED,
        choices=(DESCRIBED, *get_args(Base)),
        read_only=True,
    ),
    Spec(
        "base_input",
        str,
        "What moves a base that is not fixed: none (multi_dof_joint_states may name its joint),"
        " odometry (topic odom), imu (topic imu; attitude and rates only, it stays where it is),"
        " odometry_and_imu, or description (a prescribed base moves as base_motion of the mechanism"
        " file says, at rest where it says nothing).",
        default="none",
        choices=(*INPUTS, DESCRIPTION),
        read_only=True,
    ),
)


def base_of(base: str, base_input: str) -> Base | None:
    """Return how the root link is held, None where the description says.

    Raises:
        ArgumentError: an input for a base that does not move.
    """
    require_moving(base, base_input)
    return next((known for known in get_args(Base) if known == base), None)


def require_moving(base: str, base_input: str) -> None:
    """Raise ArgumentError for an input of a base that does not move."""
    if base == "fixed" and base_input != "none":
        raise ArgumentError(
            f"base_input {base_input} needs a base that moves; set base to floating or prescribed"
        )
