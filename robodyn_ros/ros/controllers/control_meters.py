"""How punctual a controller is."""

from __future__ import annotations

from dataclasses import dataclass, field

from robodyn_ros.ros.meters import Intervals, Meter


@dataclass
class ControlMeters:
    """What is measured of commands.

    Attributes:
        latency: From a state's arrival to its command being sent, s.
        intervals: Between commands.
        sent: Commands in all.
        saturated: Commands with an effort at its limit.
        missed: States that were due by the median interval and did not come, in all.
    """

    latency: Meter = field(default_factory=Meter)
    intervals: Intervals = field(default_factory=Intervals)
    sent: int = 0
    saturated: int = 0
    missed: int = 0
    _last: float = float("nan")
    _usual: float = float("nan")

    def state(self, stamp: int) -> None:
        """Take a state by its stamp, ns."""
        interval = (stamp - self._last) * 1e-9
        self._last = stamp
        if not interval > 0.0:
            return
        usual = self._usual
        if usual != usual:  # noqa: PLR0124 - NaN: the first
            self._usual = interval
            return
        if interval > 1.5 * usual:
            self.missed += round(interval / usual) - 1
            interval = 1.5 * usual
        self._usual = usual + 0.02 * (interval - usual)

    def pause(self) -> None:
        """Begin anew: what comes next follows nothing."""
        self._last = self._usual = float("nan")
