"""Elements that mean nothing in a position: it is said which, and why."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.errors import ClosureError, DescriptionError

HEAD = """mechanism: 1
bodies: {base: , a: {mass: 1, com: [0.5, 0, 0]}, b: {mass: 1, com: [0.5, 0, 0]}}
controls: {u: {initial_position: 0.3}}
joints:
  j: {type: revolute, parent: base, child: a, axis: [0, 1, 0]}
  k: {type: JOINT, parent: base, child: b, on_parent: {position: [0, 1, 0]}}
constraints:
"""


def rod(length: str) -> str:
    """Return a mechanism with a rod of that length between two swinging links."""
    ends = "body_1: a, point_1: [1, 0, 0], body_2: b, point_2: [1, 0, 0]"
    return HEAD.replace("JOINT", "spherical") + f"  c: {{type: rod, {ends}, length: '{length}'}}"


def skew(joint: str) -> str:
    """Return a mechanism whose two lines are parallel at the beginning."""
    first = "body_1: a, point_1: [0.3, 0, 0], axis_1: [0, 1, 0]"
    second = "body_2: b, axis_2: [0, 1, 0]"
    skew_axes = f"  c: {{type: skew_axes, {first}, {second}, distance: 0}}"
    return HEAD.replace("JOINT", joint) + skew_axes


@pytest.mark.parametrize(
    ("length", "value"),
    [
        ("1.2 + log(u)", 0.0),
        ("1.2 + log(u)", -1.0),
        ("1 + sqrt(u)", 0.0),
        ("1 + sqrt(u)", -0.1),
        ("0.9 + 0.1 / u", 0.0),
        ("1.2 + asin(3 * u)", 0.9),
    ],
)
def test_a_formula_without_value_is_told(length: str, value: float) -> None:
    robot = rd.load(rod(length.replace("log(u)", "log(u) / 10")), compile="off")
    with pytest.raises(ClosureError, match=rf"at u = {value:g}: rod.*'c' lacks a finite value"):
        robot.assemble(u=value)


def test_lines_that_are_parallel_at_the_beginning_are_turned() -> None:
    robot = rd.load(skew("spherical"), compile="off")
    q = robot.initial_state[0]
    assert abs(robot.constraint_residual(q)[0]) < 1e-10
    assert robot.mobility == robot.model.nv - 1
    motion = robot.body_motion(q)
    lines = [motion.rotation[robot.model.body_names.index(name)][:, 1] for name in "ab"]
    assert np.linalg.norm(np.cross(*lines)) > 1e-3


def test_lines_that_stay_parallel_are_an_error() -> None:
    with pytest.raises(
        DescriptionError, match=r"constraints/c: .*'c' lacks a distance: .*parallel"
    ):
        rd.load(skew("prismatic, axis: [1, 0, 0]"), compile="off")
