"""From what a builder is given of a joint to its checked specification."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.checks import finite, placed, rotation_matrix
from robodyn_ros.model.rates import initial_values, limits_of_rates, parameters_of_rates
from robodyn_ros.model.tree import JointSpec, labelled


def joint_spec(
    name: str,
    joint: Joint,
    parent: str,
    child: str,
    *,
    position: ArrayLike = (0.0, 0.0, 0.0),
    rotation: ArrayLike | None = None,
    child_position: ArrayLike = (0.0, 0.0, 0.0),
    child_rotation: ArrayLike | None = None,
    limits: JointLimits | Sequence[JointLimits] | None = None,
    damping: ArrayLike = 0.0,
    friction: ArrayLike = 0.0,
    armature: ArrayLike = 0.0,
    initial: ArrayLike | None = None,
    initial_velocity: ArrayLike | None = None,
    where: str = "",
) -> JointSpec:
    """Return the specification of a joint, its values checked.

    Raises:
        DescriptionError: a value that cannot be used; the text names the joint.
        ArgumentError: `joint` is none.
    """
    label = labelled(name, where)
    if not isinstance(joint, Joint):
        raise ArgumentError(f"joint {label} must be a joint such as Fixed(), got {joint!r}")
    what = f"joint {label}"
    joint = placed(what, joint, child_position, child_rotation)
    parameters = parameters_of_rates(
        what,
        joint.nv,
        armature=armature,
        damping=damping,
        friction=friction,
    )
    limits = limits_of_rates(what, limits, joint.nv)
    try:
        joint.check(limits)
    except ArgumentError as error:
        raise DescriptionError(f"{what}: {error}") from None
    return JointSpec(
        name,
        joint,
        parent,
        child,
        finite(f"the position of joint {label}", position, (3,)),
        rotation_matrix(f"the rotation of joint {label}", rotation),
        limits,
        parameters,
        *initial_values(what, joint, initial, initial_velocity),
        where,
    )
