"""Armature, damping and friction of one rate of a joint with several, by `joint/axis`."""

from __future__ import annotations

import pytest

import robodyn_ros as rd

WRIST = """mechanism: 1
bodies: {base: , ball: {mass: 1}, tip: {mass: 1}}
joints:
  wrist: {type: gimbal, sequence: "123", parent: base, child: ball, armature: [1, 2, 3]}
  end: {type: revolute, parent: ball, child: tip}
"""


def test_one_rate_is_changed_and_the_others_are_left() -> None:
    robot = rd.load(WRIST, compile="off")
    q = robot.neutral()
    before = robot.mass_matrix(q)
    robot.set_joint_parameters("wrist/ry", armature=5.0)
    changed = robot.mass_matrix(q) - before
    assert changed[1, 1] == pytest.approx(3.0)
    changed[1, 1] = 0.0
    assert not changed.any()
    robot.set_joint_parameters("wrist", armature=[0.0, 0.0, 0.0])
    assert robot.mass_matrix(q)[0, 0] == pytest.approx(before[0, 0] - 1.0)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wrist/x", "no rate is called 'wrist/x'; .*did you mean 'wrist/rx'"),
        ("end/rx", "no rate is called 'end/rx'; available: end"),
        ("wrists/rx", "no joint that moves is called 'wrists/rx'"),
    ],
)
def test_a_rate_that_there_is_not_is_told(name: str, told: str) -> None:
    with pytest.raises(rd.UnknownNameError, match=told):
        rd.load(WRIST, compile="off").set_joint_parameters(name, damping=1.0)
