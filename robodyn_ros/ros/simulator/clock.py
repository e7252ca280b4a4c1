"""Simulated time in whole steps, as the stamps of messages."""

from __future__ import annotations

_SECOND = 1e9


class SimulatedClock:
    """Counts steps. A stamp of 0 means no time in ROS, so the first state is stamped 1 ns.

    Attributes:
        step: Length of a step, s.
        ticks: Steps so far.
    """

    def __init__(self, step: float, rate: float) -> None:
        """Begin at 0.

        Args:
            step: Length of a step, s.
            rate: Publications a second, Hz; their period is taken to a whole number of steps.
        """
        self.step = step
        self.ticks = 0
        self._period = max(1, round(1.0 / (rate * step)))

    @property
    def stamp(self) -> int:
        """The time, ns."""
        return max(1, round(self.ticks * self.step * _SECOND))

    @property
    def until_publication(self) -> int:
        """Steps until the next publication is due, 1 or more."""
        return self._period - self.ticks % self._period

    @property
    def is_publication(self) -> bool:
        """Whether one is due now."""
        return self.ticks % self._period == 0

    def count(self, steps: int) -> None:
        """Go on."""
        self.ticks += steps

    def steps(self, duration: float) -> int:
        """Return how many steps a time takes, s; 1 at least."""
        return max(1, round(duration / self.step))

    def reset(self) -> None:
        """Begin again at 0."""
        self.ticks = 0
