"""Simulated time in steps, what acts for how many, and a lock that goes round."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from robodyn_ros.ros.simulator.acting import ActingWrenches, Wrench
from robodyn_ros.ros.simulator.clock import SimulatedClock
from robodyn_ros.ros.simulator.turnstile import Turnstile

UP = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])


def test_time_is_whole_steps_and_never_zero() -> None:
    clock = SimulatedClock(1e-3, 200.0)
    assert clock.stamp == 1
    clock.count(123)
    assert clock.stamp == 123_000_000
    clock.reset()
    assert clock.stamp == 1


@pytest.mark.parametrize(
    ("rate", "period"), [(200.0, 5), (1000.0, 1), (10000.0, 1), (300.0, 3), (0.1, 10000)]
)
def test_publications_come_after_whole_steps(rate: float, period: int) -> None:
    clock = SimulatedClock(1e-3, rate)
    assert clock.is_publication
    assert clock.until_publication == period
    clock.count(period)
    assert clock.is_publication
    clock.count(1)
    assert clock.is_publication is (period == 1)
    assert clock.until_publication == max(1, period - 1)


def test_a_duration_is_a_step_at_least() -> None:
    clock = SimulatedClock(1e-3, 200.0)
    assert [clock.steps(x) for x in (1e-9, 1e-3, 0.0501, 3600.0)] == [1, 1, 50, 3_600_000]


def test_wrenches_on_one_frame_add_up_and_end_each_in_its_time() -> None:
    acting = ActingWrenches()
    acting.hold("tool", Wrench(UP, 10))
    acting.hold("tool", Wrench(2.0 * UP, 12))
    acting.push("tool", Wrench(UP, 5))
    acting.push("arm", Wrench(UP, 7))
    assert acting.total()["tool"].tolist() == (3.0 * UP).tolist()
    assert acting.next_end() == 5
    assert not acting.end(4)
    assert acting.end(5)
    assert acting.total()["tool"].tolist() == (2.0 * UP).tolist()
    assert acting.end(12)
    assert acting.total() == {}
    assert acting.next_end() is None


def test_whoever_waits_gets_the_lock_before_the_one_who_had_it() -> None:
    lock, order = Turnstile(), []
    waiting = threading.Event()

    def other() -> None:
        waiting.set()
        with lock:
            order.append("other")

    thread = threading.Thread(target=other)
    with lock:
        thread.start()
        waiting.wait()
        while not lock.is_awaited:
            pass
        order.append("first")
    with lock:
        order.append("first again")
    thread.join()
    assert order == ["first", "other", "first again"]
