"""Percentiles, jitter and losses, against plain arithmetic, and while another thread adds."""

from __future__ import annotations

import math
import threading
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robodyn_ros.ros.meters import Intervals, Meter, Readings, Sequence, StateMeters

#: Sums of intervals in floating point.
ROUNDING = 1e-9


def fill(meter: Meter, values: list[float]) -> Meter:
    for value in values:
        meter.add(value)
    return meter


def test_percentiles_largest_and_number_are_those_of_what_came() -> None:
    found = fill(Meter(), [float(x) for x in range(100, 0, -1)]).summary()
    assert (found.p50, found.p99, found.max, found.count) == (50.0, 99.0, 100.0, 100)


def test_one_value_is_all_of_its_percentiles() -> None:
    found = fill(Meter(), [3.0]).summary()
    assert (found.p50, found.p99, found.max, found.count) == (3.0, 3.0, 3.0, 1)


def test_a_summary_begins_where_the_last_one_ended() -> None:
    meter = fill(Meter(), [9.0, 9.0])
    meter.summary()
    found = fill(meter, [-1.0, -2.0, -3.0]).summary()
    assert (found.p50, found.max, found.count) == (-2.0, -1.0, 3)


def test_nothing_has_no_percentiles() -> None:
    meter = fill(Meter(), [1.0])
    meter.summary()
    found = meter.summary()
    assert found.count == 0
    assert all(math.isnan(x) for x in (found.p50, found.p99, found.max))


def test_beyond_the_capacity_percentiles_are_of_the_newest_and_the_rest_still_counts() -> None:
    found = fill(Meter(capacity=4), [1000.0, 7.0, 1.0, 2.0, 3.0, 4.0]).summary()
    assert (found.p50, found.p99, found.max, found.count) == (2.0, 4.0, 1000.0, 6)


@given(st.lists(st.floats(), max_size=40), st.integers(1, 50))
def test_any_numbers_give_ordered_finite_percentiles_or_none(
    values: list[float], capacity: int
) -> None:
    found = fill(Meter(capacity), values).summary()
    assert found.count == len(values)
    held = 1 << (capacity - 1).bit_length()
    kept = [x for x in values[-held:] if math.isfinite(x)]
    if kept:
        assert min(kept) <= found.p50 <= found.p99 <= found.max
        assert {found.p50, found.p99} <= set(kept)
    else:
        assert math.isnan(found.p50)


def test_a_steady_input_has_its_rate_and_no_jitter() -> None:
    meter = Intervals()
    for k in range(101):
        meter.add(10.0 + k / 128)
    found = meter.summary(10.0 + 100 / 128)
    assert found.rate == pytest.approx(128.0)
    assert (found.median, found.jitter, found.longest) == (1 / 128, 0.0, 1 / 128)


def test_a_gap_is_named_also_where_a_summary_lies_in_it() -> None:
    meter = Intervals()
    meter.add(0.0)
    meter.add(0.01)
    meter.summary(0.02)
    meter.add(2.01)
    assert meter.summary(2.02).longest == pytest.approx(2.0)


def test_jitter_is_how_far_intervals_are_from_their_median() -> None:
    intervals = [0.01] * 90 + [0.013] * 10
    meter = Intervals()
    for arrival in accumulate(intervals, initial=5.0):
        meter.add(arrival)
    found = meter.summary(6.0)
    assert found.median == pytest.approx(0.01, abs=ROUNDING)
    assert found.jitter == pytest.approx(0.003, abs=ROUNDING)


def test_messages_taken_in_one_turn_count_for_the_rate() -> None:
    meter = Intervals()
    for k in range(11):
        meter.add(0.1 * k, messages=5)
    assert meter.summary(1.0).rate == pytest.approx(50.0)
    assert meter.summary(2.0).rate == 0.0


def test_before_two_arrivals_there_is_no_interval() -> None:
    meter = Intervals()
    assert all(math.isnan(x) for x in meter.summary(1.0))
    meter.add(1.5)
    found = meter.summary(2.0)
    assert found.rate == 0.0
    assert math.isnan(found.median)


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 9))
def test_each_summary_is_of_its_own_values_wherever_the_ring_stands(
    sizes: list[int], capacity: int
) -> None:
    meter, value = Meter(capacity), 0.0
    for size in sizes:
        for _ in range(size):
            value += 1.0
            meter.add(value)
        found = meter.summary()
        assert found.count == size
        if size:
            assert found.max == value
            assert value - size < found.p50 <= value


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=30), st.floats())
def test_arrival_times_of_any_kind_are_summed_up(times: list[float], now: float) -> None:
    meter = Intervals(capacity=8)
    for time in times:
        meter.add(time)
    found = meter.summary(now)
    assert math.isnan(found.jitter) or found.jitter >= 0.0


def test_numbers_left_out_are_lost_and_a_new_start_is_not() -> None:
    sequence = Sequence()
    for number in (5, 6, 9, 10, 1, 2, 4, 0, 0, 7):
        sequence.add(number)
    assert sequence.lost == 2 + 1


def test_all_meters_of_an_input_are_read_at_once() -> None:
    meters = StateMeters()
    meters.processing.add(1e-4)
    meters.end_to_end.add(2e-4)
    meters.batch.add(3.0)
    meters.arrivals.add(0.0)
    meters.arrivals.add(0.5)
    meters.sequence.add(1)
    meters.sequence.add(3)
    found = meters.read(0.5)
    assert (found.processing.p50, found.end_to_end.p50, found.batch.max) == (1e-4, 2e-4, 3.0)
    assert (found.arrivals.rate, found.lost) == (2.0, 1)
    assert Readings().processing.count == 0


def test_readings_while_another_thread_adds_are_of_values_that_it_added() -> None:
    meter, intervals, enough = Meter(capacity=64), Intervals(capacity=64), 30
    done = threading.Event()

    def add() -> None:
        k = 0
        while not done.is_set():
            meter.add(1.0 + k % 2)
            intervals.add(float(k))
            k += 1

    thread = threading.Thread(target=add)
    thread.start()
    try:
        found = []
        while len(found) < enough:
            summary = meter.summary()
            regularity = intervals.summary(0.0)
            if summary.count > 1 and not math.isnan(regularity.median):
                found.append((summary, regularity))
    finally:
        done.set()
        thread.join()
    assert {x for summary, _ in found for x in (summary.p50, summary.p99)} <= {1.0, 2.0}
    assert {regularity.median for _, regularity in found} == {1.0}
