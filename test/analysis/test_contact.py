"""The contact flag: hysteresis, durations, thresholds that are learnt."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.analysis.contact import (
    LEARNING,
    MARGIN,
    ContactDetector,
    QuietThresholds,
    smallest_efforts,
)
from robodyn_ros.errors import ArgumentError
from robots import example, loaded

DT = 0.01


def flags(detector: ContactDetector, efforts: list[float]) -> list[bool]:
    return [detector.update([x, 0.0], DT) for x in efforts]


def test_it_begins_and_ends_after_a_duration_each() -> None:
    detector = ContactDetector([2.0, 5.0], duration=2.5 * DT, release=0.5)
    assert flags(detector, [3.0, 3.0]) == [False, False]
    assert detector.touched.tolist() == [True, False]
    assert flags(detector, [1.9, 3.0, 3.0, -3.0]) == [False, False, False, True]
    # In between the two thresholds nothing changes.
    assert flags(detector, [1.5, 1.2, 0.9, 1.1, 0.9, 0.9]) == [True] * 6
    assert flags(detector, [0.9, 3.0]) == [False, False]


def test_without_a_duration_it_follows_at_once() -> None:
    detector = ContactDetector([2.0, 5.0], duration=0.0, release=1.0)
    assert flags(detector, [2.1, 1.9, 2.1]) == [True, False, True]
    detector.reset()
    assert not detector.in_contact


def test_what_is_not_finite_says_nothing_and_what_is_infinite_never_counts() -> None:
    detector = ContactDetector([np.inf, 1.0], duration=0.0)
    assert not detector.update([1e9, np.nan], DT)
    assert detector.update([np.nan, 2.0], DT)
    assert not detector.update([np.nan, np.nan], np.nan) or detector.in_contact
    assert not detector.update([0.0, 0.0], DT)


def test_thresholds_are_learnt_of_quiet_motion() -> None:
    learnt = QuietThresholds([0.5, 0.5, 3.0])
    rng = np.random.default_rng(0)
    seen = rng.uniform(-1.0, 1.0, (round(LEARNING / DT) + 5, 3))
    for row in seen:
        assert not learnt.is_done
        learnt.update(row, DT)
        if learnt.is_done:
            break
    assert learnt.is_done
    assert learnt.left == 0.0
    assert learnt.thresholds == pytest.approx([MARGIN, MARGIN, 3.0], rel=0.05)
    before = learnt.thresholds
    learnt.update([9.0, 9.0, 9.0], DT)
    assert learnt.thresholds.tolist() == before.tolist()


def test_one_bad_sample_does_not_spoil_what_is_learnt() -> None:
    learnt = QuietThresholds([0.5, 0.5])
    for k in range(round(LEARNING / DT) + 1):
        # An estimate forgets it in the time of its filter.
        learnt.update([1.0, 1.0 + 1e9 * np.exp(-25.0 * (k - 50) * DT) * (k >= 50)], DT)
    assert learnt.thresholds == pytest.approx([2.0, 6.0], rel=0.1)


def test_time_that_is_none_and_unknown_efforts_teach_nothing() -> None:
    learnt = QuietThresholds([0.5])
    for dt in (np.nan, -1.0, np.inf):
        learnt.update([5.0], dt)
    learnt.update([np.nan], DT)
    assert learnt.thresholds.tolist() == [0.5]
    assert learnt.left == pytest.approx(LEARNING - DT)


def test_what_counts_at_all_is_a_share_of_the_limit() -> None:
    panda = loaded(example("panda.urdf"))
    assert smallest_efforts(panda)[:2] == pytest.approx([0.87, 0.87])


def test_what_it_refuses() -> None:
    for thresholds in ([0.0, 1.0], [-1.0], [np.nan], 1.0):
        with pytest.raises(ArgumentError, match="thresholds must be positive"):
            ContactDetector(thresholds)
    with pytest.raises(ArgumentError, match="duration must be at least 0"):
        ContactDetector([1.0], duration=-1.0)
    with pytest.raises(ArgumentError, match="release must be"):
        ContactDetector([1.0], release=1.5)
