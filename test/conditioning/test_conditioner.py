"""One message at a time: which velocity is shown, what is good, what is not sane."""

from __future__ import annotations

import math

import numpy as np
import pytest

from joint_runs import run
from robodyn_ros.conditioning.conditioner import (
    ROWS,
    SHOWN,
    Control,
    Samples,
    blank_memory,
    condition,
    shown,
)
from robodyn_ros.conditioning.tracking import LIMIT


def test_velocity_and_acceleration_are_never_exchanged() -> None:
    """A joint with velocity 1 and acceleration 7 at the same time."""
    times = 0.001 * np.arange(-400, 1)
    position = (times + 3.5 * times**2)[:, None]
    velocity = (1.0 + 7.0 * times)[:, None]
    found = run(times, position, velocity)
    assert found.velocity[-1, 0] == 1.0
    assert found.acceleration[-1, 0] == pytest.approx(7.0, rel=1e-6)
    found = run(times, position)
    assert found.velocity[-1, 0] == pytest.approx(1.0 - 7.0 * 0.0205, rel=1e-6)
    assert found.acceleration[-1, 0] == pytest.approx(7.0, rel=1e-4)


@pytest.mark.parametrize(("message_velocity", "expected"), [(True, 99.0), (False, 1.0)])
def test_velocities_are_the_messages_or_filtered_as_asked(message_velocity, expected) -> None:
    times = 0.01 * np.arange(60)
    given = np.full((60, 1), 99.0)
    found = run(times, times[:, None], given, message_velocity=message_velocity)
    assert found.velocity[-1, 0] == pytest.approx(expected)


def test_filtered_accelerations_of_filtered_velocities_lag_by_two_tau_and_a_step() -> None:
    times, tau = 0.001 * np.arange(1500), 0.02
    found = run(times, (times**3)[:, None], time_constant=tau)
    assert times[-1] - found.acceleration[-1, 0] / 6.0 == pytest.approx(2 * tau + 0.001, abs=1e-6)


def test_accelerations_start_from_zero_and_velocities_from_the_first_difference() -> None:
    times = np.array([0.0, 0.01])
    found = run(times, np.array([[0.0], [0.03]]))
    assert (found.velocity[1, 0], found.acceleration[1, 0]) == (pytest.approx(3.0), 0.0)
    found = run(times, velocity=np.array([[0.0], [0.3]]))
    assert found.acceleration[1, 0] == pytest.approx(30.0 * 0.01 / 0.03)


def one(memory, position, velocity, given, *, now: float, **options):
    """Take one message of two joints."""
    samples = Samples(*(np.array(x, dtype=float) for x in (position, velocity, *given)))
    control = Control(now, 0.02, options.get("message", 1.0), options.get("filtered", 1.0), 1.0)
    return condition(memory, samples, control, np.zeros(2))


BOTH, NONE = (1.0, 1.0), (0.0, 0.0)


def test_tallies_count_what_is_wrong_and_who_is_not_ready() -> None:
    memory = blank_memory(np.array([0.3, -0.2]))
    assert shown(memory).position.tolist() == [0.3, -0.2]
    assert memory.shape == (ROWS, 2)
    result = one(memory, (1.0, 1.0), (0.0, 0.0), (BOTH, BOTH), now=0.0)
    assert (result.alarms, result.unsettled) == (0.0, 0.0)
    result = one(result.memory, (1.0, 2.0e9), (0.0, 3.0e9), (BOTH, BOTH), now=0.01)
    assert (result.alarms, result.unsettled) == (2.0, 1.0)
    result = one(result.memory, (1.0, 9.0), (9.0, 9.0), ((1.0, 0.0), NONE), now=0.02)
    assert (result.alarms, result.unsettled) == (0.0, 1.0)
    result = one(result.memory, (5.0, 1.0), (0.0, 0.0), (BOTH, BOTH), now=0.03)
    assert (result.alarms, result.unsettled) == (1.0, 1.0)


@pytest.mark.parametrize("bad", [1.001 * LIMIT, -2e15, 1e300])
def test_what_is_not_sane_is_not_shown_and_the_next_sample_is_good(bad: float) -> None:
    memory = blank_memory(np.zeros(2))
    for k in range(5):
        memory = one(memory, (0.01 * k, 0.0), NONE, (BOTH, NONE), now=0.01 * k).memory
    memory = one(memory, (bad, 0.0), NONE, (BOTH, NONE), now=0.05).memory
    state = shown(memory)
    assert state.position.tolist() == [0.04, 0.0]
    assert (state.position_ok.tolist(), state.insane.tolist()) == ([0.0, 1.0], [1.0, 0.0])
    assert state.seen.tolist() == [0.04, 0.05]
    state = shown(one(memory, (0.06, 0.0), NONE, (BOTH, NONE), now=0.06).memory)
    assert state.position_ok.tolist() == state.velocity_ok.tolist() == [1.0, 1.0]
    assert state.velocity == pytest.approx([1.0, 0.0])


def test_a_velocity_that_is_not_sane_keeps_the_last_and_marks_it() -> None:
    memory = one(blank_memory(np.zeros(2)), NONE, (1.0, 2.0), (NONE, BOTH), now=0.0).memory
    memory = one(memory, NONE, (1e300, 2.5), (NONE, BOTH), now=0.01).memory
    state = shown(memory)
    assert state.velocity.tolist() == [1.0, 2.5]
    assert state.velocity_ok.tolist() == [0.0, 1.0]
    assert not state.received.any()


def test_accelerations_are_zero_when_switched_off() -> None:
    memory = blank_memory(np.zeros(2))
    for k in range(5):
        result = one(memory, NONE, (0.1 * k, 0.0), (NONE, BOTH), now=0.01 * k, filtered=0.0)
        memory = result.memory
        assert not result.acceleration.any()


def test_a_message_whose_position_is_an_outlier_is_not_believed_its_velocity_either() -> None:
    memory = blank_memory(np.zeros(2))
    for k in range(9):
        result = one(memory, (0.0, 0.0), (0.0, 0.0), (BOTH, BOTH), now=0.01 * k)
        memory = result.memory
    result = one(memory, (1.0, 0.0), (3.0, 0.0), (BOTH, BOTH), now=0.09)
    assert shown(result.memory).velocity.tolist() == [3.0, 0.0]
    assert shown(result.memory).position_ok.tolist() == [0.0, 1.0]
    assert not result.acceleration.any()


def test_whatever_the_samples_all_stays_finite_and_flags_are_flags() -> None:
    rng = np.random.default_rng(12)
    memory, now = blank_memory(np.zeros(200)), 0.0
    scales = 10.0 ** rng.uniform(-9, 12, (300, 2, 200))
    for k in range(300):
        now += float(rng.choice([0.0, 1e-9, 1e-3, 0.02, 0.6, -0.1, -3.0, 4e9]))
        values = scales[k] * rng.choice([-1.0, 0.0, 1.0], (2, 200))
        samples = Samples(*values, *rng.choice([0.0, 1.0], (2, 200)))
        control = Control(now, rng.choice([0.0, 0.02, 10.0]), *rng.choice([0.0, 1.0], 3))
        memory = condition(memory, samples, control, rng.choice([0.0, 1.0], 200)).memory
        assert np.isfinite(memory).all()
        state = shown(memory)
        for flags in (state.received, state.position_ok, state.insane, state.velocity_ok):
            assert np.isin(flags, (0.0, 1.0)).all()
        assert np.abs([state.position, state.velocity]).max() <= LIMIT
    assert memory[SHOWN].shape[0] == 7
    assert math.isfinite(now)
