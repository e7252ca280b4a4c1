"""A prescribed base that moves as described: its own transform goes with joint states."""

from __future__ import annotations

import pytest

from quay_robot import quay_arm
from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.pose_inputs import PoseInputs
from robodyn_ros.conditioning.state_path import StatePath
from state_path_rig import frames, take

JOINTS = {"turn": 0.1, "lift": 0.2}


def path_of(*, base_input: str, publish_base: bool, frequency: float = 0.0) -> StatePath:
    robot = load(quay_arm("prescribed"), compile="off")
    plan = FramePlan(robot.model, publish_base=publish_base)
    path = StatePath(robot, plan, Settings(publish_frequency=frequency))
    PoseInputs(path, base_input)
    return path


@pytest.mark.parametrize(
    ("base_input", "publish_base", "shown"),
    [("description", True, True), ("description", False, False), ("none", True, False)],
)
def test_the_described_base_is_shown_where_that_is_asked_for(
    base_input: str, publish_base: bool, shown: bool
) -> None:
    path = path_of(base_input=base_input, publish_base=publish_base)
    expected = {"arm", "hand", *(["pedestal"] if shown else [])}
    assert frames(path, take(path, JOINTS, 1)) == expected
    assert frames(path, take(path, {"lift": 0.3}, 2)) == expected - {"arm"}


def test_it_is_shown_no_more_often_than_the_joints() -> None:
    path = path_of(base_input="description", publish_base=True, frequency=100.0)
    steps = [take(path, JOINTS, at) for at in (1, 3, 5, 12)]
    counts = [len(step.frames) for step in steps]
    assert counts == [3, 0, 0, 3]
    assert [step.bodies for step in steps] == [True, False, False, True]
