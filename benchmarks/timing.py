"""Ratios that survive a noisy machine: both sides in turn, many rounds, the median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """Seconds per round of two sides run in turn, and the median ratio of the pairs."""

    ours: float
    theirs: float
    ratio: float
    worst: float


def in_turn(ours: Callable[[], object], theirs: Callable[[], object], rounds: int = 15) -> Figure:
    """Return medians over `rounds` pairs; the ratio is theirs / ours, pair by pair."""
    ours(), theirs()
    pairs = [(_seconds(ours), _seconds(theirs)) for _ in range(rounds)]
    ratios = [second / first for first, second in pairs]
    return Figure(
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
        statistics.median(ratios),
        min(ratios),
    )


def seconds(task: Callable[[], object], rounds: int = 15) -> float:
    """Return the median time of `task`."""
    task()
    return statistics.median(_seconds(task) for _ in range(rounds))


def _seconds(task: Callable[[], object]) -> float:
    begin = time.perf_counter()
    task()
    return time.perf_counter() - begin
