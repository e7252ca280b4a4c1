"""Stamps: repeats, resets, stragglers, rate limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_ros.conditioning.stamps import RateLimit, Timeline, Verdict

BOTH = np.array([0, 1])
SECOND = 1_000_000_000


def verdicts(timeline: Timeline, seconds: list[float], slots: np.ndarray = BOTH) -> list[Verdict]:
    return [timeline.judge(slots, round(t * SECOND))[0] for t in seconds]


def test_a_message_late_from_before_a_reset_does_not_block_the_new_time() -> None:
    """The clock starts over and one old message straggles in."""
    stamps = [100.0, 101.0, 0.1, 0.2, 101.5, 0.3]
    assert verdicts(Timeline(2), stamps) == [
        Verdict.NEW,
        Verdict.NEW,
        Verdict.RESET,
        Verdict.NEW,
        Verdict.LATE,
        Verdict.NEW,
    ]


def test_the_old_time_is_believed_when_it_persists() -> None:
    timeline = Timeline(2)
    assert verdicts(timeline, [100.0, 0.1]) == [Verdict.NEW, Verdict.RESET]
    assert verdicts(timeline, [100.1, 100.2, 100.3]) == [Verdict.LATE, Verdict.LATE, Verdict.NEW]
    assert verdicts(timeline, [100.4]) == [Verdict.NEW]


def test_new_time_passes_the_old_end_without_a_gap() -> None:
    timeline = Timeline(2)
    verdicts(timeline, [5.0, 0.0])
    assert set(verdicts(timeline, [0.01 * k for k in range(1, 700)])) == {Verdict.NEW}


def test_one_stamp_from_the_far_future_blocks_nothing() -> None:
    assert verdicts(Timeline(2), [1.0, 4e8, 1.1, 1.2]) == [
        Verdict.NEW,
        Verdict.NEW,
        Verdict.RESET,
        Verdict.NEW,
    ]


@pytest.mark.parametrize("count", [2, 5])
def test_a_repeated_stamp_is_new_once(count: int) -> None:
    timeline = Timeline(2)
    answers = [timeline.judge(BOTH, SECOND) for _ in range(count)]
    assert [list(fresh) for _, fresh in answers] == [[0, 1]] + [[]] * (count - 1)
    assert {verdict for verdict, _ in answers[1:]} == {Verdict.REPEATED}


def test_joints_of_one_message_are_judged_one_by_one() -> None:
    timeline = Timeline(3)
    timeline.judge(np.array([0, 1]), SECOND)
    verdict, fresh = timeline.judge(np.array([1, 2]), SECOND)
    assert verdict is Verdict.NEW
    assert list(fresh) == [2]


def test_publishers_with_skewed_clocks_do_not_disturb_each_other() -> None:
    timeline = Timeline(2)
    arm, gripper = np.array([0]), np.array([1])
    for k in range(1, 50):
        assert timeline.judge(arm, k * SECOND)[0] is Verdict.NEW
        assert timeline.judge(gripper, k * SECOND - 30 * SECOND)[0] is Verdict.NEW


def test_a_message_out_of_order_is_dropped_and_a_short_loop_believed() -> None:
    timeline = Timeline(2)
    assert verdicts(timeline, [0.5, 0.4, 0.6]) == [Verdict.NEW, Verdict.LATE, Verdict.NEW]
    assert verdicts(timeline, [0.0, 0.1, 0.2, 0.3]) == [
        Verdict.LATE,
        Verdict.LATE,
        Verdict.RESET,
        Verdict.NEW,
    ]


@given(
    st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=30),
    st.integers(0, 2**31 - 2),
)
def test_any_history_recovers_within_three_messages(history: list[int], start: int) -> None:
    """Whatever stamps came before, a clean sequence is published from its third message on."""
    timeline = Timeline(2)
    for second in history:
        timeline.judge(BOTH, second * SECOND)
    verdicts(timeline, [start, start + 0.01, start + 0.02])
    assert verdicts(timeline, [start + 0.03, start + 0.04]) == [Verdict.NEW, Verdict.NEW]


@pytest.mark.parametrize("frequency", [0.0, 500.0, 1000.0])
def test_a_limit_at_or_above_the_input_rate_drops_nothing_but_jitter(frequency: float) -> None:
    rng = np.random.default_rng(3)
    limit, passed = RateLimit(2), 0
    for k in range(500):
        stamp = k * SECOND // 500 + int(rng.integers(-200_000, 200_000))
        passed += len(limit.pass_on(BOTH, stamp, frequency)) == 2
    assert passed >= 495


def test_a_limit_below_the_input_rate_is_kept_for_each_joint() -> None:
    limit = RateLimit(2)
    counts = np.zeros(2)
    for k in range(500):
        slots = BOTH if k % 50 == 0 else np.array([0])
        counts[limit.pass_on(slots, k * SECOND // 500, 20.0)] += 1
    assert counts[0] == pytest.approx(20, abs=1)
    assert counts[1] == 10


def test_after_a_pause_the_limit_does_not_catch_up() -> None:
    limit = RateLimit(1)
    one = np.array([0])
    assert len(limit.pass_on(one, 0, 10.0)) == 1
    late = [len(limit.pass_on(one, 60 * SECOND + k * SECOND // 100, 10.0)) for k in range(20)]
    assert sum(late) == 2


def test_a_jump_far_beyond_the_time_before_a_reset_is_no_straggler() -> None:
    times, slots = Timeline(1), np.array([0])
    sent = [2000.0, 2000.1, 50.0, 50.1, 2300.0, 2310.0]
    verdicts = [times.judge(slots, round(stamp * 1e9))[0] for stamp in sent]
    expected = [Verdict.NEW, Verdict.NEW, Verdict.RESET, *[Verdict.NEW] * 3]
    assert verdicts == expected


def test_a_publisher_that_stays_in_the_old_time_stays_without_effect() -> None:
    times, slots = Timeline(1), np.array([0])
    for stamp in (2000.0, 50.0):
        times.judge(slots, round(stamp * 1e9))
    for k in range(1, 300):
        late, _ = times.judge(slots, round((2000.0 + 0.1 * k) * 1e9))
        new, _ = times.judge(slots, round((50.0 + 0.1 * k) * 1e9))
        assert (late, new) == (Verdict.LATE, Verdict.NEW)
