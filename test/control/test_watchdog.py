"""What the watchdog of a controller notices, and when."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.control import FaultKind, Watchdog, WatchdogLimits


def watchdog(**more) -> Watchdog:
    limits = {
        "state_timeout": 0.05,
        "min_rate": 0.0,
        "rate_window": 0.5,
        "clock_jump": 0.5,
        "residual_limit": np.array([np.inf, 5.0]),
        "residual_time": 0.1,
    }
    made = Watchdog(WatchdogLimits(**{**limits, **more}), ("one", "two"))
    made.begin(100.0)
    return made


def kinds(made: Watchdog, now: float) -> set[FaultKind]:
    return {fault.kind for fault in made.look(now)}


def test_silence_is_noticed_at_its_time() -> None:
    made = watchdog()
    made.state(100.0, 10**9, {})
    assert kinds(made, 100.05) == set()
    assert kinds(made, 100.0501) == {FaultKind.STALE_STATE}


def test_silence_that_nobody_looked_at_is_known_before_the_next_state() -> None:
    made = watchdog()
    assert made.state(100.0, 10**9, {}) is None
    assert made.silence(100.05) is None
    assert made.state(100.05, 10**9 + 5 * 10**7, {}) is None
    fault = made.silence(100.15)
    assert fault is not None
    assert fault.kind is FaultKind.STALE_STATE
    assert "no joint state for 100 ms" in fault.text


def test_a_joint_without_a_value_is_noticed_and_named() -> None:
    made = watchdog()
    for k in range(10):
        made.state(100.0 + 0.01 * k, 10**7 * k, {"two": "position not finite"})
    assert kinds(made, 100.049) == set()
    fault = next(iter(made.look(100.09)))
    assert fault.kind is FaultKind.INVALID_STATE
    assert "'two' (position not finite)" in fault.text
    made.state(100.1, 10**8, {})
    assert kinds(made, 100.11) == set()


@pytest.mark.parametrize(
    ("step", "passed", "jumps"),
    [
        (0.01, 0.01, False),
        (-0.01, 0.01, True),
        (5.0, 0.01, True),
        (0.4, 0.01, False),
        (5.0, 4.9, False),
    ],
)
def test_a_clock_that_jumps_is_noticed(step: float, passed: float, jumps: bool) -> None:
    made = watchdog()
    assert made.state(100.0, 10**10, {}) is None
    fault = made.state(100.0 + passed, 10**10 + round(step * 1e9), {})
    assert (fault.kind if fault else None) is (FaultKind.CLOCK_JUMP if jumps else None)


def test_a_lost_rate_is_noticed_once_there_is_a_window() -> None:
    made = watchdog(min_rate=50.0, state_timeout=1.0)
    for k in range(20):
        made.state(100.0 + 0.03 * k, 10**7 * k, {})
        if 0.03 * k < 0.5:
            assert kinds(made, 100.0 + 0.03 * k) == set()
    assert kinds(made, 100.58) == {FaultKind.LOW_RATE}


def test_a_residual_counts_once_it_lasts() -> None:
    made = watchdog(state_timeout=10.0)
    made.state(100.0, 0, {})
    made.residual(100.0, np.array([1e9, 6.0]))
    made.residual(100.05, np.array([1e9, 6.0]))
    assert kinds(made, 100.1) == set()
    assert kinds(made, 100.11) == {FaultKind.RESIDUAL}
    made.residual(100.12, np.array([0.0, np.nan]))
    assert kinds(made, 101.0) == set()
