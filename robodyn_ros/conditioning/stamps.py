"""Which message stamps move a joint forward in time, and which are repeats, stragglers or resets.

Drivers repeat stamps, two publishers interleave, simulators and bag players start over. Times are
integer nanoseconds; joints are slots 0..n-1. Rules, with `RESET_GAP` = 1 s and `PATIENCE` = 3:

1. A joint takes a stamp newer than its last one; the same stamp again is a repeat.
2. A step back by at least the gap is a reset: everything known is forgotten and the message counts.
3. A smaller step back is a message out of order and is dropped, unless three come in a row
   (a short bag that loops).
4. After a reset a message that belongs to the time before it (a step forward by more than the gap
   which lands nearer to the old time than to the new, and less than `REACH` = 10 s behind its end)
   is dropped, unless three come in a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray

RESET_GAP = 1_000_000_000
PATIENCE = 3
REACH = 10_000_000_000
NEVER = np.iinfo(np.int64).min // 2
NOTHING: NDArray[np.intp] = np.zeros(0, dtype=np.intp)


class Verdict(Enum):
    """What a message's stamp means for the joints it names."""

    NEW = auto()
    REPEATED = auto()
    LATE = auto()
    RESET = auto()


class Timeline:
    """The last stamp of every joint, and the memory of the last reset."""

    def __init__(self, count: int) -> None:
        self.last: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)
        self._behind: NDArray[np.int64] = np.zeros(count, dtype=np.int64)
        self._front: int = int(NEVER)
        self._old_end: int | None = None
        self._strays = 0
        self._smooth: NDArray[np.intp] | None = None
        self._smooth_stamp = 0

    def judge(self, slots: NDArray[np.intp], stamp: int) -> tuple[Verdict, NDArray[np.intp]]:
        """Decide on one message and take its stamp.

        Args:
            slots: Joints that the message names.
            stamp: Its stamp, ns.

        Returns:
            The verdict and the slots (a subset, in order) for which the stamp is new.
        """
        if slots is self._smooth and stamp > self._smooth_stamp:
            self._smooth_stamp = stamp
            return Verdict.NEW, slots
        self._settle()
        verdict, fresh = self._judge(slots, stamp)
        # The usual case from here on: the same joints again, all of them later.
        usual = verdict is Verdict.NEW and len(fresh) == len(slots) and self._old_end is None
        self._smooth, self._smooth_stamp = slots if usual else None, stamp
        return verdict, fresh

    def judge_rising(
        self, slots: Sequence[NDArray[np.intp]], stamps: Sequence[NDArray[np.int64]]
    ) -> bool:
        """Take many messages at once where all that they bring is new: what `judge` would say.

        Args:
            slots: For each kind of message the joints that it names.
            stamps: For each the stamps (n,), n > 0, in order, ns.

        Returns:
            False, and nothing is taken, where they have to be judged one by one.
        """
        self._settle()
        self._smooth = None
        named = np.concatenate([NOTHING, *slots])
        if self._old_end is not None or len(np.unique(named)) < len(named):
            return False
        for joints, times in zip(slots, stamps, strict=True):
            newest = self.last[joints].max(initial=int(NEVER))
            if times[0] <= newest or (np.diff(times) <= 0).any():
                return False
        for joints, times in zip(slots, stamps, strict=True):
            self.last[joints] = times[-1]
            self._behind[joints] = 0
            self._front = max(self._front, int(times[-1]))
        self._strays = 0
        return True

    def inherit(self, slots: NDArray[np.intp], other: Timeline, theirs: NDArray[np.intp]) -> None:
        """Take over the last stamps of another timeline's slots."""
        self._settle()
        self._smooth = None
        other._settle()
        self.last[slots] = other.last[theirs]
        self._front = other._front
        self._old_end = other._old_end

    def _settle(self) -> None:
        """Write down the stamps of the usual case, where only the last one is kept meanwhile."""
        if self._smooth is not None:
            self.last[self._smooth] = self._smooth_stamp
            self._front = max(self._front, self._smooth_stamp)

    def _judge(self, slots: NDArray[np.intp], stamp: int) -> tuple[Verdict, NDArray[np.intp]]:
        if self._is_stray(stamp):
            self._strays += 1
            if self._strays < PATIENCE:
                # Whoever still sends in the old time is known further on.
                self._old_end = max(stamp, self._old_end or stamp)
                return Verdict.LATE, slots[:0]
            self._old_end = None
        self._strays = 0
        last = self.last[slots]
        newest = int(last.max(initial=int(NEVER)))
        fresh = slots[last < stamp]
        verdict = Verdict.NEW
        if newest - stamp >= RESET_GAP:
            verdict = Verdict.RESET
        elif len(fresh) == 0 and len(slots):
            if newest == stamp:
                return Verdict.REPEATED, fresh
            self._behind[slots] += 1
            if int(self._behind[slots].min()) < PATIENCE:
                return Verdict.LATE, fresh
            verdict = Verdict.RESET
        if verdict is Verdict.RESET:
            self._start_over()
            fresh = slots
        self.last[fresh] = stamp
        self._behind[fresh] = 0
        self._front = max(self._front, stamp)
        if self._old_end is not None and self._front >= self._old_end:
            self._old_end = None
        return verdict, fresh

    def _is_stray(self, stamp: int) -> bool:
        if self._old_end is None:
            return False
        step = stamp - self._front
        beyond = stamp - self._old_end
        return step > RESET_GAP and abs(beyond) < step and beyond < REACH

    def _start_over(self) -> None:
        self.last[:] = NEVER
        self._behind[:] = 0
        self._old_end = self._front
        self._front = int(NEVER)


class RateLimit:
    """Lets each joint through at most `frequency` times a second of its own stamps.

    Due times lie on a grid, so that an input as fast as the limit is not halved by jitter.
    """

    def __init__(self, count: int) -> None:
        self._due: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)

    def reset(self) -> None:
        """Forget all due times (after a clock reset)."""
        self._due[:] = NEVER

    def pass_on(self, slots: NDArray[np.intp], stamp: int, frequency: float) -> NDArray[np.intp]:
        """Return the slots that may be published at `stamp` (ns); frequency 0 lets all pass."""
        if frequency <= 0.0 or len(slots) == 0:
            return slots
        period = max(1, round(1e9 / frequency))
        due = self._due[slots]
        ready = due <= stamp
        passed = slots[ready]
        behind = due[ready] + 2 * period <= stamp
        self._due[passed] = np.where(behind, stamp, due[ready]) + period
        return passed
