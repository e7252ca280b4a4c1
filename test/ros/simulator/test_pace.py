"""The pace of simulated time: what is due, what is given up, how fast it runs."""

from __future__ import annotations

import pytest

from robodyn_ros.ros.simulator.pace import BACKLOG, Pace

STEP = 1e-3


def begun(factor: float = 1.0) -> Pace:
    pace = Pace(STEP, factor)
    pace.begin(100.0)
    return pace


def test_as_many_steps_are_due_as_time_has_passed() -> None:
    pace = begun()
    assert pace.due(100.0, 50) == 0
    assert pace.due(100.0049, 50) == 4
    pace.took(4, 100.0049)
    assert pace.due(100.005, 50) == 1
    assert pace.until(6, 100.005) == pytest.approx(0.005)
    assert pace.behind == 0.0


@pytest.mark.parametrize("factor", [0.01, 0.5, 2.0, 100.0])
def test_the_factor_scales_time(factor: float) -> None:
    pace = begun(factor)
    taken, now = 0, 100.0
    while now < 110.0:
        now += 0.01
        steps = pace.due(now, 10**6)
        pace.took(steps, now)
        taken += steps
    assert taken == pytest.approx(factor * (now - 100.0) / STEP, abs=1.0)
    assert pace.measured(now) == pytest.approx(factor, rel=0.02)
    assert pace.behind == 0.0


def test_at_zero_all_that_may_be_taken_is_due_at_once() -> None:
    pace = begun(0.0)
    assert pace.due(100.0, 7) == 7
    assert pace.until(7, 100.0) == 0.0
    assert pace.behind == 0.0


def test_what_cannot_be_made_up_for_is_given_up_and_counted() -> None:
    pace = begun()
    assert pace.due(103.0, 5) == 5
    assert pace.behind == pytest.approx(3.0 - BACKLOG)
    pace.took(5, 103.0)
    made_up = 0
    while (steps := pace.due(103.0, 5)) > 0:
        pace.took(steps, 103.0)
        made_up += steps
    assert made_up == pytest.approx(BACKLOG / STEP - 5, abs=1)


def test_steps_that_take_too_long_never_pile_up() -> None:
    """Each takes twice as long as it may: it runs at half of real time, for ever."""
    pace, now = begun(), 100.0
    for _ in range(5000):
        steps = pace.due(now, 5)
        now += 2 * STEP * max(steps, 1)
        pace.took(steps, now)
    assert pace.measured(now) == pytest.approx(0.5, rel=0.02)
    assert pace.behind == pytest.approx(0.5 * (now - 100.0), rel=0.05)


def test_a_pause_owes_nothing() -> None:
    pace = begun()
    pace.took(pace.due(100.05, 1000), 100.05)
    pace.begin(200.0)
    assert pace.due(200.0, 1000) == 0
    assert pace.behind == 0.0
    assert pace.measured(200.0) == 0.0


def test_a_change_of_the_factor_begins_anew() -> None:
    pace = begun()
    pace.change(10.0, 105.0)
    assert pace.factor == 10.0
    assert pace.due(105.001, 1000) == 10


def test_a_slow_rate_of_publications_is_no_delay() -> None:
    pace = begun()
    assert pace.due(101.0, 1000) == 1000
    assert pace.behind == 0.0
