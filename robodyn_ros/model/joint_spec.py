"""From what a builder is given of a joint to its checked specification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.checks import finite, placed, rotation_matrix
from robodyn_ros.model.rates import initial_values, limits_of_rates, parameters_of_rates
from robodyn_ros.model.tree import JointSpec, labelled

if TYPE_CHECKING:
    from typing_extensions import Unpack


class JointProperties(TypedDict, total=False):
    """What a joint may be given besides its kind and links; see `ModelBuilder.add_joint`."""

    position: ArrayLike
    rotation: ArrayLike | None
    child_position: ArrayLike
    child_rotation: ArrayLike | None
    limits: JointLimits | Sequence[JointLimits] | None
    damping: ArrayLike
    friction: ArrayLike
    armature: ArrayLike
    initial: ArrayLike | None
    initial_velocity: ArrayLike | None
    where: str


def joint_spec(
    name: str, joint: Joint, parent: str, child: str, **given: Unpack[JointProperties]
) -> JointSpec:
    """Return the specification of a joint, its values checked.

    Raises:
        DescriptionError: a value that cannot be used; the text names the joint.
        ArgumentError: `joint` is none.
    """
    where = given.get("where", "")
    label = labelled(name, where)
    if not isinstance(joint, Joint):
        raise ArgumentError(f"joint {label} must be a joint such as Fixed(), got {joint!r}")
    what = f"joint {label}"
    child_position = given.get("child_position", (0.0, 0.0, 0.0))
    joint = placed(what, joint, child_position, given.get("child_rotation"))
    parameters = parameters_of_rates(
        what,
        joint.nv,
        armature=given.get("armature", 0.0),
        damping=given.get("damping", 0.0),
        friction=given.get("friction", 0.0),
    )
    limits = limits_of_rates(what, given.get("limits"), joint.nv)
    try:
        joint.check(limits)
    except ArgumentError as error:
        raise DescriptionError(f"{what}: {error}") from None
    return JointSpec(
        name,
        joint,
        parent,
        child,
        finite(f"the position of joint {label}", given.get("position", (0.0, 0.0, 0.0)), (3,)),
        rotation_matrix(f"the rotation of joint {label}", given.get("rotation")),
        limits,
        parameters,
        *initial_values(what, joint, given.get("initial"), given.get("initial_velocity")),
        where,
    )
