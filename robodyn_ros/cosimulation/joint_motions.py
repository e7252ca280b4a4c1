"""Our joints as stacks of the motions that MuJoCo has joints for: hinge, slide and ball.

Several joints of one MuJoCo body move it one after the other, each in the axes that those before it
have made (MuJoCo's documentation, "Computation", kinematics). Planar, cylindrical, universal and
the general joints of document B are such stacks.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.joints import (
    Cylindrical,
    DhElement,
    Floating,
    Gimbal,
    Global,
    Joint,
    Placed,
    Planar,
    Prismatic,
    Revolute,
    SixDof,
    Spherical,
    Universal,
)
from robodyn_ros.joints.general import GeneralJoint
from robodyn_ros.spatial import axis_alignment
from robodyn_ros.spatial.poses import Pose

Axis = tuple[float, ...]
Kind = Literal["hinge", "slide", "ball", "free"]

_EYE = np.eye(3)
_NOWHERE: Pose = (np.eye(3), np.zeros(3))


class Motion(NamedTuple):
    """One motion of a stack.

    Attributes:
        kind: "hinge" and "slide", one number along `axis`; "ball", a quaternion xyzw or a rotation
            vector, whose rates are in its own axes; "free", position and quaternion, whose rates
            are [omega; v] in its own axes.
        q: entries among the joint's coordinates.
        v: entries among its rates.
        axis: unit vector in the axes that the motions before it have made.
    """

    kind: Kind
    q: tuple[int, ...]
    v: tuple[int, ...]
    axis: Axis = ()


class Stack(NamedTuple):
    """What a joint consists of.

    Attributes:
        home: pose of the first motion's frame in the joint's predecessor frame.
        motions: from the predecessor outwards.
        placed: pose, in the child's body frame, of the frame that the last motion moves.
    """

    home: Pose
    motions: tuple[Motion, ...]
    placed: Pose


def stack_of(name: str, joint: Joint) -> Stack:
    """Return what a joint consists of.

    Raises:
        DescriptionError: MuJoCo has nothing for it; the text names it.
    """
    if isinstance(joint, Placed):
        return stack_of(name, joint.inner)._replace(placed=(joint.R_CM, joint.p_CM))
    if isinstance(joint, DhElement):
        return Stack(joint.home, stack_of(name, joint.motion).motions, _NOWHERE)
    motions = _motions(joint)
    if motions is None:
        raise DescriptionError(
            f"joint {quoted(name)} is of type {joint.type_name}, as a {type(joint).__name__}, for"
            " which MuJoCo has no joint; run the node simulator in place of mujoco_simulator"
        )
    return Stack(_NOWHERE, motions, _NOWHERE)


_WHOLE: dict[str, tuple[Motion, ...]] = {
    "floating": (Motion("free", (0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5)),),
    "six_dof": (
        Motion("slide", (0,), (0,), (1.0, 0.0, 0.0)),
        Motion("slide", (1,), (1,), (0.0, 1.0, 0.0)),
        Motion("slide", (2,), (2,), (0.0, 0.0, 1.0)),
        Motion("ball", (3, 4, 5, 6), (3, 4, 5)),
    ),
    "global": (Motion("ball", (0, 1, 2), (0, 1, 2)),),
}
"""Of types without axes."""


def _motions(joint: Joint) -> tuple[Motion, ...] | None:
    """Return the motions of a joint that is where its predecessor frame is; None for none."""
    motions = _WHOLE.get(joint.type_name) if isinstance(joint, (Floating, SixDof, Global)) else None
    match joint:
        case GeneralJoint():
            motions = _general(joint)
        case Planar():
            plane = axis_alignment(np.array(joint.axis))
            x, y = tuple(plane[:, 0].tolist()), tuple(plane[:, 1].tolist())
            motions = (_slide(0, x), _slide(1, y), _hinge(2, joint.axis))
        case Cylindrical():
            motions = (_hinge(0, joint.axis), _slide(1, joint.axis))
        case Revolute():
            motions = (_hinge(0, joint.axis),)
        case Prismatic():
            motions = (_slide(0, joint.axis),)
    return motions


def _general(joint: GeneralJoint) -> tuple[Motion, ...]:
    """Return inner sliders, turns, then outer sliders, which go against their axes."""

    def slide(k: int, axis: Axis) -> Motion:
        return Motion("slide", (joint.turn_nq + k,), (joint.turn_nv + k,), axis)

    count = len(joint.inner)
    inner = [slide(k, axis) for k, axis in enumerate(joint.inner)]
    outer = [slide(count + k, tuple(-x for x in axis)) for k, axis in enumerate(joint.outer)]
    turns: list[Motion] = []
    match joint:
        case Spherical():
            turns = [Motion("ball", (0, 1, 2, 3), (0, 1, 2))]
        case Universal():
            turns = [_hinge(0, joint.first_axis), _hinge(1, joint.second_axis)]
        case Gimbal():
            digits = enumerate(joint.sequence)
            turns = [_hinge(k, tuple(_EYE[int(x) - 1].tolist())) for k, x in digits]
    return (*inner, *turns, *outer)


def _hinge(k: int, axis: Axis) -> Motion:
    return Motion("hinge", (k,), (k,), axis)


def _slide(k: int, axis: Axis) -> Motion:
    return Motion("slide", (k,), (k,), axis)
