"""One sampled quantity per joint, tracked: outliers flagged, its slope filtered.

Pure arithmetic over arrays (..., n) without branches on values, so that the same source runs in
NumPy and is compiled with the kinematics. Flags are 0.0 or 1.0; a product is "and".

**Slope.** The backward difference d = (x - x_prev) / dt passes y += g (d - y), g = dt / (tau + dt):
a first-order low-pass of time constant tau, whatever the sample times. Its output lags by
tau + dt / 2; white noise of standard deviation s in x appears in y with s sqrt(2 / (2 - g)) /
(tau + dt). The first difference after a start is taken as it is, unless there was a `Hint`.

**Outliers.** A sample is explained by the one before and the slope since: the filtered one, or one
that the caller has from elsewhere (see `Hint`). What is left over, its *surprise*, may be
`floor` + `drift` dt + `SIGMAS` times the usual surprise (root mean square over `MEMORY` s), the
last term `noise` at most. Beyond that the sample is *flagged*: it does not enter the track. So what
enters unseen moves the slope by no more than that bound / (tau + dt). A flagged sample counts as
one that surprised by the bound, so that jumps in more than 1 / `SIGMAS`^2 of the samples pass as
the sensor's noise (the ticks of an encoder), if they are no larger than `noise`; a sensor coarser
than that is flagged at every tick. A new one is taken to be as noisy as that at first.

**Jumps.** The next sample near a flagged one confirms it: the quantity really jumped, and the track
goes on from there. At the `PATIENCE`th sample in a row that nothing explains, flagged like those
before, it starts again from standstill, to be doubted by the next. But if samples
return to the place that was left, two sources *contest* the quantity: each return demands one more
confirmation, so that the track stays with one source for as long as it sends.

A sample with the time of the last one, or a little before it, leaves the track as it is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from robodyn_ros.kernels.scalar import (
    arctan2,
    cos,
    greater,
    less_equal,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)
from robodyn_ros.spatial import Array

MAX_GAP = 0.5
"""Samples further apart than this (s) start the track again."""
MEMORY = 0.25
SIGMAS = 6.0
PATIENCE = 3
MAX_CONTEST = 8.0
CONTEST_MEMORY = 1.0
"""Time constant (s) in which a contest is forgotten."""
MANY = 1000.0
"""Samples beyond which they are no longer counted."""
SLOPE_KNOWN = 1.5
"""Samples that have entered beyond which a slope is known; they are counted in whole numbers."""
LIMIT = 1e9
"""Largest sane sample and slope; an angle of that size has lost all but nine digits, and what
follows from it (squares, lever arms) stays far from the floats' end."""


class Track(NamedTuple):
    """What is known of a sampled quantity, each (..., n).

    Attributes:
        value: Last sample that entered.
        time: Its time, s.
        slope: Filtered derivative; 0 where it is not known.
        entered: Samples that entered since the start: 0 for none, and 1 while the slope is unknown.
        scatter: Mean square of the surprise.
        strikes: Flagged samples in a row.
        contest: How many times samples returned to the other place, lately.
        candidate: The other place: last sample that was flagged, or the one that a jump left.
        candidate_time: Its time, s.
    """

    value: Array
    time: Array
    slope: Array
    entered: Array
    scatter: Array
    strikes: Array
    contest: Array
    candidate: Array
    candidate_time: Array

    @property
    def known(self) -> Array:
        """Whether the slope is."""
        known: Array = greater(self.entered, SLOPE_KNOWN) * 1.0
        return known


class Hint(NamedTuple):
    """The slope since the last sample as somebody else has it, (..., n), and where he has one."""

    slope: Array | float
    given: Array | float


STEADY = Hint(0.0, 1.0)
"""Hint that the quantity stays as it is; its slope then starts from 0 and passes the filter."""


class Tuning(NamedTuple):
    """How a quantity is tracked.

    Attributes:
        time_constant: tau of the slope's filter, s; 0 for plain differences.
        floor: Surprise that is never an outlier.
        drift: Surprise per second that is never an outlier.
        noise: What the usual surprise adds to that, at most.
        gate: 1.0 to flag outliers, 0.0 to let all samples in.
        wraps: (n,) 1.0 where values differing by 2 pi are the same, else 0.0.
    """

    time_constant: Array
    floor: float
    drift: float
    noise: float
    gate: Array
    wraps: Array | float


class _Step(NamedTuple):
    """What one sample is to a track.

    Attributes:
        starts: Whether it is the first.
        moves: Whether it is explained, or confirms a jump.
        confirms: Whether it does the latter.
        flagged: Whether it does not enter, unless the track is lost.
        doubtful: Whether it enters unjudged after others were flagged, and so is flagged, too.
        lost: Whether it is the last of those that are too many.
        returns: Whether it is at the other place again.
        expected: Slope that was expected; a guess if not `told`.
        told: Whether any was.
        difference: Backward difference, from the flagged sample if it confirms that.
        dt: Time of that difference, s.
        surprise: What is not explained.
    """

    starts: Array
    moves: Array
    confirms: Array
    flagged: Array
    doubtful: Array
    lost: Array
    returns: Array
    expected: Array
    told: Array
    difference: Array
    dt: Array
    surprise: Array


def wrapped(change: Array, wraps: Array | float) -> Array:
    """Return a change, taken into [-pi, pi] where it `wraps` and is larger than that."""
    turns = wraps * greater(abs(change), math.pi)
    result: Array = where(turns, arctan2(sin(change), cos(change)), change)
    return result


