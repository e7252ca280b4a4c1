"""Setters and calls from many threads: every result belongs to one environment, none is lost."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.robot import LazyBodyMotion
from robots import random_state

#: How often each setter sets.
ROUNDS = 400


@pytest.fixture(autouse=True)
def impatient_threads() -> Iterator[None]:
    """Let Python switch threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(*jobs: Callable[[], None]) -> None:
    """Run the jobs in threads and raise what any of them raised."""
    failures: list[BaseException] = []

    def guarded(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as failure:  # noqa: BLE001 - raised again below, in the test's thread
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60.0)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def set_numbered(robot: rd.Robot, k: int) -> None:
    """Set base motion number k, in which every field tells the number."""
    robot.set_base_motion(
        (k, 2 * k, 3 * k),
        angular_velocity=(k, 0, 0),
        linear_velocity=(0, k, 0),
        angular_acceleration=(0, 0, k),
        linear_acceleration=(k, k, k),
    )


def number_of(motion: LazyBodyMotion) -> set[float]:
    """Return every number that a result tells of its base motion: one, if it is of one piece."""
    told = {float(motion.position[1, 0]), float(motion.position[1, 1]) / 2.0}
    told |= {float(motion.angular_velocity[1, 0]), float(motion.linear_velocity[1, 1])}
    told |= {float(motion.angular_acceleration[1, 2]), float(motion.linear_acceleration[1, 0])}
    return told


def test_every_result_belongs_to_one_base_motion(carried: rd.Robot) -> None:
    q = carried.neutral()
    set_numbered(carried, 0)
    done = threading.Event()

    def setter() -> None:
        try:
            for k in range(ROUNDS):
                set_numbered(carried, k)
        finally:
            done.set()

    def caller() -> None:
        seen: set[float] = set()
        while not seen or not done.is_set():
            numbers = number_of(carried.body_motion(q))
            assert len(numbers) == 1, numbers
            seen.update(numbers)

    together(setter, setter, caller, caller)


def test_batches_belong_to_one_base_motion_too(carried: rd.Robot) -> None:
    rows = np.stack([random_state(carried.model, seed)[0] for seed in range(16)])
    set_numbered(carried, 0)
    done = threading.Event()

    def setter() -> None:
        try:
            for k in range(ROUNDS):
                set_numbered(carried, k)
        finally:
            done.set()

    def caller() -> None:
        while not done.is_set():
            motion = carried.body_motion(rows)
            assert np.ptp(motion.position[:, 1, 0]) == 0.0
            assert np.array_equal(motion.position[:, 1, 0], motion.linear_velocity[:, 1, 1])

    together(setter, caller)


def test_jacobians_and_motions_at_once(carried: rd.Robot) -> None:
    """Different operations share nothing that a call changes."""
    q, v, a = random_state(carried.model, 1)
    expected = (*carried.body_motion(q, v, a), carried.jacobian(q, "tool"))

    def caller() -> None:
        for _ in range(ROUNDS // 10):
            found = (*carried.body_motion(q, v, a), carried.jacobian(q, "tool"))
            for x, y in zip(found, expected, strict=True):
                assert np.array_equal(x, y)

    together(caller, caller, caller)


def test_new_operations_may_be_asked_for_from_several_threads(carried: rd.Robot) -> None:
    robot = rd.Robot(carried.model, compile="off")
    q = robot.neutral()
    names = list(robot.model.frames)
    expected = {name: carried.jacobian(q, name) for name in ("tool",)}

    def caller() -> None:
        for name in names:
            J = robot.jacobian(q, name)
            if name in expected:
                assert np.max(np.abs(J - expected[name])) < 1e-12

    together(*[caller] * 6)


def test_setting_gravity_never_undoes_a_base_motion(carried: rd.Robot) -> None:
    """Two setters of different things at once: a read, a change and a write each, undivided."""
    done = threading.Event()

    def gravity() -> None:
        k = 0
        while not done.is_set():
            k += 1
            carried.gravity = (0.0, 0.0, -float(k))

    def base() -> None:
        try:
            q = carried.neutral()
            for k in range(2 * ROUNDS):
                set_numbered(carried, k)
                assert carried.environment.base_motion.position[0] == k
                if k % 10 == 0:
                    assert carried.body_motion(q).position[1, 0] == k
        finally:
            done.set()

    together(gravity, base)


def test_setting_a_base_motion_never_undoes_gravity(carried: rd.Robot) -> None:
    done = threading.Event()

    def base() -> None:
        while not done.is_set():
            set_numbered(carried, 1)

    def gravity() -> None:
        try:
            for k in range(2 * ROUNDS):
                carried.gravity = (0.0, 0.0, -float(k))
                assert carried.gravity[2] == -k
        finally:
            done.set()

    together(gravity, base)
