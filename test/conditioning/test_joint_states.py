"""Merging of joint states by name: order, parts, repeats, NaN, ages, reasons."""

from __future__ import annotations

import math

import numpy as np
import pytest

from robodyn_ros.conditioning.complaints import Severity
from robodyn_ros.conditioning.conditioner import Control, Samples, condition
from robodyn_ros.conditioning.input_plan import input_plan
from robodyn_ros.conditioning.joint_layout import MAX_LAYOUTS, JointSlots
from robodyn_ros.conditioning.joint_states import Bad, Choices, JointStates
from robodyn_ros.conditioning.tracking import LIMIT

MS = 1_000_000
NAN, INF = math.nan, math.inf


class Joints:
    """Joint states that messages come to, with the plain arithmetic in between."""

    def __init__(self, *names: str, continuous: bool = False, **choices) -> None:
        self.slots = JointSlots(names, silent=["follower"])
        self.states = JointStates(np.zeros(len(names)), Choices(**choices))
        self.wraps = np.full(len(names), float(continuous))
        self.acceleration = np.zeros(len(names))

    def take(self, names: list[str], position=(), velocity=(), *, at: float = 1) -> Bad:
        """Take one message at a time in ms, and return what is bad of it."""
        plan = input_plan(self.slots, names, len(position), len(velocity), 0)
        samples = plan.fill([*position, *velocity])
        states = self.states
        states.begin(round(at * MS))
        result = condition(
            states.memory,
            Samples(*states.acceptable(plan, samples)),
            Control(*states.control),
            self.wraps,
        )
        states.memory, self.acceleration = result.memory, result.acceleration
        return states.bad(samples)

    def __getattr__(self, name: str) -> np.ndarray:
        """Return a row of what is shown."""
        return getattr(self.states.shown, name)


def test_values_go_by_name_in_any_order() -> None:
    joints = Joints("a", "b", "c")
    joints.take(["c", "a", "b"], [3.0, 1.0, 2.0])
    assert joints.position.tolist() == [1.0, 2.0, 3.0]
    assert joints.received.all()


def test_partial_messages_are_merged_and_keep_their_own_ages() -> None:
    joints = Joints("a", "b", "c")
    joints.take(["a"], [1.0], at=1)
    joints.take(["b"], [2.0], at=5)
    assert joints.position.tolist() == [1.0, 2.0, 0.0]
    assert joints.states.age(7 * MS) == pytest.approx([0.006, 0.002, -1.0])
    assert joints.states.age(3 * MS) == pytest.approx([0.002, 0.0, -1.0])


def test_the_last_of_repeated_names_counts_and_is_complained_of() -> None:
    joints = Joints("a", "b")
    joints.take(["a", "a", "b"], [1.0, 9.0, 2.0])
    assert joints.position.tolist() == [9.0, 2.0]
    complaints = joints.slots.layout(["a", "a", "b"]).complaints
    assert [c.about for c in complaints if c.severity is Severity.WARN] == ["'a'"]


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
    joints = Joints("a")
    names = ["wheel_left", "a", "wheel_right"]
    assert [c.severity for c in joints.slots.layout(names).complaints] == [Severity.DEBUG]
    joints.take(names, [7.0, 1.0, 8.0])
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
    joints = Joints("a", "b", "c")
    joints.take(["a", "b", "c"], [1.0, 2.0, 3.0], at=1)
    found = joints.take(["c", "b", "a"], [3.5, bad, 1.5], at=20)
    assert found.position.tolist() == [1]
    assert joints.position.tolist() == [1.5, 2.0, 3.5]
    assert joints.position_ok.tolist() == [1.0, 0.0, 1.0]
    assert joints.states.reasons()[1] == "position not finite or beyond all bounds"
    joints.take(["b"], [2.02], at=30)
    assert joints.position_ok.all()


def test_one_value_that_is_not_finite_does_not_lose_the_velocity() -> None:
    joints = Joints("a")
    for k, value in enumerate([0.0, 0.01, NAN, 0.03]):
        joints.take(["a"], [value], at=10 * k)
    assert joints.states.usable().all()
    assert joints.velocity[0] == pytest.approx(1.0)


def test_a_velocity_that_is_not_finite_gives_way_to_the_filtered_one() -> None:
    joints = Joints("a")
    joints.take(["a"], [0.0], [1.0], at=0)
    found = joints.take(["a"], [0.01], [NAN], at=10)
    assert joints.velocity[0] == pytest.approx(1.0)
    assert joints.states.usable()[0]
    assert not any(map(len, found))


@pytest.mark.parametrize("bad", INSANE[1:])
def test_a_velocity_that_is_not_sane_is_not_taken_and_told(bad: float) -> None:
    joints = Joints("a", "b")
    joints.take(["a", "b"], (), [1.0, 2.0], at=0)
    found = joints.take(["b", "a"], (), [2.5, bad], at=10)
    assert found.velocity.tolist() == [0]
    assert joints.velocity.tolist() == [1.0, 2.5]
    assert joints.velocity_ok.tolist() == [0.0, 1.0]


def test_a_velocity_that_is_nan_alone_is_told() -> None:
    joints = Joints("a")
    assert joints.take(["a"], (), [NAN]).velocity.tolist() == [0]
    assert not joints.velocity_ok[0]


