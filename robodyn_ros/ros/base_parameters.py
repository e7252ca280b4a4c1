"""The parameters that say whether the base moves, and what tells how: one row each."""

from __future__ import annotations

from typing import get_args

from robodyn_ros.conditioning.base_state import INPUTS
from robodyn_ros.conditioning.pose_inputs import DESCRIPTION, FILE
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model.builder import Base
from robodyn_ros.ros.parameter_specs import Spec

DESCRIBED = "described"
FIRST = "first_message"

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
        " odometry_and_imu, description (a prescribed base moves as base_motion of the mechanism"
        " file says, at rest where it says nothing), or file (it moves as base_motion_file says).",
        default="none",
        choices=(*INPUTS, DESCRIPTION, FILE),
        read_only=True,
    ),
    Spec(
        "base_motion_file",
        str,
        "Path of a .csv or .yaml file with the motion of a prescribed base, for base_input file:"
        " times and poses, and velocities and accelerations where wanted.",
        default="",
        read_only=True,
    ),
    Spec(
        "base_motion_start",
        str,
        "When that motion is played: first_message, from its first row on as the first joint state"
        " comes; stamp, its times being the stamps of joint states.",
        default=FIRST,
        choices=(FIRST, "stamp"),
        read_only=True,
    ),
    Spec(
        "base_motion_loop",
        bool,
        "Whether that motion begins again where it ends; else the base rests there.",
        default=False,
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
