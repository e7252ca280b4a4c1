"""Body motion of every real robot against Pinocchio's, at random states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from differentiation import error
from pinocchio_oracle import pinocchio_motion
from robodyn_ros.algorithms import body_motion
from robots import loaded, own_urdfs, random_state, usable_urdfs

#: Norm-wise accuracy against independent oracles.
TOLERANCE = 1e-10

#: What Pinocchio builds differently from what URDF says, with the reason.
NOT_THE_SAME_JOINTS = {
    "planar": "Pinocchio ignores a planar joint's axis and keeps its velocity in the child's axes",
}


def _comparable(path: Path) -> bool:
    model = loaded(path)
    kinds = {joint.joint.type_name for _, joint in model.moving}
    return not kinds & set(NOT_THE_SAME_JOINTS)


USABLE = usable_urdfs()
COMPARED = USABLE + [path for path in own_urdfs() if _comparable(path)]


def test_no_real_robot_is_excluded() -> None:
    assert len(USABLE) == 67
    assert all(_comparable(path) for path in USABLE)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", COMPARED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_motion_equals_pinocchios(path: Path, base: str) -> None:
    model = loaded(path, base)
    for seed in (1, 2):
        q, v, a = random_state(model, seed)
        ours = body_motion(model, q, v, a)
        theirs = pinocchio_motion(path, model, q, v, a)
        for name in ours._fields:
            found = error(getattr(ours, name), getattr(theirs, name))
            assert found < TOLERANCE, f"{name} of {path.name} is off by {found:.2e}"
    assert np.isfinite(ours.position).all()
