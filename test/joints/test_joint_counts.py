"""Kernels of joints stay short: constants fold, so that what is not there costs nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from robodyn_ros.joints import (
    Cylindrical,
    DhRevolute,
    Gimbal,
    Global,
    Helical,
    Joint,
    SixDof,
    Spherical,
    Translational,
    Universal,
)
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace

#: Joint, and at most so many instructions of its pose, its subspace and its bias. A turn about a
#: coordinate axis is three: sine, cosine and a minus.
COUNTS: dict[str, tuple[Joint, tuple[int, int, int]]] = {
    "translational": (Translational(), (0, 0, 0)),
    "outer sliders": (Translational(outer=[(1, 0, 0), (0, 0, 1)]), (2, 0, 0)),
    "spherical": (Spherical(), (34, 0, 0)),
    "global": (Global(), (92, 0, 0)),
    "six_dof": (SixDof(), (34, 34, 58)),
    "one axis": (Gimbal("3"), (3, 0, 0)),
    "two axes": (Gimbal("23"), (10, 2, 7)),
    "three axes": (Gimbal("123"), (26, 7, 22)),
    "proper Euler angles": (Gimbal("121"), (26, 7, 23)),
    "document B's example": (Gimbal("23", outer=[(0, 0, 1)]), (14, 5, 17)),
    "universal": (Universal(), (10, 2, 7)),
    "cylindrical": (Cylindrical((0, 0, 1)), (3, 0, 0)),
    "helical": (Helical((0, 0, 1), pitch=0.1), (4, 0, 0)),
    "dh, right angle": (DhRevolute(a=0.3, alpha=0.5 * np.pi), (4, 0, 0)),
}


def count(joint: Joint, function: Callable[..., tuple[np.ndarray, ...]], *shapes) -> int:
    outputs = tuple((f"y{k}", shape) for k, shape in enumerate(shapes))

    def whole(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
        found = zip(function(q, v), shapes, strict=True)
        return tuple(np.broadcast_to(array, shape) for array, shape in found)

    signature = Signature("joint", (("q", (joint.nq,)), ("v", (joint.nv,))), outputs)
    return trace(whole, signature).instruction_count


@pytest.mark.parametrize("name", COUNTS)
def test_instructions(name: str) -> None:
    joint, most = COUNTS[name]
    pose = count(joint, lambda q, v: joint.pose(q), (3, 3), (3,))
    subspace = count(joint, lambda q, v: (joint.motion_subspace(q),), (6, joint.nv))
    bias = 0
    if joint.bias(joint.neutral(), np.zeros(joint.nv)) is not None:
        bias = count(joint, lambda q, v: (joint.bias(q, v),), (6,))
    assert max(np.subtract((pose, subspace, bias), most)) <= 0
