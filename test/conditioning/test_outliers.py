"""Outliers, jumps and two publishers of one joint, on realistic recordings of many joints."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from joint_runs import Run, disturbed, motion, run
from robodyn_ros.conditioning.conditioner import (
    POSITION_DRIFT,
    POSITION_FLOOR,
    POSITION_NOISE,
    VELOCITY_DRIFT,
    VELOCITY_FLOOR,
)
from robodyn_ros.description import load_model
from robodyn_ros.ros.demo_motion import SmoothMotion

TAU = 0.02
KINDS = ("rest", "ramp", "swing", "profile")
SENSORS = ("clean", "noise", "ticks")
RATES = (50, 100, 500, 1000)


def recordings(rate: int, length: int, each: int = 4, seed: int = 0):
    """Return times, positions and velocities of all kinds of motion, as all kinds of sensors."""
    times = np.arange(length) / rate
    parts = [
        disturbed(*motion(kind, times, each, seed + k), sensor, seed + k)
        for k, kind in enumerate(KINDS)
        for sensor in SENSORS
    ]
    position, velocity = (np.hstack(part) for part in zip(*parts, strict=True))
    return times, position, velocity


def deviation(found: Run, undisturbed: Run, name: str) -> float:
    return float(np.abs(getattr(found, name) - getattr(undisturbed, name)).max())


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("where", ["position", "velocity", "both", "position without velocity"])
def test_one_outlier_is_flagged_in_its_message_alone_and_never_spreads(rate, where) -> None:
    times, position, velocity = recordings(rate, 70)
    at, count = 45, position.shape[1]
    rng = np.random.default_rng(rate)
    size = rng.choice([-1.0, 1.0], count) * rng.uniform(0.3, 3.0, count)
    wrong, wrong_velocity = position.copy(), velocity.copy()
    if where != "velocity":
        wrong[at] += size
    if where in {"velocity", "both"}:
        wrong_velocity[at] += 10.0 * size
    alone = where == "position without velocity"
    expected = run(times, position, None if alone else velocity)
    found = run(times, wrong, None if alone else wrong_velocity)

    assert not found.usable[at].any()
    others = np.delete(np.arange(3, len(times)), at - 3)
    assert found.usable[others].all()
    assert np.array_equal(found.position, wrong)
    # One sample is left out; it counts for no more than the motion of one step and its noise.
    assert np.abs(found.velocity - expected.velocity)[others].max() <= (0.15 if alone else 0.0)
    assert deviation(found, expected, "acceleration") <= 12.0


@pytest.mark.parametrize("rate", RATES)
def test_what_is_too_small_to_be_flagged_moves_the_slopes_by_no_more_than_the_bound(rate) -> None:
    """On clean motions of at most 15 rad/s^2 any outlier at all is flagged or harmless."""
    times = np.arange(60) / rate
    position, velocity = motion("swing", times, 60, 3)
    sizes, dt, at = np.geomspace(1e-3, 3.0, 60), 1.0 / rate, 40
    wrong, wrong_velocity = position.copy(), velocity.copy()
    wrong[at] += sizes
    wrong_velocity[at] += 10.0 * sizes
    slack = 2.0  # for the usual surprise of a joint that accelerates
    speed = slack * (POSITION_FLOOR + POSITION_DRIFT * dt) / (TAU + dt)
    kick = slack * (VELOCITY_FLOOR + VELOCITY_DRIFT * dt) / (TAU + dt)
    found, expected = run(times, wrong), run(times, position)
    assert deviation(found, expected, "velocity") <= speed
    found, expected = run(times, position, wrong_velocity), run(times, position, velocity)
    assert deviation(found, expected, "acceleration") <= kick


@pytest.mark.parametrize("rate", [10, *RATES])
@pytest.mark.parametrize("message_velocity", [True, False])
def test_no_motion_within_the_limits_of_real_joints_is_flagged(rate, message_velocity) -> None:
    times, position, velocity = recordings(rate, 250, each=8, seed=20)
    found = run(times, position, velocity if message_velocity else None)
    assert found.usable[1:].all()


@pytest.mark.parametrize("rate", [100, 1000])
@pytest.mark.parametrize("message_velocity", [True, False])
def test_neither_the_demo_motion_nor_a_random_walk_is_flagged(rate, message_velocity) -> None:
    rng = np.random.default_rng(4)
    times = np.arange(200) / rate
    robot = load_model(Path(__file__).parents[2] / "urdf/demo_arm.urdf")
    smooth = SmoothMotion(robot, amplitude=0.9, period=2.0, seed=4)
    samples = [smooth.at(time) for time in times]
    walk = np.clip(np.cumsum(rng.normal(size=(200, 20)) * 15.0 / rate / 3.0, 0), -3.0, 3.0)
    velocity = np.hstack([[sample.velocity for sample in samples], walk])
    position = np.hstack([[sample.position for sample in samples], np.cumsum(walk, 0) / rate])
    for sensor in SENSORS:
        x, v = disturbed(position, velocity, sensor, 5)
        assert run(times, x, v if message_velocity else None).usable[1:].all()


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("message_velocity", [True, False])
def test_a_jump_is_believed_at_its_second_sample_and_makes_no_speed(rate, message_velocity) -> None:
    times, position, velocity = recordings(rate, 60)
    expected = run(times, position, velocity if message_velocity else None)
    jump = np.where(np.arange(60)[:, None] >= 40, 1.0, 0.0)
    found = run(times, position + jump, velocity if message_velocity else None)
    assert np.flatnonzero(~found.usable[3:].all(axis=1)).tolist() == [37]
    assert not found.usable[40].any()
    # A slope that is held for a sample is off by a step of the motion; what settles is noise.
    assert deviation(found, expected, "velocity") <= 0.15 + 15.0 / rate
    assert deviation(found, expected, "acceleration") <= 12.0


@pytest.mark.parametrize("rate", [50, 1000])
@pytest.mark.parametrize("speed", [3.0, 10.0, 30.0])
def test_a_driver_whose_velocities_are_all_zero_settles(rate: int, speed: float) -> None:
    times = np.arange(100) / rate
    for start in (0.0, times[40]):
        position = speed * np.maximum(times - start, 0.0)[:, None]
        found = run(times, position, np.zeros(position.shape))
        assert (~found.usable).sum() <= 5
        assert found.usable[50:].all()
        assert not found.velocity.any()


@pytest.mark.parametrize("rate", [50, 1000])
@pytest.mark.parametrize("speed", [3.0, 30.0])
@pytest.mark.parametrize("message_velocity", [True, False])
def test_a_wheel_that_starts_at_once_is_believed_within_five_samples(
    rate, speed, message_velocity
) -> None:
    times = np.arange(400) / rate
    velocity = np.where(times > times[40], speed, 0.0)[:, None]
    position = np.cumsum(velocity, 0) / rate
    found = run(times, position, velocity if message_velocity else None)
    assert found.usable[1:40].all()
    assert found.usable[46:].all()
    assert found.velocity[-1, 0] == pytest.approx(speed, rel=1e-3)
    assert found.velocity.max() <= speed * (1.0 + 1e-9)


@pytest.mark.parametrize("rate", [50, 1000])
def test_noisy_sensors_and_ticks_are_not_flagged_for_ever(rate: int) -> None:
    rng = np.random.default_rng(6)
    times = np.arange(300) / rate
    noisy = 0.01 * rng.normal(size=(300, 10))
    assert run(times, noisy).usable[1:].mean() > 0.999
    noisy = 1.0 * rng.normal(size=(300, 10))
    assert run(times, 0.0 * noisy, noisy).usable.mean() > 0.999
    for share in (0.05, 0.1, 0.3):
        ticks = 1.5 * (rng.random((300, 10)) < share)
        assert run(times, np.cumsum(ticks, 0) / rate, ticks).usable[150:].mean() > 0.98
    encoder = np.round(2.0 * times[:, None] * rng.uniform(0.1, 1.0, 10) / 0.01) * 0.01
    assert run(times, encoder).usable[1:].all()


def test_outliers_among_the_first_samples_are_forgotten_by_the_fourth() -> None:
    times = np.arange(40) / 100.0
    for at in range(4):
        wrong = np.zeros((40, 1))
        wrong[at] = 1.0
        for velocity in (None, 0.0 * wrong):
            found = run(times, wrong, velocity)
            assert found.usable[at + 3 :].all()
            assert not found.velocity[at + 3 :].any()
            assert not found.acceleration[at + 3 :].any()


@pytest.mark.parametrize("velocity", [True, False])
def test_samples_that_nothing_explains_are_never_usable(velocity: bool) -> None:
    rng = np.random.default_rng(9)
    times = np.arange(60) / 100.0
    wild = np.zeros((60, 50))
    wild[20:40] = rng.uniform(-10.0, 10.0, (20, 50))
    found = run(times, wild, 0.0 * wild if velocity else None)
    assert found.usable[1:20].all()
    assert found.usable[20:40].mean() < 0.05
    assert found.usable[50:].all()
    assert np.abs(found.velocity[55:]).max() < 1.0


def test_without_the_gate_every_sane_sample_enters() -> None:
    times = np.arange(30) / 100.0
    wrong = np.zeros((30, 1))
    wrong[20] = 1.0
    found = run(times, wrong, gate=False)
    assert found.usable[1:].all()
    assert found.velocity[20, 0] == pytest.approx(100.0 / 3.0)


PATTERNS = {"ABAB": "AB", "AAB": "AAB", "AABB": "AABB"}


def fight(pattern: str, rate: int, *, met: bool, message_velocity: bool):
    """Return who sent each message, and what was shown: A swings, B stands still.

    Where they `met`, both are at the same place at first, and move apart then.
    """
    times = np.arange(300) / rate
    sent_by_b = np.resize(np.array([c == "B" for c in PATTERNS[pattern]]), 300)
    swing, speed = motion("swing", times, 16, 11)
    if met:
        # Half a swing of 1.5 rad, away from B and not back.
        rate_ = math.pi / times[-1] * np.linspace(0.5, 1.0, 16)
        swing = 0.75 * (1.0 - np.cos(rate_ * times[:, None]))
        speed = 0.75 * rate_ * np.sin(rate_ * times[:, None])
    still = np.full(swing.shape, 0.0 if met else 4.5)
    b = sent_by_b[:, None]
    position, velocity = np.where(b, still, swing), np.where(b, 0.0, speed)
    found = run(times, position, velocity if message_velocity else None)
    apart = np.abs(swing - still) > 0.07 + 3.0 * POSITION_DRIFT / rate
    return b, apart, found, (swing, speed)


@pytest.mark.parametrize("rate", [20, 1000])
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("met", [True, False])
@pytest.mark.parametrize("message_velocity", [True, False])
def test_of_two_publishers_that_fight_one_is_flagged_all_the_time(
    rate, pattern, met, message_velocity
) -> None:
    b, apart, found, (_, speed) = fight(pattern, rate, met=met, message_velocity=message_velocity)
    settled = apart.copy()
    settled[:60] = False
    good_a, good_b = (found.usable & ~b & settled), (found.usable & b & settled)
    assert not (good_a.any(axis=0) & good_b.any(axis=0)).any()
    assert (good_a.sum(axis=0) + good_b.sum(axis=0) > 0.9 * 0.3 * settled.sum(axis=0)).all()
    usable = found.usable & settled
    # While the two are closer than that, they pass for one noisy sensor.
    wobble = (POSITION_FLOOR + 3.0 * POSITION_DRIFT / rate + POSITION_NOISE) / (TAU + 1.0 / rate)
    off = np.minimum(np.abs(found.velocity - speed), np.abs(found.velocity))
    assert off[usable].max(initial=0.0) <= (1e-12 if message_velocity else wobble)
    assert np.abs(found.acceleration[120:]).max() <= 15.0 + 1.5 / TAU


@pytest.mark.parametrize("rate", [20, 100, 1000])
def test_when_one_of_two_publishers_ends_the_other_is_believed_within_half_a_second(rate) -> None:
    times = np.arange(200) / rate
    b = np.resize([False, True], 200) | (np.arange(200) >= 100)
    position = np.where(b, 1.0, 0.0)[:, None]
    found = run(times, position, np.zeros(position.shape))
    assert not found.usable[b][1:50].any()
    believed = 100 + min(11, round(0.55 * rate) + 2)
    assert found.usable[believed:].all()
    assert not found.velocity[believed:].any()
