"""Trails: the last positions, of constant number."""

from __future__ import annotations

import numpy as np

from robodyn_ros.ros.markers.trail_memory import TrailMemory

YES = np.array([True])


def at(x: float) -> np.ndarray:
    return np.array([[x, 0.0, 0.0]])


def xs(memory: TrailMemory) -> list[float]:
    return memory.points[0, :, 0].tolist()


def walked(*steps: float, length: int = 4) -> TrailMemory:
    memory = TrailMemory(1, length)
    for stamp, x in enumerate(steps):
        memory.push(stamp, at(x), YES)
    return memory


def test_the_oldest_point_is_repeated_until_there_are_enough():
    assert xs(walked(1.0)) == [1.0, 1.0, 1.0, 1.0]
    assert xs(walked(1.0, 2.0)) == [1.0, 1.0, 1.0, 2.0]
    assert xs(walked(1.0, 2.0, 3.0, 4.0)) == [1.0, 2.0, 3.0, 4.0]
    assert xs(walked(1.0, 2.0, 3.0, 4.0, 5.0)) == [2.0, 3.0, 4.0, 5.0]


def test_a_repeated_stamp_adds_nothing():
    memory = walked(1.0, 2.0)
    memory.push(1, at(9.0), YES)
    assert xs(memory) == [1.0, 1.0, 1.0, 2.0]


def test_it_is_visible_once_it_has_moved():
    memory = TrailMemory(1, 4)
    assert not memory.visible().any()
    memory.push(0, at(1.0), YES)
    assert not memory.visible().any()
    memory.push(1, at(1.0 + 1e-5), YES)
    assert not memory.visible().any()
    memory.push(2, at(1.5), YES)
    assert memory.visible().all()
    for stamp in range(3, 7):
        memory.push(stamp, at(1.5), YES)
    assert not memory.visible().any()


def test_an_unusable_position_ends_a_trail_and_the_next_starts_a_new_one():
    memory = walked(1.0, 2.0, 3.0)
    memory.push(3, at(np.nan), ~YES)
    assert not memory.visible().any()
    assert np.isfinite(memory.points).all()
    memory.push(4, at(7.0), YES)
    assert xs(memory) == [7.0] * 4


def test_reset_and_time_that_runs_back_start_afresh():
    memory = walked(1.0, 2.0, 3.0)
    memory.reset()
    assert not memory.visible().any()
    memory.push(2, at(5.0), YES)
    assert xs(memory) == [5.0] * 4
    memory.push(1, at(6.0), YES)
    assert xs(memory) == [6.0] * 4


def test_trails_do_not_mix():
    memory = TrailMemory(3, 3)
    rng = np.random.default_rng(1)
    positions = rng.normal(size=(6, 3, 3))
    sound = np.array([True, True, False])
    for stamp, position in enumerate(positions):
        memory.push(stamp, position, sound)
        sound = np.array([True, stamp != 3, True])
    np.testing.assert_array_equal(memory.points[0], positions[3:, 0])
    np.testing.assert_array_equal(memory.points[1], positions[[5, 5, 5], 1])
    np.testing.assert_array_equal(memory.points[2], positions[3:, 2])
    assert memory.visible().tolist() == [True, False, True]


def test_no_trails_are_nothing():
    memory = TrailMemory(0, 5)
    memory.push(1, np.zeros((0, 3)), np.zeros(0, dtype=bool))
    assert memory.visible().shape == (0,)
