"""Means over windows: the same however rows come, bounded, and true to what moves."""

from __future__ import annotations

import numpy as np
import pytest

from recorded_motion import fourier, windows_of
from robodyn_ros.analysis import window_means
from robodyn_ros.analysis.unknowns import Unknowns, unknowns_of
from robodyn_ros.analysis.window_means import WindowMeans
from robodyn_ros.robot import Robot, find_robot, load

EXACT = 1e-12


@pytest.fixture(scope="module")
def robot() -> Robot:
    return load(find_robot("ur5"), compile="off")


@pytest.fixture(scope="module")
def unknowns(robot: Robot) -> Unknowns:
    return unknowns_of(robot, ("friction",))


def rows(unknowns: Unknowns, count: int, step: float) -> tuple[np.ndarray, ...]:
    motion = fourier(unknowns.robot, duration=count * step, step=step)
    return motion.t, motion.q, motion.v, motion.a, motion.efforts


def test_means_are_linear_in_what_is_unknown(unknowns: Unknowns) -> None:
    motion = fourier(unknowns.robot, duration=10.0)
    windows = windows_of(unknowns, motion)
    assert len(windows) == 100
    assert windows.rows == 1000
    values = np.random.default_rng(0).normal(size=len(unknowns.names))
    efforts = unknowns.columns(motion.q, motion.v, motion.a) @ values
    means = efforts.reshape(100, 10, -1).mean(axis=1)
    assert np.abs(windows.columns @ values - means).max() < EXACT * 100.0
    assert np.abs(windows.measured - motion.efforts.reshape(100, 10, -1).mean(axis=1)).max() < 1e-10
    assert windows.adjacent


@pytest.mark.parametrize("size", [1, 7, 64, 333])
def test_blocks_do_not_matter(unknowns: Unknowns, size: int) -> None:
    t, q, v, a, efforts = rows(unknowns, 400, 0.01)
    found = []
    for step in (len(t), size):
        means = WindowMeans(unknowns, 0.1, 0.02)
        for first in range(0, len(t), step):
            part = slice(first, first + step)
            segment = np.zeros(len(t[part]), dtype=np.int64)
            state = (q[part], q[part], v[part], a[part])
            means.add(t[part], segment, state, (efforts[part], efforts[part]))
        found.append(means.result())
    for field in ("time", "columns", "residual", "measured", "velocity"):
        whole, apart = (getattr(x, field) for x in found)
        assert np.abs(whole - apart).max() < EXACT * max(1.0, np.abs(whole).max())
    assert np.array_equal(found[0].moving, found[1].moving)


def test_a_window_in_which_a_joint_turns_back_does_not_move_one_way(unknowns: Unknowns) -> None:
    t = 0.01 * np.arange(100)
    v = np.tile((0.5 - t)[:, None], (1, 6))
    q = np.tile((0.5 * t - 0.5 * t * t)[:, None], (1, 6))
    means = WindowMeans(unknowns, 0.1, 0.02)
    segment = np.zeros(100, dtype=np.int64)
    means.add(t, segment, (q, q, v, -np.ones_like(v)), (v, v))
    moving = means.result().moving[:, 0]
    assert list(moving) == [True] * 4 + [False] * 2 + [True] * 4


def test_rows_that_are_not_known_leave_no_trace(unknowns: Unknowns) -> None:
    t, q, v, a, efforts = rows(unknowns, 100, 0.01)
    residual = np.ones_like(efforts)
    residual[3::10, 2] = np.nan  # one of ten
    residual[40:60, 4] = np.nan  # whole windows
    measured = np.where(np.isnan(residual), np.nan, efforts)
    means = WindowMeans(unknowns, 0.1, 0.02)
    means.add(t, np.zeros(100, dtype=np.int64), (q, q, v, a), (measured, residual))
    windows = means.result()
    assert windows.known[:, 2].all()
    assert np.abs(windows.residual[:, 2] - 1.0).max() < EXACT
    assert list(np.flatnonzero(~windows.known[:, 4])) == [4, 5]
    assert np.isfinite(windows.columns).all()


def test_a_long_recording_is_thinned_evenly(
    unknowns: Unknowns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_means, "BUDGET", 1)  # 64 windows are the least
    t, q, v, a, efforts = rows(unknowns, 6000, 0.02)
    means = WindowMeans(unknowns, 0.1, 0.02)
    for first in range(0, 6000, 500):
        part = slice(first, first + 500)
        segment = np.zeros(500, dtype=np.int64)
        state = (q[part], q[part], v[part], a[part])
        means.add(t[part], segment, state, (efforts[part], efforts[part]))
    windows = means.result()
    assert 64 <= len(windows) <= 128
    assert not windows.adjacent
    assert np.ptp(np.diff(windows.time)) < 1e-9
    assert windows.time[-1] > 110.0


def test_clock_resets_do_not_join_windows(unknowns: Unknowns) -> None:
    t, q, v, a, efforts = rows(unknowns, 40, 0.01)
    means = WindowMeans(unknowns, 1.0, 0.02)
    segment = np.repeat(np.arange(2), 20)
    means.add(t, segment, (q, q, v, a), (efforts, efforts))
    assert len(means.result()) == 2


def test_nothing_gives_no_windows(unknowns: Unknowns) -> None:
    windows = WindowMeans(unknowns, 0.1, 0.02).result()
    assert len(windows) == 0
    assert windows.columns.shape == (0, 6, 18)
