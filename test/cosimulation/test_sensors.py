"""What sensors read: noise, steps of encoders, lost and faulty samples."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.cosimulation.sensors import Sensors

STATE = np.array([[0.1, -0.2, 0.3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
MANY = 2000


def readings(sensors: Sensors, count: int = MANY) -> list[np.ndarray | None]:
    return [sensors.read(STATE, step) for step in range(count)]


def test_ideal_sensors_read_what_is_so() -> None:
    assert np.array_equal(Sensors(seed=3).read(STATE, 7), STATE)


def test_noise_has_its_deviation_by_row_and_is_that_of_the_step() -> None:
    sensors = Sensors(position_noise=0.01, effort_noise=0.5, seed=1)
    noise = np.array(readings(sensors)) - STATE
    assert noise[:, 0].std() == pytest.approx(0.01, rel=0.05)
    assert not noise[:, 1].any()
    assert noise[:, 2].std() == pytest.approx(0.5, rel=0.05)
    assert abs(noise[:, 0].mean()) < 1e-3
    assert np.corrcoef(noise[1:, 0, 0], noise[:-1, 0, 0])[0, 1] == pytest.approx(0.0, abs=0.1)
    again = Sensors(position_noise=0.01, effort_noise=0.5, seed=1).read(STATE, 1234)
    assert np.array_equal(again, sensors.read(STATE, 1234))
    other = Sensors(position_noise=0.01, seed=2).read(STATE, 1234)
    assert not np.array_equal(again[0], other[0])


def test_encoders_have_steps() -> None:
    read = Sensors(encoder_resolution=0.25).read(STATE, 0)
    assert read[0].tolist() == [0.0, -0.25, 0.25]
    assert np.array_equal(read[1:], STATE[1:])


def test_shares_of_states_are_lost_or_faulty() -> None:
    read = readings(Sensors(dropped_share=0.3, nan_share=0.2, seed=5))
    there = [x for x in read if x is not None]
    assert len(there) / MANY == pytest.approx(0.7, abs=0.05)
    faulty = [np.isnan(x).sum() for x in there]
    assert set(faulty) == {0, 1}
    assert np.mean(faulty) == pytest.approx(0.2, abs=0.05)
    assert all(np.isfinite(x[1:]).all() for x in there)
    assert {int(np.argmax(np.isnan(x[0]))) for x in there if np.isnan(x).any()} == {0, 1, 2}
    assert readings(Sensors(dropped_share=1.0), 20) == [None] * 20


def test_what_is_read_is_not_the_state_itself() -> None:
    Sensors(position_noise=1.0).read(STATE, 0)
    assert STATE[0, 0] == 0.1
