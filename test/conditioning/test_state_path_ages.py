"""From message fields to what is published, continued: ages, validity, changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros import load
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import Verdict
from robodyn_ros.conditioning.state_path import MAX_PLANS, StatePath
from state_path_rig import MS, PLAIN, ROBOTS, child, frames, path_of, take

NAN = math.nan


def test_ages_are_counted_from_each_joints_own_stamp() -> None:
    """An arm at 125 Hz, a gripper at 10 Hz that then falls silent."""
    path = path_of()
    arm, gripper = path.plan.slots.names[:-1], path.plan.slots.names[-1]
    tip = path.robot.model.body_index(child(path, gripper))
    for at in range(0, 1000, 8):
        take(path, dict.fromkeys(arm, 0.001 * at), at)
        if at % 104 == 0:
            take(path, {gripper: 0.01}, at)
    valid, age = path.validity(992 * MS)
    assert valid[tip]
    assert age[tip] == pytest.approx(0.992 - 0.936)
    for at in range(1000, 2100, 8):
        take(path, dict.fromkeys(arm, 0.001 * at), at)
    valid, age = path.validity(2096 * MS)
    assert not valid[tip]
    assert age[tip] == pytest.approx(2.096 - 0.936)
    trouble = {name: (age, reason) for name, age, reason in path.troubles(2096 * MS)}
    assert trouble[gripper] == (pytest.approx(1.16), "stale: 1.2 s")
    assert trouble[arm[0]] == (0.0, "")
    path.choose(Settings(stale_after=0.0))
    assert path.validity(2096 * MS)[0][tip]
    assert all(not reason for _, _, reason in path.troubles(2096 * MS))


def test_troubles_name_what_is_wrong_with_each_joint() -> None:
    path = path_of()
    a, b, c, d, *_ = path.plan.slots.names
    assert {reason for _, _, reason in path.troubles(MS)} == {"never received"}
    for at in range(0, 200, 10):
        take(path, {a: 0.0, b: 0.0, c: 0.0}, at, velocity=[0.0, 0.0, 0.0])
    step = take(path, {a: 1.0, b: NAN, c: 0.0}, 200, velocity=[0.0, 0.0, 1e3])
    assert sorted(c.kind for c in step.complaints) == ["not finite", "outliers", "outliers"]
    reasons = {name: reason for name, _, reason in path.troubles(200 * MS)}
    assert reasons[a] == "position is an outlier"
    assert reasons[b] == "position not finite or beyond all bounds"
    assert reasons[c] == "velocity is an outlier"
    assert reasons[d] == "never received"
    take(path, {a: 0.0, b: 0.0, c: 0.0}, 210, velocity=[0.0, 0.0, 0.0])
    take(path, {d: 0.0}, 210)
    reasons = {name: reason for name, _, reason in path.troubles(210 * MS)}
    assert (reasons[a], reasons[b], reasons[c]) == ("", "", "")
    assert reasons[d] == "velocity unknown"


@pytest.mark.parametrize("publish", [True, False])
def test_the_frame_of_an_outlier_moves_if_the_operator_wants_it(publish: bool) -> None:
    path = path_of(settings=Settings(publish_outliers=publish))
    a, b = path.plan.slots.names[:2]
    for at in range(0, 200, 10):
        take(path, {a: 0.0, b: 0.0}, at, velocity=[0.0, 0.0])
    step = take(path, {a: 2.0, b: 0.0}, 200, velocity=[0.0, 0.0])
    assert step.bodies
    assert (child(path, a) in frames(path, step)) == publish
    assert child(path, b) in frames(path, step)
    valid, _ = path.validity(200 * MS)
    assert not valid[path.robot.model.body_index(child(path, a))]
    step = take(path, {a: 0.0, b: 0.0}, 210, velocity=[0.0, 0.0])
    assert len(step.frames) == 2


def test_velocity_and_acceleration_reach_the_bodies_unexchanged() -> None:
    """One joint with velocity 1 and acceleration 7: the angular ones of its body."""
    path = path_of("pendulum_upright.urdf")
    (name,) = path.plan.slots.names
    times = 0.001 * np.arange(-400, 1)
    for k, t in enumerate(times):
        take(path, {name: t + 3.5 * t * t}, k, velocity=[1.0 + 7.0 * t])
    body = path.bodies()[path.robot.model.body_index(child(path, name))]
    assert np.linalg.norm(body[10:13]) == pytest.approx(1.0)
    assert np.linalg.norm(body[16:19]) == pytest.approx(7.0, rel=1e-6)


def test_a_changed_description_publishes_no_stamp_again_and_starts_afresh() -> None:
    old = path_of()
    a, b = old.plan.slots.names[:2]
    take(old, {a: 0.1, b: 0.2}, 50)
    robot = load(ROBOTS / "skew_axes.urdf", compile="off")
    new = StatePath(robot, FramePlan(robot.model), PLAIN)
    new.replace(old)
    assert {reason for _, _, reason in new.troubles(50 * MS)} == {"never received"}
    assert take(new, {a: 0.1, b: 0.2}, 50).verdict is Verdict.REPEATED
    assert take(new, {a: 0.1, b: 0.2}, 40).verdict is Verdict.LATE
    c = new.plan.slots.names[2]
    assert len(take(new, {c: 0.1}, 50).frames) == 1
    assert len(take(new, {a: 0.1, b: 0.2}, 51).frames) == 2
    assert new.validity(51 * MS)[1].max() >= 0.0


def test_another_robot_keeps_the_stamps_of_the_joints_it_shares() -> None:
    text = (ROBOTS / "mimic_chain.urdf").read_text()
    old, other = path_of("mimic_chain.urdf"), path_of("skew_axes.urdf")
    (driver, *_) = old.plan.slots.names
    take(old, {driver: 0.1}, 50)
    robot = load(text.replace('robot name="', 'robot name="new_'), compile="off")
    new = StatePath(robot, FramePlan(robot.model), PLAIN)
    new.replace(old)
    assert take(new, {driver: 0.1}, 50).verdict is Verdict.REPEATED
    assert not set(other.plan.slots.names) & set(old.plan.slots.names)
    other.replace(old)
    assert len(take(other, {other.plan.slots.names[0]: 0.1}, 50).frames) == 1


def test_what_is_known_of_shapes_of_messages_is_bounded() -> None:
    path = path_of()
    a = path.plan.slots.names[0]
    for k in range(3 * MAX_PLANS):
        take(path, {f"n{k}": 0.0, a: 0.1}, k)
    assert len(path._plans) <= MAX_PLANS
    shape = [a], [0.1], (), ()
    assert path.input_plan("key", [a], 1, 0, 0) is path.input_plan("key", [a], 1, 0, 0)
    assert len(path.take(*shape, 10**9).frames) == 1


def test_a_joint_stamped_far_ahead_of_the_others_is_not_valid_and_told() -> None:
    path = path_of("mimic_chain.urdf")
    first, *others = path.plan.slots.names
    for at in range(0, 50, 10):
        take(path, {first: 0.1}, at + 60_000)
    for at in range(0, 50, 10):
        take(path, dict.fromkeys(others, 0.1), at)
    body = path.robot.model.body_index(child(path, first))
    assert not path.validity(40 * MS)[0][body]
    reasons = {name: reason for name, _, reason in path.troubles(40 * MS)}
    assert "ahead" in reasons[first]
    assert path.validity(60_040 * MS)[0][body]
