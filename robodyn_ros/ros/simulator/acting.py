"""The wrenches that act on a simulated robot, each until a step of simulated time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Wrench(NamedTuple):
    """[moment; force] (6,) in its frame's axes, N m and N, and the step with which it ends."""

    value: Floats
    end: int


class ActingWrenches:
    """Held wrenches, one for each frame, and pushes, any number."""

    def __init__(self) -> None:
        """Begin without any."""
        self._held: dict[str, Wrench] = {}
        self._pushes: list[tuple[str, Wrench]] = []

    def __len__(self) -> int:
        """Return how many act."""
        return len(self._held) + len(self._pushes)

    def hold(self, frame: str, wrench: Wrench) -> None:
        """Let a wrench act in place of the one held on its frame so far."""
        self._held[frame] = wrench

    def push(self, frame: str, wrench: Wrench) -> None:
        """Let a wrench act besides all others."""
        self._pushes.append((frame, wrench))

    def clear(self) -> None:
        """Let nothing act."""
        self._held.clear()
        self._pushes.clear()

    def end(self, tick: int) -> bool:
        """End those whose time is over; True where there are any."""
        before = len(self)
        self._held = {frame: x for frame, x in self._held.items() if x.end > tick}
        self._pushes = [(frame, x) for frame, x in self._pushes if x.end > tick]
        return len(self) < before

    def next_end(self) -> int | None:
        """Return the step with which the next one ends; None where none acts."""
        ends = [x.end for x in self._held.values()] + [x.end for _, x in self._pushes]
        return min(ends, default=None)

    def total(self) -> dict[str, Floats]:
        """Return what acts on each frame (6,)."""
        found = {frame: x.value.copy() for frame, x in self._held.items()}
        for frame, push in self._pushes:
            found[frame] = found[frame] + push.value if frame in found else push.value.copy()
        return found
