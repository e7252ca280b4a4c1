"""What becomes of efforts on their way out: ramped in, bounded, and not faster than they may be."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Shaped(NamedTuple):
    """Efforts that may be sent.

    Attributes:
        effort: (n,) N m or N.
        saturated: (n,) which were above their limits.
        slowed: (n,) which could not follow at once.
    """

    effort: Floats
    saturated: Flags
    slowed: Flags


class EffortShaper:
    """Ramp, saturation and slew limit of n efforts.

    Attributes:
        limit: (n,) highest magnitude, N m or N.
        slew: (n,) fastest change, N m/s or N/s; None for any.
        last: (n,) what was sent last.
    """

    def __init__(self, limit: Floats, slew_time: float, ramp_time: float) -> None:
        """Make it.

        Args:
            limit: (n,) > 0, finite.
            slew_time: s in which an effort may go from nothing to its limit; 0 for at once.
            ramp_time: s in which the law comes in after `begin`; 0 for at once.
        """
        self.limit: Floats = limit
        self.slew: Floats | None = limit / slew_time if slew_time > 0.0 else None
        self._ramp_time = ramp_time
        self.last: Floats = np.zeros(len(limit))
        self._from: Floats = self.last
        self._begun = 0.0
        self._last_time = 0.0

    def begin(self, now: float, start: Floats) -> None:
        """Ramp in from efforts (n,); `now` is s of any clock."""
        self._from = np.clip(start, -self.limit, self.limit)
        self.last = self._from.copy()
        self._begun = self._last_time = now

    def finish_ramp(self) -> None:
        """Have the law in force at once."""
        self._begun = -np.inf

    def share(self, now: float) -> float:
        """Return how far the law has come in, 0 to 1; smooth at both ends."""
        if self._ramp_time <= 0.0:
            return 1.0
        s = min(max((now - self._begun) / self._ramp_time, 0.0), 1.0)
        return s * s * (3.0 - 2.0 * s)

    def shape(self, now: float, wanted: Floats) -> Shaped:
        """Return what may be sent of efforts (n,) that are wanted.

        Args:
            now: s of the clock of `begin`.
            wanted: (n,) finite.
        """
        share = self.share(now)
        mixed = wanted if share == 1.0 else share * wanted + (1.0 - share) * self._from
        bounded = np.clip(mixed, -self.limit, self.limit)
        sent = bounded
        if self.slew is not None:
            room = self.slew * max(now - self._last_time, 0.0)
            sent = np.clip(bounded, self.last - room, self.last + room)
        self._last_time, self.last = now, sent
        return Shaped(sent, bounded != mixed, sent != bounded)
