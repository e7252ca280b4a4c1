"""External wrenches that were told of, and which of them act at a time.

They are told by source and frame, each at the frame's origin in its own axes: a newer one of the
same source and frame takes the place of the one before, those of several sources add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model
from robodyn_ros.spatial import cross

Floats = NDArray[np.float64]

WRENCH_SIZE = 6
"""Moment, then force."""


class Told(NamedTuple):
    """One wrench on the robot.

    Attributes:
        source: Who told of it.
        frame: Frame that it acts at and is given in, by its name in the model.
        wrench: (6,) moment and force, N m and N.
        stamp: Its time, ns.
        lump: What it acts on; 0 is what does not move.
        moved: (6,) the same at that lump's origin, in its axes.
    """

    source: str
    frame: str
    wrench: Floats
    stamp: int
    lump: int
    moved: Floats


class ActingWrenches:
    """The wrenches on one robot; whoever calls it holds the path's lock.

    Attributes:
        timeout: Seconds between its stamp and that of a state after which a wrench does not act,
            earlier or later; 0 for never.
        acting: What acts, as of the last state; without wrenches that are zero.
        array: (lumps, 6) their sum on each lump, at its origin, in its axes; bound to kernels:
            written to, never replaced.
    """

    def __init__(self, model: Model, timeout: float = 0.0) -> None:
        """Start with nothing told."""
        self.timeout = timeout
        self.acting: tuple[Told, ...] = ()
        self.array: Floats = np.zeros((model.lumped.size, WRENCH_SIZE))
        self._model = model
        self._arrays = (self.array,)
        self._told: dict[tuple[str, str], Told] = {}

    @property
    def is_acting(self) -> bool:
        """Whether anything acts, as of the last state."""
        return bool(self.acting)

    def tell(self, source: str, frame: str, wrench: Floats, stamp: int) -> None:
        """Take a wrench (6,), finite, at a frame of the model.

        Raises:
            UnknownNameError: no such frame.
        """
        place = self._model.lumped.place(self._model.frame(frame))
        force = place.rotation @ wrench[3:]
        moment = place.rotation @ wrench[:3] + cross(place.position, force)
        moved = np.concatenate([moment, force])
        self._told[source, frame] = Told(source, frame, wrench.copy(), stamp, place.lump, moved)

    def told(self) -> Iterator[tuple[Told, bool]]:
        """Yield the last wrench of every source and frame, and whether it acts."""
        acting = {(x.source, x.frame) for x in self.acting}
        for key, wrench in self._told.items():
            yield wrench, key in acting

    def acting_at(self, stamp: int) -> tuple[Floats, ...]:
        """Return `array` for a state at a stamp in ns, in a tuple; an empty one if nothing acts."""
        if not self._told:
            return ()
        reach = round(self.timeout * 1e9)
        self.acting = tuple(
            x
            for x in self._told.values()
            if x.moved.any() and (reach == 0 or abs(stamp - x.stamp) <= reach)
        )
        if not self.acting:
            return ()
        self.array[:] = 0.0
        for told in self.acting:
            self.array[told.lump] += told.moved
        return self._arrays
