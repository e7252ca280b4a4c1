"""Merging of joint states by name: order, parts, repeats, lengths, NaN, derivatives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.joint_layout import MAX_LAYOUTS, JointSlots
from robodyn_ros.conditioning.joint_states import LIMIT, JointStates

MS = 1_000_000
NAN, INF = math.nan, math.inf


def states(*names: str, continuous: bool = False) -> JointStates:
    slots = JointSlots(names, silent=["follower"])
    wraps = np.full(len(names), continuous)
    return JointStates(slots, np.zeros(len(names)), wraps)


def merge(joints: JointStates, names: list[str], position=(), velocity=(), *, at=1, **options):
    layout = joints.slots.layout(names)
    return joints.merge(layout, at * MS, position, velocity, **options)


def test_values_go_by_name_in_any_order() -> None:
    joints = states("a", "b", "c")
    moved = merge(joints, ["c", "a", "b"], [3.0, 1.0, 2.0]).moved
    assert sorted(moved) == [0, 1, 2]
    assert joints.position.tolist() == [1.0, 2.0, 3.0]


def test_partial_messages_are_merged_and_keep_their_own_stamps() -> None:
    joints = states("a", "b")
    merge(joints, ["a"], [1.0], at=1)
    merge(joints, ["b"], [2.0], at=5)
    assert joints.position.tolist() == [1.0, 2.0]
    assert joints.stamp.tolist() == [1 * MS, 5 * MS]


def test_the_last_of_repeated_names_counts_and_is_complained_of() -> None:
    joints = states("a", "b")
    layout = joints.slots.layout(["a", "a", "b"])
    joints.merge(layout, MS, [1.0, 9.0, 2.0], ())
    assert joints.position.tolist() == [9.0, 2.0]
    warnings = [c for c in layout.complaints if c.severity is Severity.WARN]
    assert [c.about for c in warnings] == ["'a'"]


@pytest.mark.parametrize("name", ["a/position", "left.a", "robot/a", "a-velocity", "x:a"])
def test_names_with_a_prefix_or_suffix_are_unknown_and_the_warning_says_so(name: str) -> None:
    layout = JointSlots(["a"]).layout([name])
    assert layout.unknown == (name,)
    said = [
        c.text for c in layout.complaints if c.about == repr(name) and c.severity is Severity.WARN
    ]
    assert len(said) == 1
    assert repr(name) in said[0]
    assert "'a'" in said[0]


def test_unknown_names_give_one_debug_line_and_the_others_are_used() -> None:
    joints = states("a")
    layout = joints.slots.layout(["wheel_left", "a", "wheel_right"])
    assert [c.severity for c in layout.complaints] == [Severity.DEBUG]
    assert joints.merge(layout, MS, [7.0, 1.0, 8.0], ()).moved.tolist() == [0]
    assert joints.position.tolist() == [1.0]


def test_a_followers_name_is_known_and_silent() -> None:
    layout = JointSlots(["a"], silent=["follower"]).layout(["follower", "a"])
    assert layout.complaints == ()
    assert layout.slots.tolist() == [0]


FORGED = ["x\n[FATAL] [node]: forged", "\x1b[2Ja", "a/" + "x" * 100_000, "/" * 100_000, "a\u2028b"]


@pytest.mark.parametrize("name", FORGED)
def test_no_name_makes_more_of_a_complaint_than_one_short_line(name: str) -> None:
    for slots, names in (
        (JointSlots([name], robot=name), [name, name, f"{name}/position"]),
        (JointSlots(["a"], robot=name), [name, f"a/{name}"]),
    ):
        complaints = slots.layout(names).complaints
        assert complaints
        for complaint in complaints:
            assert complaint.text.isprintable()
            assert len(complaint.text) < 400
            assert len(complaint.about) < 400


def test_layouts_are_kept_in_bounded_number() -> None:
    slots = JointSlots(["a"])
    first = slots.layout(["a"])
    assert slots.layout(["a"]) is first
    for k in range(3 * MAX_LAYOUTS):
        slots.layout([f"n{k}"])
    assert len(slots._layouts) <= MAX_LAYOUTS


INSANE = [NAN, INF, -INF, 1.001 * LIMIT, -2e15, 1e300]


@pytest.mark.parametrize("bad", INSANE)
def test_a_value_that_is_not_sane_invalidates_its_joint_alone(bad: float) -> None:
    joints = states("a", "b", "c")
    merge(joints, ["a", "b", "c"], [1.0, 2.0, 3.0], at=1)
    result = merge(joints, ["c", "b", "a"], [3.5, bad, 1.5], at=2)
    assert result.invalid.tolist() == [1]
    assert joints.position.tolist() == [1.5, 2.0, 3.5]
    assert joints.position_valid.tolist() == [True, False, True]
    merge(joints, ["b"], [2.5], at=3)
    assert joints.position_valid.all()


def test_a_velocity_that_is_not_finite_gives_way_to_the_filtered_one() -> None:
    joints = states("a")
    merge(joints, ["a"], [0.0], [1.0], at=0)
    merge(joints, ["a"], [0.01], [NAN], at=10)
    assert joints.velocity[0] == pytest.approx(1.0)
    assert joints.velocity_valid[0]


@pytest.mark.parametrize("bad", INSANE[1:])
def test_a_velocity_that_is_not_sane_is_not_taken_and_told(bad: float) -> None:
    joints = states("a", "b")
    merge(joints, ["a", "b"], (), [1.0, 2.0], at=0)
    result = merge(joints, ["b", "a"], (), [2.5, bad], at=10)
    assert result.invalid_velocity.tolist() == [0]
    assert joints.velocity.tolist() == [1.0, 2.5]
    assert joints.velocity_valid.tolist() == [False, True]


def test_nan_says_that_there_is_no_velocity_and_is_no_trouble() -> None:
    assert len(merge(states("a"), ["a"], [0.0], [NAN]).invalid_velocity) == 0


@pytest.mark.parametrize("continuous", [False, True])
def test_the_largest_sane_values_leave_everything_finite_and_quiet(continuous: bool) -> None:
    joints = states("a", continuous=continuous)
    ends = [LIMIT, -LIMIT] * 3
    for k, end in enumerate(ends):
        layout = joints.slots.layout(["a"])
        joints.merge(layout, k, [end], [-end])
        joints.merge(layout, k + len(ends), [end], [], message_velocity=False)
        assert np.isfinite([joints.position, joints.velocity, joints.acceleration]).all()


def test_a_jump_faster_than_any_sane_velocity_has_none_and_is_forgotten() -> None:
    joints = states("a")
    merge(joints, ["a"], [0.0], at=0, time_constant=0.1)
    merge(joints, ["a"], [LIMIT], at=10, time_constant=0.1)
    assert not joints.velocity_valid[0]
    merge(joints, ["a"], [LIMIT], at=20, time_constant=0.1)
    assert joints.velocity_valid[0]
    assert joints.velocity[0] == 0.0


def test_velocity_alone_is_usable_and_invents_no_position() -> None:
    joints = states("wheel")
    assert len(merge(joints, ["wheel"], (), [1.0]).moved) == 0
    assert joints.velocity.tolist() == [1.0]
    assert not joints.position_valid[0]


def test_velocity_without_one_in_the_message_is_known_from_the_second_on() -> None:
    joints = states("a")
    merge(joints, ["a"], [0.0], at=0)
    assert not joints.velocity_valid[0]
    merge(joints, ["a"], [0.02], at=10)
    assert joints.velocity_valid[0]
    assert joints.velocity[0] == pytest.approx(2.0)


def test_filtered_velocity_on_request_ignores_the_messages() -> None:
    joints = states("a")
    for k in range(3):
        merge(joints, ["a"], [0.01 * k], [99.0], at=10 * k, message_velocity=False)
    assert joints.velocity[0] == pytest.approx(1.0)


@pytest.mark.parametrize("velocity", [[], [0.0]])
def test_a_turn_past_pi_is_no_jump(velocity: list[float]) -> None:
    """3.14 to -3.14 within 10 ms is +0.32 rad/s, not -628."""
    joints = states("wheel", continuous=True)
    merge(joints, ["wheel"], [3.14], at=0, message_velocity=False)
    merge(joints, ["wheel"], [-3.14], velocity, at=10, message_velocity=False)
    assert joints.velocity[0] == pytest.approx((2 * math.pi - 6.28) / 0.01, rel=1e-9)


def test_a_joint_with_stops_does_not_wrap() -> None:
    joints = states("a")
    merge(joints, ["a"], [3.14], at=0)
    merge(joints, ["a"], [-3.14], at=10)
    assert joints.velocity[0] == pytest.approx(-628.0)


def test_two_positions_with_one_stamp_keep_the_last_good_derivative() -> None:
    joints = states("a")
    merge(joints, ["a"], [0.0], at=0)
    merge(joints, ["a"], [0.01], at=10)
    merge(joints, ["a"], [0.5], at=10)
    assert joints.velocity[0] == pytest.approx(1.0)
    assert np.isfinite(joints.acceleration).all()


def test_acceleration_follows_a_ramp_of_velocity_and_is_zero_when_switched_off() -> None:
    joints = states("a")
    for k in range(200):
        merge(joints, ["a"], [0.0], [0.05 * k], at=10 * k, time_constant=0.02)
    assert joints.acceleration[0] == pytest.approx(5.0)
    assert joints.velocity[0] == pytest.approx(0.05 * 199)
    merge(joints, ["a"], [0.0], [1.0], at=2000, filtered_acceleration=False)
    assert joints.acceleration[0] == 0.0


def test_the_filter_settles_as_its_time_constant_says() -> None:
    joints = states("a")
    tau, step = 0.02, 0.001
    merge(joints, ["a"], [0.0], [0.0], at=0, time_constant=tau)
    merge(joints, ["a"], [0.0], [0.0], at=1, time_constant=tau)
    speed = 0.0
    for k in range(2, 22):
        speed += step
        merge(joints, ["a"], [0.0], [speed], at=k, time_constant=tau)
    assert joints.acceleration[0] == pytest.approx(1.0 - math.exp(-1.0), abs=1e-9)


def test_a_long_gap_starts_the_derivatives_again() -> None:
    joints = states("a")
    merge(joints, ["a"], [0.0], at=0)
    merge(joints, ["a"], [1.0], at=10)
    merge(joints, ["a"], [5.0], at=2000)
    assert not joints.velocity_valid[0]
    assert joints.velocity[0] == 0.0


def test_reset_forgets_everything() -> None:
    joints = states("a")
    merge(joints, ["a"], [1.0], [1.0], at=5)
    joints.reset()
    assert not joints.position_valid.any()
    assert not joints.velocity_valid.any()
    assert joints.position.tolist() == [0.0]
