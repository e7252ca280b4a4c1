"""Whether the rates in a file of a base's motion go with its poses.

Rates are compared with the mean rates of the steps before and after their row. These may differ by
as much as mean rates do from step to step nearby (from rest to rest in one step they do by all of
it), and by a share of the largest; what differs by more is in other units, in other axes, or of
another sign, or the steps are too long to tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.one_frame import inverse, product, rotation_vector

Floats = NDArray[np.float64]

SHARE = 0.1
"""Of the largest mean rate in the file."""
LEAST = 1e-3
"""In any case allowed: m/s and rad/s, and as much for accelerations."""


class Given(NamedTuple):
    """Rates of a file: (n, 3), their columns, and the units of these."""

    values: Floats
    columns: tuple[str, str, str]
    unit: str


def doubts(
    time: Floats,
    position: Floats,
    quaternion: Floats,
    linear: tuple[Given | None, Given | None],
    angular: tuple[Given | None, Given | None],
    *,
    loop: bool,
) -> tuple[str, ...]:
    """Return a sentence for each kind of rate that does not go with what it is the rate of.

    Args:
        time: (n,) rising, s.
        position: (n, 3) m.
        quaternion: (n, 4) xyzw, unit.
        linear: Velocity and acceleration, as far as given.
        angular: Angular velocity and acceleration.
        loop: Whether the motion begins again; else it rests before and after.
    """
    step = np.diff(time)[:, None]
    pairs = zip(quaternion[1:], quaternion[:-1], strict=True)
    turns = np.array([rotation_vector(product(after, inverse(before))) for after, before in pairs])
    found = []
    for (rate, change), moved, what in (
        (linear, np.diff(position, axis=0), "positions"),
        (angular, turns, "quaternions"),
    ):
        if rate is None:
            continue
        mean = moved / step
        found.append(_doubt(time, mean, 0.0 * mean, rate, what, loop=loop))
        if change is not None:
            # A curve with these rates at its ends needs accelerations from -slack to slack more.
            slack = 6.0 * np.abs(mean - 0.5 * (rate.values[1:] + rate.values[:-1])) / step
            steps = np.diff(rate.values, axis=0) / step
            names = ", ".join(rate.columns)
            found.append(_doubt(time, steps, slack, change, names, loop=loop))
    return tuple(filter(None, found))


def _doubt(
    time: Floats, mean: Floats, slack: Floats, given: Given, what: str, *, loop: bool
) -> str:
    """Return what is to be said of one kind of rate, "" for nothing."""
    outside = mean[-1:], mean[:1]
    if not loop:
        outside = 0.0 * mean[:1], 0.0 * mean[:1]
    around = np.vstack([outside[0], mean, outside[1]])
    expected = 0.5 * (around[1:] + around[:-1])
    varying = np.linalg.norm(np.diff(around, axis=0), axis=1)
    length = np.linalg.norm(slack, axis=1)
    varying += np.maximum(np.append(length, 0.0), np.append(0.0, length))
    nearby = np.append(0.0, np.append(varying, 0.0))
    allowed = np.max([nearby[:-2], nearby[1:-1], nearby[2:]], axis=0)
    allowed += LEAST + SHARE * np.max(np.linalg.norm(mean, axis=1))
    off = np.linalg.norm(given.values - expected, axis=1)
    wrong = np.flatnonzero(off > allowed)
    if not len(wrong):
        return ""
    row = int(wrong[np.argmax((off / allowed)[wrong])])
    axis = int(np.argmax(np.abs(given.values[row] - expected[row])))
    more = f" (so {len(wrong)} rows)" if len(wrong) > 1 else ""
    return (
        f"column {given.columns[axis]} has {given.values[row, axis]:.4g} {given.unit} at time"
        f" {time[row]:g} s (row {row + 1}), but {what} change by {expected[row, axis]:.4g}"
        f" {given.unit} there{more}; the column is followed. It must be in {given.unit} and in"
        " world axes"
    )
