"""What efforts look like: which hints are left out where something is identified."""

from __future__ import annotations

import numpy as np

from robodyn_ros.analysis.effort_hints import EffortHints

RNG = np.random.default_rng(0)
EFFORT, GRAVITY = RNG.normal(size=(2, 200, 2))


def hints(measured: np.ndarray, **options: float) -> list[str]:
    found = EffortHints(("a", "b"))
    for part in np.split(np.arange(200), 4):
        found.add(measured[part], EFFORT[part], measured[part] - EFFORT[part], GRAVITY[part])
    return list(found.hints(**options))


def test_small_multiples_may_be_friction() -> None:
    assert "multiple of the model's: 'a' (1.3)" in hints(1.3 * EFFORT)[0]
    assert hints(1.3 * EFFORT, most_gain=2.0) == []
    assert "'a' (-1.3)" in hints(-1.3 * EFFORT, most_gain=2.0)[0]
    assert "'a' (0.05)" in hints(0.05 * EFFORT, most_gain=2.0)[0]


def test_friction_is_no_multiple() -> None:
    assert hints(EFFORT + 0.2 * np.sign(RNG.normal(size=EFFORT.shape))) == []


def test_another_weight_is_what_is_looked_for() -> None:
    assert "another weight: 'a' (+40 %)" in hints(EFFORT + 0.4 * GRAVITY)[0]
    assert hints(EFFORT + 0.4 * GRAVITY, weighs=False) == []


def test_a_driver_that_holds_the_weight_is_told_always() -> None:
    assert "driver held the weight itself" in hints(EFFORT - GRAVITY, weighs=False)[0]


def test_unknown_efforts_say_nothing() -> None:
    assert hints(np.full_like(EFFORT, np.nan)) == []