def follow(
    track: Track, sample: Array, given: Array, now: Array, hint: Hint, tuning: Tuning
) -> tuple[Track, Array]:
    """Take sane samples.

    Args:
        track: What was known.
        sample: (..., n) the samples.
        given: (..., n) which of them there are.
        now: Their time, s.
        hint: Another slope than the filtered one that may explain them.
        tuning: How it is tracked.

    Returns:
        What is known now, and which samples were flagged.
    """
    step = _judge(track, sample, given, now, hint, tuning)
    enters = step.starts + step.moves + step.lost
    slope, entered = _slope(track, step, tuning.time_constant)
    contest = where(step.returns, minimum(track.contest + 1.0, MAX_CONTEST), track.contest)
    forgets = CONTEST_MEMORY / (CONTEST_MEMORY + step.dt)
    struck = step.flagged + step.doubtful
    kept_time = where(step.starts, now - 2.0 * MAX_GAP, track.candidate_time)  # there is none yet
    strikes = where(struck, track.strikes + 1.0, where(enters, 0.0, track.strikes))
    result = Track(
        value=where(enters, sample, track.value),
        time=where(enters, now, track.time),
        slope=slope,
        entered=entered,
        scatter=_scatter(track, step, tuning),
        strikes=where(step.lost, 1.0, strikes),
        contest=where(step.starts, 0.0, where(step.moves, contest * forgets, contest)),
        candidate=where(step.flagged, sample, where(step.confirms, track.value, track.candidate)),
        candidate_time=where(step.flagged, now, where(step.confirms, track.time, kept_time)),
    )
    return result, struck


def _judge(
    track: Track, sample: Array, given: Array, now: Array, hint: Hint, tuning: Tuning
) -> _Step:
    """Compare a sample with what is expected, and with the other place."""
    # A hint that a sample refuted is no longer enough: with it alone the next is not judged.
    trusted = hint.given * maximum(track.known, less_equal(track.strikes, 0.5))
    told = maximum(track.known, trusted)
    expected = where(track.known, track.slope, trusted * hint.slope)
    usual = SIGMAS * sqrt(track.scatter)

    begun = greater(track.entered, 0.5) * 1.0
    elapsed = now - track.time
    running = begun * greater(elapsed, 0.0) * less_equal(elapsed, MAX_GAP)
    repeats = begun * less_equal(elapsed, 0.0) * less_equal(-MAX_GAP, elapsed)
    dt = where(running, elapsed, 1.0)
    ahead = wrapped(sample - track.value - expected * dt, tuning.wraps)
    hinted = abs(ahead + (expected - hint.slope) * dt)
    surprise = where(trusted, minimum(abs(ahead), hinted), abs(ahead))

    elapsed = now - track.candidate_time
    recent = greater(elapsed, 0.0) * less_equal(elapsed, MAX_GAP)
    since = where(recent, elapsed, 1.0)
    aside = wrapped(sample - track.candidate - expected * since, tuning.wraps)
    near = recent * less_equal(abs(aside), tuning.floor + tuning.drift * since + usual)

    # Where no slope is known, only the place of a sample flagged just before is any better.
    surprises = greater(surprise, tuning.floor + tuning.drift * dt + usual)
    elsewhere = greater(track.strikes, 0.5) * near * greater(abs(ahead), abs(aside))
    suspect = given * running * tuning.gate * where(told, surprises, elsewhere)
    confirms = suspect * near * greater(track.strikes, track.contest + 0.5)
    flagged = suspect * (1.0 - confirms)
    unjudged = given * running * tuning.gate * (1.0 - told) * (1.0 - suspect)
    return _Step(
        starts=given * (1.0 - running) * (1.0 - repeats),
        moves=given * running * (1.0 - flagged),
        confirms=confirms,
        flagged=flagged,
        doubtful=unjudged * surprises * greater(track.strikes, 0.5),
        lost=flagged * greater(track.strikes, track.contest + PATIENCE - 1.5),
        returns=suspect * near * less_equal(track.strikes, 0.5),
        expected=expected,
        told=told,
        difference=expected + where(confirms, aside / since, ahead / dt),
        dt=where(confirms, since, dt),
        surprise=surprise,
    )


def _slope(track: Track, step: _Step, time_constant: Array) -> tuple[Array, Array]:
    """Return the filtered slope and the number of samples that it rests on.

    A slope beyond `LIMIT` is not known. One that rests on two samples and not on the third is not
    known either: who can tell which of them is the outlier?
    """
    gain = where(step.told, step.dt / (time_constant + step.dt), 1.0)
    moved = step.expected + gain * (step.difference - step.expected)
    sane = less_equal(abs(moved), LIMIT)
    counted = where(sane, minimum(track.entered + 1.0, MANY), 1.0)
    none = step.starts + step.flagged * less_equal(track.entered, 2.5)
    slope = where(step.moves, where(sane, moved, 0.0), track.slope)
    entered = where(none, 1.0, where(step.moves, counted, track.entered))
    return where(none + step.lost, 0.0, slope), where(step.lost, 2.0, entered)


def _scatter(track: Track, step: _Step, tuning: Tuning) -> Array:
    """Return the mean square of the surprise."""
    largest = (tuning.noise / SIGMAS) ** 2
    allowed = tuning.floor + tuning.drift * step.dt + SIGMAS * sqrt(track.scatter)
    surprise = minimum(step.surprise, allowed)
    weight = maximum(2.0 / (track.entered + 2.0), step.dt / (MEMORY + step.dt))
    learned = track.scatter + weight * (surprise * surprise - track.scatter)
    learns = step.told * maximum(step.moves, step.flagged)
    kept = where(learns, minimum(learned, largest), track.scatter)
    scatter: Array = where(step.starts, largest, kept)
    return scatter


def forgotten(track: Track, slots: Array) -> Track:
    """Return the track with all forgotten where `slots` (..., n) is 1."""
    kept = 1.0 - slots
    return track._replace(slope=where(slots, 0.0, track.slope), entered=track.entered * kept)
