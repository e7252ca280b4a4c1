"""Flags vector samples that do not follow from those before them.

The rules are those of single joints (see `tracking`) with lengths of vectors, angular and linear
ones apart, in place of numbers. What is left over of a change when the expected rate is taken out,
its *surprise*, may be `floor` + `drift` dt + `SIGMAS` times the usual surprise (root mean square
over `MEMORY` s, `noise` / `SIGMAS` at most, and that much at first). Beyond that the sample is
*flagged*. A second one near the first, or a third in a row, is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MEMORY = 0.25
SIGMAS = 6.0
PATIENCE = 3


class Room(NamedTuple):
    """How much of a change is never a surprise.

    Attributes:
        floor: At once.
        drift: Per second since the last sample.
        noise: Added at most for a sensor that is noisy.
    """

    floor: float
    drift: float
    noise: float


POSES = Room(0.01, 2.0, 0.05)
"""m and rad."""
TWISTS = Room(0.1, 60.0, 5.0)
"""m/s and rad/s."""


class Passage(Enum):
    """What becomes of a sample."""

    FOLLOWS = auto()
    JUMPED = auto()
    """It is believed, and so is the rate before it."""
    RESTARTS = auto()
    """It is believed, and nothing before it."""
    FLAGGED = auto()


class JumpGate:
    """The memory of one sampled vector of three numbers, or of two of them, one after another."""

    def __init__(self, room: Room) -> None:
        """Start with nothing known."""
        self._room = room
        self.restart()

    def restart(self) -> None:
        """Begin anew with the sample that comes."""
        self._largest = (self._room.noise / SIGMAS) ** 2
        self._scatter: float | Floats = self._largest
        self._entered = 1
        self._strikes = 0

    def judge(
        self, change: Floats, stray: Floats, expected: Sequence[Floats], seconds: float
    ) -> Passage:
        """Decide on one sample.

        Args:
            change: (3,) or (6,) since the last sample that entered.
            stray: Change since the last sample that was flagged; anything where none was.
            expected: Rates that would be no surprise; without any nothing is flagged.
            seconds: Time since the last sample that entered.
        """
        if not expected:
            self._entered, self._strikes = self._entered + 1, 0
            return Passage.FOLLOWS
        travelled = [rate * seconds for rate in expected]
        surprise = np.min([_lengths(change - way) for way in travelled], axis=0)
        allowed = self._room.floor + self._room.drift * seconds + SIGMAS * np.sqrt(self._scatter)
        flagged = bool((surprise > allowed).any())
        if flagged:
            near = bool((_lengths(stray) <= allowed + _lengths(travelled[0])).all())
            confirmed = self._strikes > 0 and near
            if confirmed or self._strikes >= PATIENCE - 1:
                # A rate that rests on two samples: who can tell which of them was the outlier?
                settled = confirmed and self._entered > 2
                self.restart()
                return Passage.JUMPED if settled else Passage.RESTARTS
        weight = max(2.0 / (self._entered + 2.0), seconds / (MEMORY + seconds))
        usual = np.minimum(surprise, allowed) ** 2
        self._scatter = np.minimum(self._scatter + weight * (usual - self._scatter), self._largest)
        if flagged:
            self._strikes += 1
            return Passage.FLAGGED
        self._entered, self._strikes = self._entered + 1, 0
        return Passage.FOLLOWS


def _lengths(vectors: Floats) -> Floats:
    """Return the length of each three numbers."""
    rows = vectors.reshape(-1, 3)
    return np.asarray(np.sqrt((rows * rows).sum(axis=1)))
