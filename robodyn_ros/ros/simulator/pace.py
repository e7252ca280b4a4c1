"""How many steps are due: simulated time against a steady clock, without a spiral.

Where steps take longer than real time allows, the time that is missing is given up and counted, so
that the simulation runs as fast as it can and never tries to make up for more than a moment.
"""

from __future__ import annotations

import math
from collections import deque

BACKLOG = 0.1
"""Seconds of wall time that are made up for after a delay; what is behind by more is given up."""
WINDOW = 1.0
"""Seconds of wall time over which the real-time factor is measured."""
_SHORTEST = 0.02
"""Seconds between two of its readings, and the shortest time that it is measured over."""


class Pace:
    """Says how far simulated time ought to be; all times are in s, wall time is monotonic.

    Attributes:
        behind: Simulated time that was given up so far, s; whoever begins anew sets it to 0.
    """

    def __init__(self, step: float, factor: float) -> None:
        """Plan; the time begins to run with `begin`.

        Args:
            step: Of the integration, s.
            factor: Simulated seconds per second of wall time, 0 for as fast as possible.
        """
        self._step = step
        self._factor = factor
        self._origin = 0.0
        self._taken = 0
        self._readings: deque[tuple[float, int]] = deque()
        self._total = 0
        self.behind = 0.0

    @property
    def factor(self) -> float:
        """The real-time factor that is asked for, 0 for as fast as possible."""
        return self._factor

    def begin(self, now: float) -> None:
        """Let time run from `now` on, as after a pause."""
        self._origin, self._taken = now, 0
        self._readings.clear()
        self._readings.append((now, self._total))

    def change(self, factor: float, now: float) -> None:
        """Ask for another real-time factor from `now` on."""
        self._factor = factor
        self.begin(now)

    def due(self, now: float, most: int) -> int:
        """Return how many steps are due, at most `most`; what cannot be made up for is given up."""
        if self._factor == 0.0:
            return most
        missing = self._factor * (now - self._origin) / self._step - self._taken
        bound = max(self._factor * BACKLOG / self._step, float(most))
        if missing > bound:
            lost = missing - bound
            self._origin += lost * self._step / self._factor
            self.behind += lost * self._step
            missing = bound
        return max(0, min(most, math.floor(missing + 1e-9)))

    def until(self, steps: int, now: float) -> float:
        """Return the wall time until so many steps are due, s; 0 where they are."""
        if self._factor == 0.0:
            return 0.0
        at = self._origin + (self._taken + steps) * self._step / self._factor
        return max(0.0, at - now)

    def took(self, steps: int, now: float) -> None:
        """Count steps that were taken."""
        self._taken += steps
        self._total += steps
        readings = self._readings
        if not readings or now - readings[-1][0] >= _SHORTEST:
            readings.append((now, self._total))
            while len(readings) > 2 and readings[1][0] <= now - WINDOW:
                readings.popleft()

    def measured(self, now: float) -> float:
        """Return the real-time factor of about the last second; 0 before there is one."""
        if not self._readings:
            return 0.0
        since, total = self._readings[0]
        if now - since < _SHORTEST:
            return 0.0
        return (self._total - total) * self._step / (now - since)
