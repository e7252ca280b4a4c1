"""Joints as products of exponentials: one motion of a screw after another.

T(q) = exp(S_1 q_1) exp(S_2 q_2) ... T(0), with constant screws S_k in F's frame, for every joint
whose rates are derivatives of its coordinates and that has no singular attitude of its own: all
but ball joints and free motion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.placed import Placed
from robodyn_ros.joints.reversed import Reversed
from robodyn_ros.joints.successive import SuccessiveJoint
from robodyn_ros.spatial import apply_adjoint
from robodyn_ros.spatial.poses import Pose

Floats = NDArray[np.float64]


class Exponentials(NamedTuple):
    """A joint's motions from the predecessor outwards.

    Attributes:
        order: number of each motion's rate.
        screws: (6,) of each, angular first, in F's frame.
        home: pose of M in F at q = 0.
    """

    order: tuple[int, ...]
    screws: tuple[Floats, ...]
    home: Pose


def screw_order(joint: Joint) -> tuple[int, ...] | None:
    """Return the joint's rates from the predecessor outwards; None where it is no product."""
    if isinstance(joint, Placed):
        return screw_order(joint.inner)
    if isinstance(joint, Reversed):
        order = screw_order(joint.inner)
        return None if order is None else order[::-1]
    if joint.nq != joint.nv or joint.type_name in ("global", "user_defined"):
        return None
    if isinstance(joint, SuccessiveJoint):
        stages = joint.stages
        return tuple(sorted(range(joint.nv), key=lambda rate: stages[rate]))
    if joint.nv <= 1 or joint.type_name in ("cylindrical", "dh_cylindrical", "planar"):
        return tuple(range(joint.nv))
    return None


def exponentials(joint: Joint) -> Exponentials | None:
    """Return the joint as a product of exponentials; None where it is none."""
    order = screw_order(joint)
    if order is None:
        return None
    start = np.zeros(joint.nq)
    home = joint.pose(start)
    S = joint.motion_subspace(start)
    screws = tuple(np.asarray(apply_adjoint(home, S[:, rate]), float) for rate in order)
    return Exponentials(order, screws, home)
