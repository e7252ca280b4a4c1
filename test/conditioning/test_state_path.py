"""From message fields to what is published: the cases of joint states, without processes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.stamps import Verdict
from state_path_rig import MS, child, frames, path_of, take, texts

NAN = math.nan


def test_only_joints_of_the_message_are_published() -> None:
    path = path_of()
    a, b = path.plan.slots.names[:2]
    assert frames(path, take(path, {a: 0.1, b: 0.2}, 1)) == {child(path, a), child(path, b)}
    assert frames(path, take(path, {b: 0.3}, 2)) == {child(path, b)}


def test_followers_come_with_their_driver_and_move_with_it() -> None:
    path = path_of("mimic_chain.urdf")
    model = path.robot.model
    (driver, *_) = path.plan.slots.names
    step = take(path, {driver: 0.4}, 1)
    expected = {child(path, driver)} | {
        model.body_names[b] for b, j in model.moving if j.driver == driver
    }
    assert len(expected) >= 3
    assert frames(path, step) == expected
    q = path.robot.configuration({driver: 0.4})
    assert path.bodies()[:, :3] == pytest.approx(path.robot.body_motion(q).position, abs=1e-15)


def test_one_stamp_is_published_once() -> None:
    path = path_of()
    a = path.plan.slots.names[0]
    steps = [take(path, {a: 0.1}, 7) for _ in range(5)]
    assert [len(step.frames) for step in steps] == [1, 0, 0, 0, 0]
    assert not any(step.bodies for step in steps[1:])


def test_the_message_of_a_repeated_stamp_is_dropped_whole() -> None:
    path = path_of()
    a, b = path.plan.slots.names[:2]
    take(path, {a: 0.1}, 7)
    assert take(path, {a: 0.2}, 7).verdict is Verdict.REPEATED
    assert path.joints.shown.position[0] == 0.1
    step = take(path, {a: 0.3, b: 0.4}, 7)
    assert frames(path, step) == {child(path, b)}
    assert path.joints.shown.position[:2].tolist() == [0.1, 0.4]


def test_ignoring_timestamps_publishes_them_all() -> None:
    path = path_of(settings=Settings(ignore_timestamp=True, publish_frequency=1.0))
    a = path.plan.slots.names[0]
    steps = [take(path, {a: 0.1}, at) for at in (7, 7, 3, 9)]
    assert [len(step.frames) for step in steps] == [1, 1, 1, 1]


def test_a_reset_of_the_clock_forgets_and_resumes_at_once() -> None:
    path = path_of(settings=Settings(publish_frequency=10.0))
    a, b = path.plan.slots.names[:2]
    take(path, {a: 0.1, b: 0.2}, 100_000)
    step = take(path, {a: 0.5}, 100)
    assert step.verdict is Verdict.RESET
    assert len(step.frames) == 1
    assert texts(step)
    valid, age = path.validity(100 * MS)
    body = path.robot.model.body_index(child(path, b))
    assert (valid[body], age[body]) == (False, -1.0)


@pytest.mark.parametrize("bad", [NAN, math.inf, -math.inf, 2e15, -1e300])
def test_what_is_not_sane_is_not_published_and_marked(bad: float) -> None:
    path = path_of()
    names = path.plan.slots.names
    take(path, dict.fromkeys(names, 0.1), 1)
    take(path, dict.fromkeys(names, 0.1), 2)
    assert path.validity(2 * MS)[0].all()
    broken = names[0]
    values = dict.fromkeys(reversed(names), 0.2) | {broken: bad}
    step = take(path, values, 3)
    assert child(path, broken) not in frames(path, step)
    assert len(step.frames) == len(path.plan.children(np.arange(len(names)))) - 1
    assert any(broken in text for text in texts(step))
    valid, _ = path.validity(3 * MS)
    assert not valid[path.robot.model.body_index(child(path, broken))]
    assert np.isfinite(path.bodies()).all()


def test_a_value_beyond_the_bound_is_told_with_joint_and_bound() -> None:
    path = path_of()
    a = path.plan.slots.names[0]
    (said,) = texts(take(path, {a: 2e15}, 1))
    assert said.startswith(f"joint '{a}': position 2e+15 is beyond the bound of 1e+09 rad or m")
    (said,) = texts(take(path, {a: 0.1}, 2, velocity=[1e300]))
    assert said.startswith(f"joint '{a}': velocity 1e+300 is beyond the bound of 1e+09 rad/s")
    (said,) = texts(take(path, {a: NAN}, 3))
    assert said.startswith(f"joint '{a}': position is not finite")


@pytest.mark.parametrize(
    ("velocities", "efforts", "rejected"),
    [
        (0, 0, []),
        (2, 0, ["velocity has 2"]),
        (0, 5, ["effort has 5"]),
        (4, 1, ["velocity", "effort"]),
    ],
)
def test_arrays_of_wrong_length_are_rejected_with_their_counts(
    velocities: int, efforts: int, rejected: list[str]
) -> None:
    path = path_of()
    names = path.plan.slots.names[:3]
    values = dict.fromkeys(names, 0.1)
    step = take(path, values, 1, velocity=[1.0] * velocities, effort=[0.0] * efforts)
    assert len(step.frames) == 3
    said = texts(step)
    assert len(said) == len(rejected)
    for text, expected in zip(said, rejected, strict=True):
        assert expected in text
        assert "for 3 names" in text


@pytest.mark.parametrize("count", [1, 2, 4])
def test_positions_of_wrong_length_move_nothing(count: int) -> None:
    path = path_of()
    names = list(path.plan.slots.names[:3])
    step = path.take(names, [0.3] * count, (), (), MS)
    assert len(step.frames) == 0
    assert not step.bodies
    assert f"position has {count} entries for 3 names" in texts(step)[0]
    assert not path.joints.shown.received.any()


@pytest.mark.parametrize("position", [(), [1.0, 2.0]])
def test_nothing_named_is_nothing_done(position: list[float]) -> None:
    path = path_of()
    step = path.take([], position, (), (), MS)
    assert len(step.frames) == 0
    assert step.verdict is None


def test_names_alone_do_nothing() -> None:
    path = path_of()
    step = path.take(list(path.plan.slots.names), (), (), (), MS)
    assert len(step.frames) == 0
    assert not step.bodies
    assert not path.joints.shown.received.any()


def test_velocity_alone_gives_a_twist_and_no_pose() -> None:
    path = path_of()
    a = path.plan.slots.names[0]
    step = path.take([a], (), [1.5], (), MS)
    assert len(step.frames) == 0
    assert step.bodies
    body = path.robot.model.body_index(child(path, a))
    moved = np.linalg.norm(path.bodies()[body, 7:13])
    assert moved >= 1.5 - 1e-12
    assert not path.validity(MS)[0][body]


def test_velocities_that_come_apart_do_not_hold_positions_back() -> None:
    """Two publishers with the same stamps, one of positions and one of velocities."""
    path = path_of()
    a = path.plan.slots.names[0]
    for at in range(1, 4):
        path.take([a], (), [1.5], (), at * MS)
        assert len(take(path, {a: 0.1}, at).frames) == 1


def test_unknown_joints_are_ignored_and_known_ones_used() -> None:
    path = path_of()
    a = path.plan.slots.names[0]
    step = take(path, {"wheel": 1.0, a: 0.2, "lift": 3.0}, 1)
    assert frames(path, step) == {child(path, a)}
    assert texts(step) == []
    (debug,) = texts(step, Severity.DEBUG)
    assert "'wheel', 'lift'" in debug


def test_nothing_but_unknown_joints_is_a_warning() -> None:
    step = take(path_of(), {"wheel": 1.0, "lift": 3.0}, 1)
    assert "no name in a joint state is a joint" in texts(step)[0]