@pytest.mark.parametrize("continuous", [False, True])
@pytest.mark.parametrize("outlier_rejection", [False, True])
def test_the_largest_sane_values_leave_everything_finite_and_quiet(
    continuous: bool, outlier_rejection: bool
) -> None:
    joints = Joints("a", continuous=continuous, outlier_rejection=outlier_rejection)
    for k, end in enumerate([LIMIT, -LIMIT] * 3):
        joints.take(["a"], [end], [-end], at=k * 1e-6)
        assert np.isfinite(joints.states.memory).all()
        joints.take(["a"], [end], at=k * 1e-6 + 5e-7)
        assert np.isfinite(joints.states.memory).all()
        assert np.isfinite(joints.acceleration).all()


def test_velocity_alone_is_usable_and_invents_no_position() -> None:
    joints = Joints("wheel")
    joints.take(["wheel"], (), [1.0])
    assert joints.velocity.tolist() == [1.0]
    assert joints.velocity_ok[0]
    assert not joints.received[0]
    assert joints.states.reasons() == ["never received"]


def test_velocity_without_one_in_the_message_is_known_from_the_second_on() -> None:
    joints = Joints("a")
    joints.take(["a"], [0.0], at=0)
    assert joints.states.reasons() == ["velocity unknown"]
    joints.take(["a"], [0.02], at=10)
    assert joints.states.reasons() == [""]
    assert joints.velocity[0] == pytest.approx(2.0)


def test_filtered_velocity_on_request_ignores_the_messages() -> None:
    joints = Joints("a", message_velocity=False)
    for k in range(3):
        found = joints.take(["a"], [0.01 * k], [INF], at=10 * k)
        assert not any(map(len, found))
    assert joints.velocity[0] == pytest.approx(1.0)


@pytest.mark.parametrize("velocity", [[], [0.0]])
def test_a_turn_past_pi_is_no_jump(velocity: list[float]) -> None:
    """3.14 to -3.14 within 10 ms is +0.32 rad/s, not -628."""
    joints = Joints("wheel", continuous=True, message_velocity=False)
    joints.take(["wheel"], [3.14], velocity, at=0)
    joints.take(["wheel"], [-3.14], velocity, at=10)
    assert joints.velocity[0] == pytest.approx((2 * math.pi - 6.28) / 0.01, rel=1e-9)
    assert joints.position[0] == -3.14


def test_a_joint_with_stops_does_not_wrap() -> None:
    joints = Joints("a")
    joints.take(["a"], [3.14], at=0)
    joints.take(["a"], [-3.14], at=10)
    assert joints.velocity[0] == pytest.approx(-628.0)


def test_two_positions_with_one_stamp_keep_the_last_good_derivative() -> None:
    joints = Joints("a")
    for position, at in ((0.0, 0), (0.01, 10), (0.5, 10)):
        joints.take(["a"], [position], at=at)
    assert joints.velocity[0] == pytest.approx(1.0)
    assert np.isfinite(joints.acceleration).all()


def test_acceleration_follows_a_ramp_of_velocity_and_is_zero_when_switched_off() -> None:
    joints = Joints("a")
    for k in range(200):
        joints.take(["a"], [0.0], [0.05 * k], at=10 * k)
    assert joints.acceleration[0] == pytest.approx(5.0)
    assert joints.velocity[0] == pytest.approx(0.05 * 199)
    joints.states.choose(Choices(filtered_acceleration=False))
    joints.take(["a"], [0.0], [0.05 * 200], at=2000)
    assert joints.acceleration[0] == 0.0


def test_a_long_gap_starts_the_derivatives_again() -> None:
    joints = Joints("a")
    for position, at in ((0.0, 0), (1.0, 10), (5.0, 2000)):
        joints.take(["a"], [position], at=at)
    assert not joints.velocity_ok[0]
    assert joints.velocity[0] == 0.0


def test_outliers_are_named_with_what_is_wrong_until_the_next_sample() -> None:
    joints = Joints("a", "b")
    for k in range(20):
        found = joints.take(["a", "b"], [0.0, 0.0], [0.0, 0.0], at=10 * k)
        assert not any(map(len, found))
    found = joints.take(["a", "b"], [1.0, 0.0], [0.0, 50.0], at=200)
    assert found.position_outlier.tolist() == [0]
    assert found.velocity_outlier.tolist() == [1]
    assert joints.states.reasons() == ["position is an outlier", "velocity is an outlier"]
    assert joints.position.tolist() == [1.0, 0.0]
    found = joints.take(["a", "b"], [0.0, 0.0], [0.0, 0.0], at=210)
    assert joints.states.reasons() == ["", ""]
    assert not any(map(len, found))


def test_outliers_pass_when_they_are_not_asked_for() -> None:
    joints = Joints("a", outlier_rejection=False)
    for k in range(20):
        joints.take(["a"], [float(k == 15)], [50.0 * (k == 17)], at=10 * k)
        assert joints.states.usable().all()


def test_reset_forgets_everything() -> None:
    joints = Joints("a")
    joints.take(["a"], [1.0], [1.0], at=5)
    joints.states.reset()
    assert not joints.states.usable().any()
    assert joints.states.reasons() == ["never received"]
    assert joints.states.age(10 * MS).tolist() == [-1.0]
    assert joints.position.tolist() == [0.0]
