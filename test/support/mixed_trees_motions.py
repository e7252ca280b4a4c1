"""Joints as stacks of elementary motions, of which Pinocchio and MuJoCo have joints of their own.

A stack says what an oracle has to be built from; the joint's own formulas take no part in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.joints import DhElement, DhHelical, Helical, Joint, Placed, Planar
from robodyn_ros.joints.general import GeneralJoint
from robodyn_ros.spatial import rotation_from_rpy

Axis = tuple[float, ...]
Pose = tuple[np.ndarray, np.ndarray]


class Motion(NamedTuple):
    """One of a stack's motions, from the predecessor outwards.

    Attributes:
        kind: "turn" and "slide" (along `axis`, by one number), "screw" (a turn that slides by
            `pitch`), "ball" (a quaternion xyzw, or a rotation vector; omega in its own axes
            afterwards), "free" (position and quaternion; twist in its own axes afterwards) and
            "six_dof" (its linear rates in the axes before it, and first).
        q: numbers of the joint's coordinates that it takes.
        v: numbers of the joint's rates that it takes.
        axis: unit vector, in the axes that the motions before it have made.
        pitch: of a screw, m/rad.
    """

    kind: str
    q: tuple[int, ...]
    v: tuple[int, ...]
    axis: Axis = ()
    pitch: float = 0.0


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


NOWHERE: Pose = (np.eye(3), np.zeros(3))
_X = (1.0, 0.0, 0.0)


def stack_of(joint: Joint) -> Stack:
    """Return what a joint consists of; one that is turned round is a ValueError."""
    if isinstance(joint, Placed):
        return stack_of(joint.inner)._replace(placed=(joint.R_CM, joint.p_CM))
    if isinstance(joint, DhElement):
        return Stack(_dh_home(joint), _along_x(joint), NOWHERE)
    return Stack(NOWHERE, _motions(joint), NOWHERE)


def _motions(joint: Joint) -> tuple[Motion, ...]:
    """Return the motions of a joint that is where its predecessor frame is."""
    if isinstance(joint, GeneralJoint):
        return _general(joint)
    if isinstance(joint, Planar):
        x, y = _plane(joint.axis)
        turn = Motion("turn", (2,), (2,), joint.axis)
        return Motion("slide", (0,), (0,), x), Motion("slide", (1,), (1,), y), turn
    if joint.type_name in _AXES:
        kinds = _AXES[joint.type_name]
        pitch = joint.pitch if isinstance(joint, Helical) else 0.0
        axis = joint.axis
        return tuple(Motion(kind, (k,), (k,), axis, pitch) for k, kind in enumerate(kinds))
    kinds, nq, nv = _WHOLE[joint.type_name]
    return tuple(Motion(kind, tuple(range(nq)), tuple(range(nv))) for kind in kinds)


#: Motions of the types with one axis, each taking a coordinate of its own.
_AXES = {
    "revolute": ("turn",),
    "continuous": ("turn",),
    "prismatic": ("slide",),
    "helical": ("screw",),
    "cylindrical": ("turn", "slide"),
}
#: Motions of types that are one as a whole, and their numbers of coordinates and rates.
_WHOLE = {
    "fixed": ((), 0, 0),
    "global": (("ball",), 3, 3),
    "floating": (("free",), 7, 6),
    "six_dof": (("six_dof",), 7, 6),
}


def _general(joint: GeneralJoint) -> tuple[Motion, ...]:
    """Return inner sliders, turns, then outer sliders, which go against their axes."""
    count = len(joint.inner)

    def slide(k: int, axis: Axis) -> Motion:
        return Motion("slide", (joint.turn_nq + k,), (joint.turn_nv + k,), axis)

    inner = [slide(k, axis) for k, axis in enumerate(joint.inner)]
    outer = [slide(count + k, tuple(-x for x in axis)) for k, axis in enumerate(joint.outer)]
    match joint.type_name:
        case "spherical":
            turns = [Motion("ball", (0, 1, 2, 3), (0, 1, 2))]
        case "universal":
            axes = (joint.first_axis, joint.second_axis)
            turns = [Motion("turn", (k,), (k,), axis) for k, axis in enumerate(axes)]
        case "gimbal":
            axes = tuple(tuple(np.eye(3)[int(digit) - 1]) for digit in joint.sequence)
            turns = [Motion("turn", (k,), (k,), axis) for k, axis in enumerate(axes)]
        case _:
            turns = []
    return (*inner, *turns, *outer)


def _plane(axis: Axis) -> tuple[Axis, Axis]:
    """Return x and y, turned by the smallest rotation that takes z onto the axis; at -z about x."""
    n = np.array(axis)
    turning = np.array([-n[1], n[0], 0.0])
    sine = np.hypot(n[0], n[1])
    if sine == 0.0:
        turn = np.diag([1.0, np.sign(n[2]), np.sign(n[2])])
    else:
        k = turning / sine
        K = np.array([[0.0, -k[2], k[1]], [k[2], 0.0, -k[0]], [-k[1], k[0], 0.0]])
        turn = np.eye(3) + sine * K + (1.0 - n[2]) * K @ K
    return tuple(turn[:, 0]), tuple(turn[:, 1])


def _dh_home(joint: DhElement) -> Pose:
    """Return Trans_y(a) Rot_y(alpha) Trans_x(s) Rot_x(theta)."""
    tilt, spin = (rotation_from_rpy(rpy) for rpy in ((0, joint.alpha, 0), (joint.theta, 0, 0)))
    return tilt @ spin, np.array([0.0, joint.a, 0.0]) + tilt[:, 0] * joint.s


def _along_x(joint: DhElement) -> tuple[Motion, ...]:
    """Return what the free ones of an element's four numbers do."""
    kinds = _AXES[_OF_ELEMENTS[joint.type_name]]
    pitch = joint.pitch if isinstance(joint, DhHelical) else 0.0
    return tuple(Motion(kind, (k,), (k,), _X, pitch) for k, kind in enumerate(kinds))


_OF_ELEMENTS = {
    "dh_revolute": "revolute",
    "dh_prismatic": "prismatic",
    "dh_cylindrical": "cylindrical",
    "dh_helical": "helical",
}
