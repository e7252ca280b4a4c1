"""Where the numbers of a message go: any order, wrong lengths, parts."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.input_plan import InputPlan, input_plan
from robodyn_ros.conditioning.joint_layout import JointSlots

SLOTS = JointSlots(["a", "b", "c"], silent=["follower"])


def plan_of(names: list[str], positions: int, velocities: int, efforts: int = 0) -> InputPlan:
    return input_plan(SLOTS, names, positions, velocities, efforts)


def test_numbers_go_to_the_slots_of_their_names() -> None:
    plan = plan_of(["c", "x", "a"], 3, 3)
    samples = plan.fill([3.0, 9.0, 1.0, 0.3, 0.9, 0.1])
    assert samples.tolist() == [[1.0, 0.0, 3.0], [0.1, 0.0, 0.3], [1, 0, 1], [1, 0, 1]]


def test_the_last_of_repeated_names_counts() -> None:
    assert plan_of(["a", "b", "a"], 3, 0).fill([1.0, 2.0, 5.0])[0].tolist() == [5.0, 2.0, 0.0]


def test_efforts_behind_the_velocities_are_passed_over() -> None:
    plan = plan_of(["b"], 1, 1, 1)
    assert plan.fill([1.0, 2.0, 77.0])[:2].tolist() == [[0, 1.0, 0], [0, 2.0, 0]]


def test_velocities_without_positions_begin_at_the_first_number() -> None:
    plan = plan_of(["b", "a"], 0, 2)
    assert (plan.has_position, plan.has_velocity) == (False, True)
    samples = plan.fill([2.0, 1.0])
    assert samples[1].tolist() == [1.0, 2.0, 0.0]
    assert samples[2].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("positions", [0, 1, 3])
@pytest.mark.parametrize("velocities", [0, 1, 2, 3])
def test_arrays_of_another_length_than_the_names_are_not_used(positions, velocities) -> None:
    plan = plan_of(["b", "a"], positions, velocities, 1)
    samples = plan.fill(np.arange(float(positions + velocities + 1)))
    assert not samples[2].any()
    assert samples[3].any() == (velocities == 2)
    if velocities == 2:
        assert samples[1].tolist() == [positions + 1.0, float(positions), 0.0]
    assert plan.is_empty == (velocities != 2)
    told = [c.about for c in plan.complaints]
    wrong = [("position", positions), ("velocity", velocities), ("effort", 1)]
    assert told == [name for name, count in wrong if count not in {0, 2}]
    for complaint in plan.complaints:
        assert "for 2 names" in complaint.text


@pytest.mark.parametrize("names", [[], ["x"], ["follower"], ["", "é"]])
def test_a_message_about_no_joint_is_empty(names: list[str]) -> None:
    assert plan_of(names, len(names), len(names)).is_empty


def test_numbers_without_names_are_told() -> None:
    (complaint,) = plan_of([], 2, 0).complaints
    assert "position has 2 entries for 0 names" in complaint.text


def test_of_a_message_only_some_slots_may_be_given() -> None:
    plan = plan_of(["a", "b", "c"], 3, 3)
    samples = plan.fill([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    kept = plan.only(samples, np.array([1]))
    assert kept[2:].tolist() == [[0, 1, 0], [0, 1, 0]]
    assert kept[:2].tolist() == samples[:2].tolist()
    assert plan.fill(np.zeros(6))[2:].all()


def test_a_robot_without_joints_takes_any_message() -> None:
    plan = input_plan(JointSlots([]), ["a", "b"], 2, 2, 2)
    assert plan.fill([1.0, 2.0, 0.1, 0.2, 3.0, 4.0]).shape == (4, 0)
