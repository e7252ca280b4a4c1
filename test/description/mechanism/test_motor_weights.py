"""Motors that share the work of a closed mechanism: what each one's effort costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.errors import DescriptionError

FOUR_BAR = Path(__file__).parents[3] / "examples" / "four_bar.yaml"


def text(motors: str) -> str:
    given = FOUR_BAR.read_text(encoding="utf-8")
    return given.replace("actuated: [motor]", motors)


@pytest.mark.parametrize("weight", [0.25, 1.0, 9.0])
def test_shared_work_costs_least(weight: float) -> None:
    alone = rd.load(text("actuated: [motor]"), compile="off")
    both = rd.load(
        text(f"actuated: [motor, pivot]\nmotor_weights: {{pivot: {weight}}}\nindependent: [motor]"),
        compile="off",
    )
    q, _ = alone.initial_state
    motion = alone.complete(q, [1.0, 0, 0, 0], [2.0, 0, 0, 0])
    needed = alone.inverse_dynamics(q, motion.v, motion.a)[0]
    shared = both.inverse_dynamics(q, motion.v, motion.a)
    names = both.model.coordinate_names
    motor, pivot = names.index("motor"), names.index("pivot")
    ratio = motion.v[pivot] / motion.v[motor]
    # least motor^2 + weight pivot^2 with motor + ratio pivot = needed
    expected = needed / (weight + ratio**2) * np.array([weight, ratio])
    assert shared[[motor, pivot]] == pytest.approx(expected, rel=1e-12)
    assert np.count_nonzero(shared) == 2


@pytest.mark.parametrize(
    ("motors", "expected"),
    [
        ("actuated: [motor]\nmotor_weights: {pivot: 2}", "'pivot' is not actuated"),
        ("actuated: [motor]\nmotor_weights: {motor: 0}", "motor_weights/motor"),
        ("actuated: [motor]\nmotor_weights: {motor: heavy}", "motor_weights/motor"),
        ("actuated: [motor]\nmotor_weights: [2]", "motor_weights"),
    ],
)
def test_bad_weights_are_named(motors: str, expected: str) -> None:
    with pytest.raises(DescriptionError, match=expected):
        rd.load(text(motors), compile="off")
