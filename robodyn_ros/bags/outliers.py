"""Samples that do not follow from those round them, and places at which a quantity jumps.

Unlike a node, who reads a bag knows what comes next: a change between two samples is judged by the
median rate of five changes round it. What that does not explain may be the floor, drift and usual
noise of the nodes (`conditioning.tracking`); beyond that it is a jump. At most two samples between
two jumps are outliers; a quantity that stays where it jumped to really went there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.conditioner import (
    POSITION_DRIFT,
    POSITION_FLOOR,
    POSITION_NOISE,
    VELOCITY_DRIFT,
    VELOCITY_FLOOR,
    VELOCITY_NOISE,
)
from robodyn_ros.conditioning.tracking import MAX_GAP, SIGMAS

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

SHORT = 2
"""Samples between two jumps that are outliers, at most."""
_NEIGHBOURS = 10
_OF_MEDIAN = 1.4826
"""Standard deviation of normal noise, in medians of its amount."""


class Room(NamedTuple):
    """What a change may be that is not explained: at once, per second, and for noise at most."""

    floor: float
    drift: float
    noise: float


POSITIONS = Room(POSITION_FLOOR, POSITION_DRIFT, POSITION_NOISE)
VELOCITIES = Room(VELOCITY_FLOOR, VELOCITY_DRIFT, VELOCITY_NOISE)


def pauses(t: Floats) -> Indices:
    """Return the pieces (n,) between pauses of more than `MAX_GAP`, numbered from 0."""
    found = np.zeros(len(t), dtype=np.intp)
    np.cumsum(np.diff(t) > MAX_GAP, out=found[1:])
    return found


def unexplained(t: Floats, x: Floats, pieces: Indices) -> Floats:
    """Return by how much (n - 1, k) each change differs from what the rates round it explain.

    Changes over a pause are 0.
    """
    if len(t) < 4:
        return np.zeros((max(len(t) - 1, 0), x.shape[1]))
    dt = np.diff(t)
    joined = np.diff(pieces) == 0
    change = np.diff(x, axis=0)
    rate = change / np.where(joined, dt, np.inf)[:, None]
    left = np.abs(change - _median_of_five(rate) * dt[:, None])
    left[~joined] = 0.0
    return np.asarray(left)


def suspicious(t: Floats, x: Floats, pieces: Indices, room: Room) -> Flags:
    """Return the columns (k,) in which a change is more than floor and drift allow."""
    if len(t) < 2:
        return np.zeros(x.shape[1], dtype=bool)
    allowed = room.floor + room.drift * np.diff(t)
    return np.asarray((unexplained(t, x, pieces) > allowed[:, None]).any(axis=0))


def outliers(t: Floats, x: Floats, room: Room) -> tuple[Flags, Indices]:
    """Judge one quantity.

    Args:
        t: (n,) rising, s.
        x: (n,) its samples.
        room: What is allowed.

    Returns:
        Which samples are outliers, and the numbers, rising, of the pieces between pauses and jumps
        that the others are in, both (n,).
    """
    outlier = np.zeros(len(t), dtype=bool)
    pieces = pauses(t)
    for short in range(1, SHORT + 1):
        good = np.flatnonzero(~outlier)
        cut = _jumps(t[good], x[good], room)
        inside = np.zeros(len(good), dtype=np.intp)
        np.cumsum(cut, out=inside[1:])
        length = np.bincount(inside, minlength=1)
        if cut.any():
            outlier[good[length[inside] <= short]] = True
    good = np.flatnonzero(~outlier)
    jumped = np.zeros(len(t), dtype=np.intp)
    jumped[good[1:]] = _jumps(t[good], x[good], room)
    return outlier, pieces + np.cumsum(jumped)


def _jumps(t: Floats, x: Floats, room: Room) -> Flags:
    """Return which changes (n - 1,) are jumps."""
    left = unexplained(t, x[:, None], pauses(t))[:, 0]
    allowed = room.floor + room.drift * np.diff(t)
    found = left > allowed
    for k in np.flatnonzero(found).tolist():
        near = np.concatenate(
            [left[max(0, k - _NEIGHBOURS) : k], left[k + 1 : k + 1 + _NEIGHBOURS]]
        )
        usual = SIGMAS * _OF_MEDIAN * float(np.median(near)) if len(near) else 0.0
        found[k] = left[k] > allowed[k] + min(usual, room.noise)
    return found


def _median_of_five(rate: Floats) -> Floats:
    """Return the median (n, k) of each row and two on either side, mirrored at the ends."""
    padded = np.pad(rate, ((2, 2), (0, 0)), mode="reflect")
    a, b, c, d, e = (padded[k : k + len(rate)] for k in range(5))
    low, high = np.minimum(a, b), np.maximum(a, b)
    other_low, other_high = np.minimum(d, e), np.maximum(d, e)
    # The least and the largest of four are not the median of all five.
    first, second = np.maximum(low, other_low), np.minimum(high, other_high)
    return np.asarray(
        np.maximum(np.minimum(first, second), np.minimum(np.maximum(first, second), c))
    )
