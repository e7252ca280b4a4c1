"""One sampled quantity per joint, tracked: outliers flagged, its slope filtered.

Pure arithmetic over arrays (..., n) without branches on values, so that the same source runs in
NumPy and is compiled with the kinematics. Flags are 0.0 or 1.0; a product is "and".

**Slope.** The backward difference d = (x - x_prev) / dt passes y += g (d - y), g = dt / (tau + dt):
a first-order low-pass of time constant tau, whatever the sample times. Its output lags by
tau + dt / 2; white noise of standard deviation s in x appears in y with s sqrt(2 / (2 - g)) /
(tau + dt). The first difference after a start is taken as it is.

**Outliers.** A sample is explained by the one before and the slope expected between them. What is
left over is compared with ten times its running mean (over `MEMORY` s) plus `floor` times the time
elapsed, or `JITTER` where less has elapsed: a driver's stamps are not better than that. Beyond it
the sample is *flagged*: it does not enter the track. A second sample near the flagged one shows
that the quantity really jumped, and a third in a row is believed whatever it is; the track then
goes on from there with its old slope. Flagged samples widen the mean too, so that jumps in more
than about one sample of twenty count as noise of the sensor. Nothing is flagged during the first
`WARM_UP` samples after a start.

A sample with the time of the last one, or a little before it, leaves the track as it is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from robodyn_ros.kernels.scalar import (
    arctan2,
    cos,
    greater,
    less_equal,
    maximum,
    minimum,
    sin,
    where,
)
from robodyn_ros.spatial import Array

MAX_GAP = 0.5
"""Samples further apart than this (s) start the track again."""
JITTER = 0.005
"""Seconds by which the stamps of samples may be off."""
WARM_UP = 8
PATIENCE = 3
MEMORY = 0.25
FACTOR = 10.0
LIMIT = 1e9
"""Largest sane sample and slope; an angle of that size has lost all but nine digits, and what
follows from it (squares, lever arms) stays far from the floats' end."""


class Track(NamedTuple):
    """What is known of a sampled quantity, each (..., n).

    Attributes:
        value: Last sample that entered.
        time: Its time, s.
        candidate: Last sample that was flagged.
        strikes: Flagged samples in a row.
        entered: Samples that entered since the start, `WARM_UP` at most; 0 for none.
        scale: Running mean of the unexplained part of a change.
        slope: Filtered derivative; 0 where it is not known.
        known: Whether the slope is.
    """

    value: Array
    time: Array
    candidate: Array
    strikes: Array
    entered: Array
    scale: Array
    slope: Array
    known: Array


class Tuning(NamedTuple):
    """How a quantity is tracked.

    Attributes:
        time_constant: tau of the slope's filter, s; 0 for plain differences.
        floor: Unexplained change per second elapsed that is never an outlier.
        gate: 1.0 to flag outliers, 0.0 to let all samples in.
        wraps: (n,) 1.0 where values differing by 2 pi are the same, else 0.0.
    """

    time_constant: Array
    floor: float
    gate: Array
    wraps: Array


def wrapped(change: Array, wraps: Array) -> Array:
    """Return a change, taken into [-pi, pi] where it `wraps` and is larger than that."""
    turns = wraps * greater(abs(change), math.pi)
    result: Array = where(turns, arctan2(sin(change), cos(change)), change)
    return result


def follow(
    track: Track, sample: Array, given: Array, now: Array, expected: Array, tuning: Tuning
) -> tuple[Track, Array]:
    """Take sane samples.

    Args:
        track: What was known.
        sample: (..., n) the samples.
        given: (..., n) which of them there are.
        now: Their time, s.
        expected: (..., n) slope that the quantity is expected to have had since the last sample.
        tuning: How it is tracked.

    Returns:
        What is known now, and which samples were flagged.
    """
    begun = greater(track.entered, 0.0) * 1.0
    elapsed = now - track.time
    running = begun * greater(elapsed, 0.0) * less_equal(elapsed, MAX_GAP)
    dt = where(running, elapsed, 1.0)
    change = wrapped(sample - track.value, tuning.wraps)
    excess = abs(change - expected * dt)
    allowed = FACTOR * track.scale + tuning.floor * maximum(dt, JITTER)
    suspect = given * running * tuning.gate * greater(excess, allowed)
    suspect = suspect * greater(track.entered, WARM_UP - 0.5)
    distance = abs(wrapped(sample - track.candidate, tuning.wraps))
    near = less_equal(distance, allowed + abs(expected) * dt) * greater(track.strikes, 0.0)
    convinced = suspect * where(greater(track.strikes, PATIENCE - 1.5), 1.0, near)
    flagged = suspect * (1.0 - convinced)
    taken = given * (1.0 - flagged)
    follows = taken * running * (1.0 - convinced)
    repeats = begun * less_equal(elapsed, 0.0) * less_equal(-MAX_GAP, elapsed)
    starts = taken * (1.0 - running) * (1.0 - repeats)
    slope, known = _slope(track, change / dt, dt, follows, starts, tuning.time_constant)
    enters = follows + starts + convinced
    amount = minimum(excess, 2.0 * allowed)
    weight = maximum(1.0 / (track.entered + 1.0), dt / (MEMORY + dt))
    learned = track.scale + weight * (amount - track.scale)
    result = Track(
        value=where(enters, sample, track.value),
        time=where(enters, now, track.time),
        candidate=where(flagged, sample, track.candidate),
        strikes=where(flagged, track.strikes + 1.0, where(taken, 0.0, track.strikes)),
        entered=where(
            follows,
            minimum(track.entered + 1.0, float(WARM_UP)),
            where(starts + convinced, 1.0, track.entered),
        ),
        scale=where(starts, 0.0, where(follows + flagged, learned, track.scale)),
        slope=slope,
        known=known,
    )
    return result, flagged


def _slope(
    track: Track, difference: Array, dt: Array, follows: Array, starts: Array, time_constant: Array
) -> tuple[Array, Array]:
    """Return the filtered slope and whether it is known; one beyond `LIMIT` is not."""
    gain = where(track.known, dt / (time_constant + dt), 1.0)
    moved = track.slope + gain * (difference - track.slope)
    slope = where(follows, moved, where(starts, 0.0, track.slope))
    known = where(follows, 1.0, where(starts, 0.0, track.known))
    finite = less_equal(abs(slope), LIMIT)
    return where(finite, slope, 0.0), where(finite, known, 0.0)


def forgotten(track: Track, slots: Array) -> Track:
    """Return the track with all forgotten where `slots` (..., n) is 1."""
    kept = 1.0 - slots
    return track._replace(
        entered=track.entered * kept,
        strikes=track.strikes * kept,
        slope=where(slots, 0.0, track.slope),
        known=track.known * kept,
    )


def unknown(count: int) -> Track:
    """Return the track of `count` quantities of which nothing is known."""
    return Track(*(np.zeros(count) for _ in Track._fields))
