"""Meters of the state path: cheap to feed from its thread, read once a period by the reports.

One thread adds, another may read at any time; there are no locks. A reading that collides with an
addition may hold a value of the next period or miss one, which no report notices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CAPACITY = 2048
"""Values of which percentiles are taken: two seconds of a driver at 1000 Hz."""

_NONE = float("nan")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a `Meter` was fed since it was last read.

    Attributes:
        p50: Median; NaN when nothing came. Percentiles are of the last values, as many as the
            capacity, rounded up to a power of two.
        p99: 99th percentile (nearest rank); NaN when nothing came.
        max: Largest value of all that came; NaN when nothing came.
        count: Number of values that came.
    """

    p50: float = _NONE
    p99: float = _NONE
    max: float = _NONE
    count: int = 0


class Ring:
    """The last values that were added, in constant memory.

    Adding is what counts: a list is stored into in half the time of an array, and a mask is cheaper
    than a remainder.
    """

    __slots__ = ("_mask", "_read", "_values", "count")

    def __init__(self, capacity: int = CAPACITY) -> None:
        size = 1 << max(0, capacity - 1).bit_length()
        self._values = [0.0] * size
        self._mask = size - 1
        self._read = 0
        self.count = 0

    def take(self) -> tuple[NDArray[np.float64], int]:
        """Return the finite values since the last call, sorted, and how many values came."""
        count = self.count
        came = count - self._read
        self._read = count
        begin, end = (count - min(came, self._mask + 1)) & self._mask, count & self._mask
        if came == 0:
            kept = []
        elif begin < end:
            kept = self._values[begin:end]
        else:
            kept = self._values[begin:] + self._values[:end]
        values = np.array(kept, dtype=np.float64)
        return np.sort(values[np.isfinite(values)]), came


class Meter(Ring):
    """Percentiles of a quantity: a latency, an age, a size."""

    __slots__ = ("_peak",)

    def __init__(self, capacity: int = CAPACITY) -> None:
        super().__init__(capacity)
        self._peak = -np.inf

    def add(self, value: float) -> None:
        """Take one value; values that are not finite are counted and otherwise ignored."""
        count = self.count
        self._values[count & self._mask] = value
        self.count = count + 1
        if value > self._peak:  # noqa: PLR1730 - half of the time would go to max()
            self._peak = value

    def summary(self) -> Summary:
        """Return what came since the last call."""
        peak, self._peak = self._peak, -np.inf
        values, came = self.take()
        if len(values) == 0:
            return Summary(count=came)
        largest = max(peak, float(values[-1])) if np.isfinite(peak) else float(values[-1])
        return Summary(_rank(values, 0.5), _rank(values, 0.99), largest, came)


class Arrivals(NamedTuple):
    """How regularly messages came since `Intervals` was last read.

    Attributes:
        rate: Messages a second; NaN before there is a period to count in.
        median: Median interval between arrivals, s; NaN without one.
        jitter: 99th percentile of how far intervals are from the median, s; NaN without one.
        longest: Longest interval that ended, s; NaN without one.
    """

    rate: float = _NONE
    median: float = _NONE
    jitter: float = _NONE
    longest: float = _NONE


class Intervals(Ring):
    """The intervals between arrivals.

    Messages that are taken in one turn arrive together, so that the intervals are those between
    the turns, while the rate counts messages.
    """

    __slots__ = ("_counted", "_last", "_longest", "_messages", "_since")

    def __init__(self, capacity: int = CAPACITY) -> None:
        super().__init__(capacity)
        self._last = _NONE
        self._longest = -np.inf
        self._since = _NONE
        self._messages = 0
        self._counted = 0

    def add(self, arrival: float, messages: int = 1) -> None:
        """Take the monotonic time (s) at which `messages` messages arrived."""
        interval = arrival - self._last
        self._last = arrival
        if interval != interval:  # noqa: PLR0124 - NaN: the first, which begins the counting
            self._since = arrival
            return
        count = self.count
        self._values[count & self._mask] = interval
        self.count = count + 1
        self._messages += messages
        if interval > self._longest:  # noqa: PLR1730 - half of the time would go to max()
            self._longest = interval

    def summary(self, now: float) -> Arrivals:
        """Return what came since the last call; `now` is monotonic, s."""
        longest, self._longest = self._longest, -np.inf
        messages, since = self._messages, self._since
        new, self._counted = messages - self._counted, messages
        if since == since:  # noqa: PLR0124 - not NaN: something has arrived
            self._since = now
        period = now - since
        rate = new / period if period > 0.0 else _NONE
        values, _ = self.take()
        if len(values) == 0:
            return Arrivals(rate)
        median = _rank(values, 0.5)
        with np.errstate(over="ignore"):
            deviations = np.sort(np.abs(values - median))
        jitter = _rank(deviations, 0.99)
        return Arrivals(rate, median, jitter, longest if longest >= 0.0 else float(values[-1]))


class Sequence:
    """Messages lost on the way, by the numbers that a publisher gives them.

    A number lower than the last one is another start of the publisher. Numbers of several
    publishers are not told apart, so that the count means something for a single one only.
    """

    __slots__ = ("_last", "lost")

    def __init__(self) -> None:
        self._last = 0
        self.lost = 0

    def add(self, number: int) -> None:
        """Take the number of the next message; 0 where the middleware gives none."""
        last = self._last
        if number > last + 1 and last:
            self.lost += number - last - 1
        self._last = number


class Readings(NamedTuple):
    """One reading of `StateMeters`.

    Attributes:
        processing: From arrival to published, s.
        end_to_end: From the message's stamp to published, by the node's clock, s.
        batch: Messages taken in one turn: those that waited.
        arrivals: Regularity of the input.
        lost: Messages lost by the sequence numbers, in all.
    """

    processing: Summary = Summary()
    end_to_end: Summary = Summary()
    batch: Summary = Summary()
    arrivals: Arrivals = Arrivals()
    lost: int = 0


@dataclass(frozen=True, slots=True)
class StateMeters:
    """The meters of one input topic; see `Readings` for what each is fed."""

    processing: Meter = field(default_factory=Meter)
    end_to_end: Meter = field(default_factory=Meter)
    batch: Meter = field(default_factory=Meter)
    arrivals: Intervals = field(default_factory=Intervals)
    sequence: Sequence = field(default_factory=Sequence)

    def read(self, now: float) -> Readings:
        """Read all of them; `now` is monotonic, s."""
        return Readings(
            self.processing.summary(),
            self.end_to_end.summary(),
            self.batch.summary(),
            self.arrivals.summary(now),
            self.sequence.lost,
        )


def _rank(ordered: NDArray[np.float64], share: float) -> float:
    """Return the nearest-rank percentile of sorted values."""
    place = int(np.ceil(share * len(ordered))) - 1
    return float(ordered[max(place, 0)])
