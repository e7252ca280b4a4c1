"""state_publisher and numbers that no joint has: nothing that is not finite ever goes out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from publisher_setup import Setup
from ros_graph import Graph

GEARS = 10
"""Gears of 1e30 each in a row, as large as a description may have them, before a hand moves."""

LIMITS = '<limit lower="-1" upper="1" velocity="1" effort="1"/>'


def gears() -> str:
    """Return a robot whose hand leaves the floats where its drum turns by 1e9 rad."""
    text = [
        "<robot name='gears'><link name='base'/><link name='drum'/><link name='lift'/>",
        "<joint name='turn' type='continuous'><parent link='base'/><child link='drum'/></joint>",
        f"<joint name='slide' type='prismatic'><parent link='base'/><child link='lift'/>{LIMITS}",
        "</joint>",
    ]
    driver = "turn"
    for k in range(GEARS):
        text.append(
            f"<link name='hand{k}'/><joint name='gear{k}' type='prismatic'><parent link='base'/>"
            f"<child link='hand{k}'/>{LIMITS}<mimic joint='{driver}' multiplier='1e30'/></joint>"
        )
        driver = f"gear{k}"
    return "".join([*text, "</robot>"])


def numbers(message: Any) -> list[float]:
    """Return all numbers of a message."""
    if isinstance(message, (list, tuple)):
        return [number for item in message for number in numbers(item)]
    if hasattr(message, "get_fields_and_field_types"):
        return numbers([getattr(message, x) for x in message.get_fields_and_field_types()])
    return [message] if isinstance(message, float) else []


@pytest.fixture(scope="module")
def running() -> Iterator[Setup]:
    """One state publisher for all tests that need no other."""
    with closing(Graph()) as graph:
        yield Setup(graph, bodies=True)


@pytest.mark.parametrize(
    ("field", "bad"), [("position", 2e15), ("position", -1e308), ("velocity", 1e300)]
)
def test_finite_but_absurd_values_are_refused_and_named(
    running: Setup, field: str, bad: float
) -> None:
    setup = running.fresh()
    count, place = len(setup.joints), 0 if field == "velocity" else int(bad > 0.0) + 1
    first = setup.joints[place]
    others = [name for name in setup.joints if name != first]
    for k in range(3):
        position, velocity = [0.1] * count, [0.0] * count
        (position if field == "position" else velocity)[place] = bad
        setup.send(setup.joints, position, velocity, stamp=setup.time(k))
    message = setup.body_states(others, [0.1] * len(others), at=3.0)
    assert np.isfinite(numbers([*setup.tf, *setup.bodies])).all()
    assert not any(body.valid for body in message.bodies[place + 1 :])
    assert len(setup.lines(rf"WARN.*'{first}': {field} .* beyond the bound of 1e\+09")) == 1
    assert "RuntimeWarning" not in setup.process.output


def test_what_overflows_by_the_robots_own_numbers_is_not_shown(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "gear.urdf"
    path.write_text(gears())
    setup = Setup(graph, path, bodies=True)
    for k in range(5):
        values = [1e9, 0.25]
        message = setup.body_states(["turn", "slide"], values, [1.0, 0.0], at=0.01 * k)
    last = f"hand{GEARS - 1}"
    shown = set(setup.robot.model.body_names) - {"base", last}
    assert {child for _, child in setup.transforms()} == shown
    assert np.isfinite(numbers([*setup.tf, *setup.bodies])).all()
    assert [body.name for body in message.bodies if not body.valid] == [last]
    (hand,) = [body for body in message.bodies if body.name == last]
    assert hand.pose.orientation.w == 1.0
    assert math.hypot(*numbers(hand.twist), *numbers(hand.pose.position)) == 0.0
    assert len(setup.lines(f"transforms of '{last}' are not finite")) == 1
    assert "RuntimeWarning" not in setup.process.output
