"""Dynamics of every real robot that MuJoCo can represent against MuJoCo's, at random states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dynamics_oracle import our_dynamics, random_states, worst
from mujoco_oracle import MASSLESS, NOT_POSITIVE, TRIANGLE, built, mujoco_dynamics, reasons_against
from robots import loaded, usable_urdfs

#: Norm-wise accuracy against independent oracles.
TOLERANCE = 1e-10
STATES = 100

USABLE = usable_urdfs()
EXCLUDED = [path for path in USABLE if reasons_against(loaded(path))]
COMPARED = [path for path in USABLE if path not in EXCLUDED]


def name_of(path: Path) -> str:
    return f"{path.parts[-3]}-{path.stem}"


def test_most_real_robots_are_compared() -> None:
    assert len(USABLE) == 67
    assert len(COMPARED) == 47


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", EXCLUDED, ids=name_of)
def test_mujoco_itself_refuses_what_is_excluded(path: Path, base: str) -> None:
    reasons = reasons_against(loaded(path, base))
    assert reasons <= {MASSLESS, NOT_POSITIVE, TRIANGLE}
    with pytest.raises(ValueError, match="Error") as refusal:
        built(path, base)
    assert any(reason in str(refusal.value) for reason in reasons), str(refusal.value)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", COMPARED, ids=name_of)
def test_dynamics_equal_mujocos(path: Path, base: str) -> None:
    model = loaded(path, base)
    state = random_states(model, STATES)
    ours, theirs = our_dynamics(model, *state), mujoco_dynamics(path, model, *state)
    for name in ours._fields:
        found = worst(getattr(ours, name), getattr(theirs, name))
        assert found < TOLERANCE, f"{name} of {path.name} is off by {found:.2e}"
    assert all(np.isfinite(x).all() for x in ours)
