"""The efforts of joint states as they were sent, by joint: not filtered, but refused where odd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.input_plan import InputPlan
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.tracking import LIMIT

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

NO_EFFORT = "no effort in its joint states"
"""Why a joint of which no effort ever came has none."""
_INSANE = "effort not finite or beyond all bounds"


class JointEfforts:
    """The last effort of every joint slot, in whatever unit its driver has.

    Attributes:
        value: (n,) what was sent; 0 where `stamp` says that nothing was.
        stamp: (n,) its time, ns; NEVER for none.
        insane: (n,) whether the last one was not finite, or of an amount beyond `LIMIT`.
    """

    def __init__(self, count: int) -> None:
        """Start with nothing received of `count` joints."""
        self.value: Floats = np.zeros(count)
        self.stamp: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)
        self.insane: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self._complete: int | None = None

    def reset(self) -> None:
        """Forget all that was received, as after a clock reset."""
        self.value[:] = 0.0
        self.stamp[:] = NEVER
        self.insane[:] = False
        self._complete = None

    def is_complete(self, stamp: int) -> bool:
        """Return whether the last message gave a sane effort of every joint, at a stamp in ns."""
        return self._complete == stamp

    def take(self, plan: InputPlan, numbers: Sequence[float], slots: Indices, stamp: int) -> None:
        """Take the efforts of a message that a plan describes, of these of its slots.

        A message without efforts leaves what is known, to grow old.
        """
        if not plan.has_effort:
            return
        values = np.array(plan.pick_efforts(numbers), dtype=np.float64)
        named = plan.layout.slots
        if slots is not named and len(slots) < len(named):
            kept = np.isin(named, slots, assume_unique=True)
            named, values = named[kept], values[kept]
        sane = np.abs(values) <= LIMIT
        if len(named) == len(self.value) and sane.all():
            self.value[:], self.stamp[:], self.insane[:] = values, stamp, False
            self._complete = stamp
            return
        self._complete = None
        self.insane[named] = ~sane
        self.value[named] = np.where(sane, values, 0.0)
        self.stamp[named] = stamp

    def usable(self, stamp: int, stale_after: float) -> NDArray[np.bool_]:
        """Return (n,) whose effort is sane and, at a stamp in ns, no older than so many s."""
        if self.is_complete(stamp):
            return np.ones(len(self.value), dtype=bool)
        usable: NDArray[np.bool_] = (self.stamp != NEVER) & ~self.insane
        if stale_after > 0.0:
            usable &= self.stamp >= stamp - round(stale_after * 1e9)
        return usable

    def by_coordinate(
        self, factor: Floats, columns: Indices, count: int, stamp: int, stale_after: float
    ) -> Floats:
        """Return the usable efforts (count,) by coordinate, N m or N; NaN for those not known.

        Args:
            factor: (n,) from what was sent to N m or N; 0 where that is not known.
            columns: (n,) coordinate of every joint slot.
            count: Number of coordinates.
            stamp: The time, ns.
            stale_after: Age in s beyond which an effort is not used; 0 for never.
        """
        found = np.full(count, np.nan)
        usable = factor != 0.0
        if not self.is_complete(stamp):
            usable &= self.usable(stamp, stale_after)
        found[columns[usable]] = (factor * self.value)[usable]
        return found

    def reasons(self, stamp: int, stale_after: float) -> list[str]:
        """Return for each joint why its effort is not usable, "" where it is."""
        usable = self.usable(stamp, stale_after)
        return [
            "" if good else self._reason(slot, stamp) for slot, good in enumerate(usable.tolist())
        ]

    def _reason(self, slot: int, stamp: int) -> str:
        if self.stamp[slot] == NEVER:
            return NO_EFFORT
        if self.insane[slot]:
            return _INSANE
        return f"effort is {(stamp - int(self.stamp[slot])) * 1e-9:.1f} s old"
