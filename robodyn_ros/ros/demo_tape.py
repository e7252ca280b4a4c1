"""The time of a played motion: it runs with the clock, and stops and starts smoothly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RAMP = 0.3
"""Seconds in which a motion comes to rest, or to its full speed."""


class Instant(NamedTuple):
    """Moments of a motion: times (...), s, and how fast they run (1 with the clock, 0 at rest)."""

    time: Floats
    rate: Floats


class Tape:
    """Runs from its making on; times of the clock are in s, and need not ascend."""

    def __init__(self, now: float) -> None:
        """Begin at the time 0 of the motion, at full speed."""
        self._changed = now
        self._time, self._rate, self._wanted = 0.0, 1.0, 1.0

    @property
    def is_paused(self) -> bool:
        """Whether it stands still, or is about to."""
        return self._wanted == 0.0

    def pause(self, paused: bool, now: float) -> None:
        """Stop, or go on."""
        time, rate = self.at(now)
        self._time, self._rate, self._changed = float(time), float(rate), now
        self._wanted = 0.0 if paused else 1.0

    def at(self, now: float | Floats) -> Instant:
        """Return the moments at times (...) of the clock; the rate changes linearly."""
        since = np.asarray(now, dtype=np.float64) - self._changed
        change = self._wanted - self._rate
        needed = abs(change) * RAMP
        ramp = np.clip(since, 0.0, needed)
        reached = self._rate + (change * ramp / needed if needed else 0.0)
        time = self._time + 0.5 * (self._rate + reached) * ramp + reached * (since - ramp)
        return Instant(np.asarray(time), np.asarray(reached + 0.0 * since))
