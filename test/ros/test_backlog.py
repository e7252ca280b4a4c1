"""What is published of messages that piled up."""

from __future__ import annotations

from robodyn_ros.ros.backlog import LIMIT, to_publish

ARM, GRIPPER = ["a", "b"], ["finger"]


def test_a_few_are_all_published() -> None:
    assert to_publish([ARM] * LIMIT) == [True] * LIMIT
    assert to_publish([]) == []


def test_of_many_the_newest_is() -> None:
    shown = to_publish([ARM] * 40)
    assert shown.count(True) == 1
    assert shown[-1]


def test_an_arm_does_not_push_out_its_gripper() -> None:
    shown = to_publish([ARM, GRIPPER, ARM, GRIPPER, *[ARM] * 20])
    assert [place for place, show in enumerate(shown) if show] == [3, 23]
