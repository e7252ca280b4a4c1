"""The last positions of some bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SMALLEST_EXTENT = 1e-3
"""A trail that has not left this neighbourhood of its last point is not worth a line, m."""


class TrailMemory:
    """The last `length` positions of n points, oldest first.

    A trail has as many points from its start on: the oldest is repeated until there are enough.

    Attributes:
        points: (n, length, 3), m; always finite.
    """

    def __init__(self, count: int, length: int) -> None:
        self.points: Floats = np.zeros((count, length, 3))
        self._started: Flags = np.zeros(count, dtype=bool)
        self._stamp: int | None = None

    def reset(self) -> None:
        """Forget everything."""
        self._started[:] = False
        self._stamp = None

    def push(self, stamp: int, position: Floats, sound: Flags) -> None:
        """Take the newest positions.

        Args:
            stamp: Their time, ns. That of the last call says nothing new; an earlier one starts
                all trails afresh.
            position: (n, 3), m.
            sound: (n,) which of them can be used; the trail of another ends and starts afresh.
        """
        if self._stamp is not None and stamp < self._stamp:
            self.reset()
        going = sound & self._started
        if stamp != self._stamp and going.any():
            self.points[going, :-1] = self.points[going, 1:]
            self.points[going, -1] = position[going]
        starting = sound & ~self._started
        if starting.any():
            self.points[starting] = position[starting, None]
        self._started = sound.copy()
        self._stamp = stamp

    def visible(self) -> Flags:
        """Return which trails (n,) are there and long enough to be seen."""
        extent = np.abs(self.points - self.points[:, -1:]).max(axis=(1, 2), initial=0.0)
        visible: Flags = self._started & (extent >= SMALLEST_EXTENT)
        return visible
