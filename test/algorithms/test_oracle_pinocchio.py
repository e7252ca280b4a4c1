"""Dynamics of every real robot against Pinocchio's, at random states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dynamics_oracle import our_dynamics, random_states, worst
from pinocchio_dynamics import is_the_same_for_pinocchio, pinocchio_dynamics
from robots import loaded, own_urdfs, usable_urdfs

#: Norm-wise accuracy against independent oracles.
TOLERANCE = 1e-10
STATES = 100

USABLE = usable_urdfs()
COMPARED = USABLE + [path for path in own_urdfs() if is_the_same_for_pinocchio(loaded(path))]


def test_no_real_robot_is_excluded() -> None:
    assert len(USABLE) == 67
    assert all(is_the_same_for_pinocchio(loaded(path)) for path in USABLE)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", COMPARED, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_dynamics_equal_pinocchios(path: Path, base: str) -> None:
    model = loaded(path, base)
    state = random_states(model, STATES)
    ours, theirs = our_dynamics(model, *state), pinocchio_dynamics(path, model, *state)
    for name in ours._fields:
        found = worst(getattr(ours, name), getattr(theirs, name))
        assert found < TOLERANCE, f"{name} of {path.name} is off by {found:.2e}"
    assert all(np.isfinite(x).all() for x in ours)
