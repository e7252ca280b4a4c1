"""Messages of different content pass each other by: times and rate limits of each kind apart.

One publisher may give positions and another one velocities, or efforts, each with stamps of its
own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.input_plan import InputPlan
from robodyn_ros.conditioning.stamps import RateLimit, Timeline

Indices = NDArray[np.intp]


class Stream(NamedTuple):
    """The times of one kind of message, and its rate limit."""

    times: Timeline
    limit: RateLimit


class MessageStreams:
    """Messages with positions, others with velocities, and those with nothing but efforts."""

    def __init__(self, count: int) -> None:
        """Start with nothing received of `count` joints."""
        self._positions, self._velocities, self._efforts = (
            Stream(Timeline(count), RateLimit(count)) for _ in range(3)
        )

    def of(self, plan: InputPlan) -> Stream:
        """Return the stream that messages of a shape belong to."""
        if plan.has_position:
            return self._positions
        return self._efforts if plan.is_empty else self._velocities

    def inherit(self, mine: Indices, after: MessageStreams, theirs: Indices) -> None:
        """Take over the times of some joints of another robot."""
        for own, other in zip(self._all, after._all, strict=True):
            own.times.inherit(mine, other.times, theirs)

    @property
    def _all(self) -> tuple[Stream, ...]:
        return self._positions, self._velocities, self._efforts
