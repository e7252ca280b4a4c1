"""The samples of coordinates that come together, with velocities, accelerations and flags."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.local_fit import local_fit
from robodyn_ros.bags.outliers import (
    POSITIONS,
    VELOCITIES,
    Room,
    outliers,
    pauses,
    suspicious,
)
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

WIDTH = 3.0
"""Half width of the parabolas in filter time constants: they pass as much as the nodes' filters."""


@dataclass(frozen=True, slots=True)
class Conditioning:
    """How samples become states.

    Attributes:
        filtered_acceleration: Whether accelerations follow from the samples; else they are 0.
        filter_time_constant: s; derivatives are fitted to what is within `WIDTH` times as much.
        outlier_rejection: Whether outliers are flagged.
        stale_after: Age, s, beyond which a value is not used; 0 for never.
    """

    filtered_acceleration: bool = True
    filter_time_constant: float = 0.02
    outlier_rejection: bool = True
    stale_after: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.filter_time_constant <= 10.0:
            raise ArgumentError(
                f"the filter time constant must be 0 to 10 s, got {self.filter_time_constant:g}"
            )
        if not 0.0 <= self.stale_after < np.inf:
            raise ArgumentError(f"stale_after must be 0 s or more, got {self.stale_after:g}")


class Series(NamedTuple):
    """What is known of k coordinates at the n samples of theirs, each (n, k).

    Attributes:
        position, velocity, acceleration: NaN where there was no sane position yet.
        position_ok, velocity_ok: Whether they are known, sane and no outliers.
        accelerated: Whether the acceleration is known, or is not to be.
        insane, outlier: Whether a number was not finite, or beyond all bounds; and does not follow.
    """

    position: Floats
    velocity: Floats
    acceleration: Floats
    position_ok: Flags
    velocity_ok: Flags
    accelerated: Flags
    insane: Flags
    outlier: Flags


class _Tracked(NamedTuple):
    """Derivatives of samples, (n, k), whether they are known, and which are outliers."""

    slope: Floats
    bend: Floats
    slope_known: Flags
    bend_known: Flags
    outlier: Flags


def series(
    t: Floats,
    position: Floats,
    velocity: Floats,
    given: tuple[Flags, Flags],
    wraps: Flags,
    choices: Conditioning,
) -> Series:
    """Condition samples.

    Args:
        t: (n,) rising, s.
        position: (n, k) rad or m.
        velocity: (n, k) rad/s or m/s.
        given: (n, k) which positions there are, and which velocities.
        wraps: (k,) coordinates whose position may jump by whole turns.
        choices: What the operator chose.
    """
    sane = np.abs(position) <= LIMIT  # NaN is not
    velocity_sane = np.abs(velocity) <= LIMIT
    there, measured = given[0] & sane, given[1] & velocity_sane
    wanted = not measured.all()
    places = _tracked(t, position, there, wraps, POSITIONS, choices, derive=wanted)
    rates = _tracked(
        t,
        velocity,
        measured,
        np.zeros_like(wraps),
        VELOCITIES,
        choices,
        derive=choices.filtered_acceleration,
    )
    derived = there & ~measured
    known = np.where(measured, velocity, np.where(derived, places.slope, np.nan))
    acceleration = np.where(measured, rates.slope, places.bend)
    accelerated = np.where(measured, rates.slope_known, places.bend_known)
    if not choices.filtered_acceleration:
        acceleration, accelerated = np.zeros_like(known), np.ones_like(there)
    velocity_ok = np.where(measured, ~rates.outlier, derived & places.slope_known) & ~places.outlier
    insane = (given[0] & ~sane) | (given[1] & ~velocity_sane)
    return Series(
        position=_held(np.where(there, position, np.nan)),
        velocity=_held(known),
        acceleration=_held(np.where(measured | derived, acceleration, np.nan)),
        position_ok=np.where(given[0], there & ~places.outlier, _held_flags(there, given[0])),
        velocity_ok=velocity_ok & ~(given[1] & ~velocity_sane),
        accelerated=accelerated,
        insane=insane,
        outlier=places.outlier | rates.outlier,
    )


def _tracked(
    t: Floats,
    x: Floats,
    good: Flags,
    wraps: Flags,
    room: Room,
    choices: Conditioning,
    *,
    derive: bool,
) -> _Tracked:
    """Return derivatives and outliers of the good ones among samples."""
    n, k = x.shape
    slope, bend = np.zeros((n, k)), np.zeros((n, k))
    slope_known, bend_known, outlier = (np.zeros((n, k), dtype=bool) for _ in range(3))
    half = WIDTH * choices.filter_time_constant
    pieces = pauses(t)
    whole = good.all(axis=0)
    smooth = _unwrapped(np.where(whole, x, 0.0), wraps)
    apart = ~whole
    if choices.outlier_rejection:
        apart |= suspicious(t, smooth, pieces, room)
    if derive and not apart.all():
        together = np.flatnonzero(~apart)
        fit = local_fit(t, np.ascontiguousarray(smooth[:, together]), pieces, half)
        slope[:, together], bend[:, together] = fit.slope, fit.bend
        slope_known[:, together] = (fit.samples > 1)[:, None]
        bend_known[:, together] = (fit.samples > 2)[:, None]
    for column in np.flatnonzero(apart).tolist():
        rows = np.flatnonzero(good[:, column])
        if not len(rows):
            continue
        samples = _unwrapped(x[rows, column][:, None], wraps[column : column + 1])
        wild: Flags = np.zeros(len(rows), dtype=bool)
        parts = pauses(t[rows])
        if choices.outlier_rejection:
            wild, parts = outliers(t[rows], samples[:, 0], room)
        outlier[rows[wild], column] = True
        kept = rows[~wild]
        if derive and len(kept):
            fit = local_fit(t[kept], samples[~wild], parts[~wild], half)
            slope[kept, column], bend[kept, column] = fit.slope[:, 0], fit.bend[:, 0]
            slope_known[kept, column] = fit.samples > 1
            bend_known[kept, column] = fit.samples > 2
    return _Tracked(slope, bend, slope_known, bend_known, outlier)


def _unwrapped(x: Floats, wraps: Flags) -> Floats:
    """Return samples (n, k) of which those that wrap are taken back to where they come from."""
    if not wraps.any():
        return x
    change = np.diff(x, axis=0, prepend=x[:1])
    turns = np.where(wraps & (np.abs(change) > pi), -np.round(change / (2.0 * pi)), 0.0)
    return x + 2.0 * pi * np.cumsum(turns, axis=0)


def _held(x: Floats) -> Floats:
    """Return samples (n, k) with the last number in place of NaN; NaN before the first."""
    there = ~np.isnan(x)
    if there.all():
        return x
    last = np.maximum.accumulate(np.where(there, np.arange(len(x))[:, None], 0), axis=0)
    return np.take_along_axis(x, last, axis=0)


def _held_flags(flags: Flags, given: Flags) -> Flags:
    """Return flags (n, k) with the last one that was given in place of those that were not."""
    held = _held(np.where(given, flags, np.nan).astype(np.float64))
    result: Flags = held > 0.5
    return result
