"""Messages taken together count as they would one by one, as the nodes take them."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.stamps import Timeline, Verdict

SECOND = 1_000_000_000


def one_by_one(times: Timeline, slots: list[np.ndarray], stamps: list[np.ndarray]) -> bool:
    """Return whether all is new where messages are judged one by one, kind by kind."""
    verdicts = [
        (times.judge(joints, int(stamp)), joints)
        for joints, many in zip(slots, stamps, strict=True)
        for stamp in many
    ]
    return all(v is Verdict.NEW and len(f) == len(joints) for (v, f), joints in verdicts)


@pytest.mark.parametrize("seed", range(40))
def test_rising_messages_are_judged_at_once_as_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    slots = [np.array([0, 1, 2]), np.array([3]), np.array([4, 5])][: int(rng.integers(1, 4))]
    together, apart = Timeline(6), Timeline(6)
    first = np.full(len(slots), 5 * SECOND)
    for _ in range(6):
        stamps = []
        for k in range(len(slots)):
            steps = rng.integers(
                0 if rng.random() < 0.2 else 1, SECOND // 5, int(rng.integers(1, 9))
            )
            first[k] += int(rng.choice([0, -3 * SECOND])) if rng.random() < 0.15 else 0
            stamps.append(first[k] + np.cumsum(steps))
            first[k] = stamps[-1][-1]
        taken = together.judge_rising(slots, stamps)
        new = one_by_one(apart, slots, stamps)
        if taken:
            assert new
        else:
            one_by_one(together, slots, stamps)
        probe = int(first.max()) + int(rng.integers(-SECOND, SECOND))
        for joints in slots:
            ours, theirs = together.judge(joints, probe), apart.judge(joints, probe)
            assert ours[0] is theirs[0]
            assert ours[1].tolist() == theirs[1].tolist()
        first = np.maximum(first, probe)


def test_kinds_that_share_joints_are_judged_one_by_one() -> None:
    times = Timeline(3)
    slots = [np.array([0, 1]), np.array([1, 2])]
    assert not times.judge_rising(slots, [np.array([1, 2]), np.array([3, 4])])
    assert times.judge_rising(slots[:1], [np.array([1, 2])])
