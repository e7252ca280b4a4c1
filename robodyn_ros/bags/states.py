"""Rows of messages to states of the whole robot, in chunks that overlap: memory stays bounded.

A message moves the coordinates that it names; the others stay as they were told last, and grow old.
Derivatives look both ways, so a chunk is worked out with some rows before and behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import neutral
from robodyn_ros.bags.pose_series import pose_series
from robodyn_ros.bags.rows import Rows
from robodyn_ros.bags.series import WIDTH, Conditioning, Series, series
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
Stamps = NDArray[np.int64]

CHUNK = 16_384
"""Rows that are worked out together."""
_MARGIN_ROWS = 64
_MARGIN_LIMIT = 8_192
_MARGIN = 1.0
_SECOND = 1e9


class States(NamedTuple):
    """States of consecutive rows.

    Slots are those of `FramePlan`: coordinates that joint states give, then joints moved as poses.

    Attributes:
        stamp: (n,) ns.
        q, v, a: (n, nq), (n, nv), (n, nv).
        known: (n, slots) whether position, velocity and acceleration are good and not too old.
        received: (n, slots) whether there was a sane position so far.
        effort: (n, coordinates) as sent; NaN where there is none that is good and not too old.
        insane, outlier: (slots,) rows with such a number.
    """

    stamp: Stamps
    q: Floats
    v: Floats
    a: Floats
    known: Flags
    received: Flags
    effort: Floats
    insane: NDArray[np.int64]
    outlier: NDArray[np.int64]

    def behind(self, row: int) -> States:
        """Return the states from a row on."""
        rows: list[Any] = [x[row:] for x in self[:7]]
        counts: list[Any] = [self.insane, self.outlier]
        return States(*rows, *counts)


class _Track(NamedTuple):
    """What some messages say of slots: in which rows, and to which entries of q and v it goes."""

    rows: Indices
    slots: Indices
    of_q: Indices
    of_v: Indices
    series: Series


class StateTracker:
    """Turns rows into states; keeps what was told last."""

    def __init__(self, model: Model, plan: FramePlan, choices: Conditioning) -> None:
        """Begin with nothing received."""
        self._model, self._plan, self._choices = model, plan, choices
        told = told_coordinates(model)
        self._wraps: Flags = np.array([one.turns_endlessly for one in told], dtype=bool)
        self._slots = len(plan.slots) + len(plan.multi)
        self._margin = max(_MARGIN, 2.0 * WIDTH * choices.filter_time_constant)
        self.reset()

    def reset(self) -> None:
        """Forget everything, as after a clock reset; what was pushed and not flushed is lost."""
        model, slots = self._model, self._slots
        self._buffer: list[Rows] = []
        self._length = self._context = 0
        self._q: Floats = np.array(neutral(model), dtype=np.float64)
        if model.is_closed:
            self._q = model.defaults.q.copy()
        self._v, self._a = np.zeros(model.nv), np.zeros(model.nv)
        self._stamp: Stamps = np.full(slots, NEVER, dtype=np.int64)
        self._good: Flags = np.zeros(slots, dtype=bool)
        self._received: Flags = np.zeros(slots, dtype=bool)
        count = len(self._plan.slots)
        self._effort: Floats = np.full(count, np.nan)
        self._effort_stamp: Stamps = np.full(count, NEVER, dtype=np.int64)

    def push(self, rows: Rows) -> Iterator[States]:
        """Take rows, and yield the states that can be told by now."""
        self._buffer.append(rows)
        self._length += len(rows.stamp)
        while self._length - self._context >= CHUNK + _MARGIN_ROWS:
            window = self._joined()
            end = self._context + CHUNK
            behind = window.stamp[-1] - window.stamp[end - 1]
            if behind < self._margin * _SECOND and self._length - end < _MARGIN_LIMIT:
                return
            yield self._worked_out(window, end)
            self._forget(window, end)

    def flush(self) -> Iterator[States]:
        """Yield the states of what is left, and forget everything."""
        if self._length > self._context:
            window = self._joined()
            yield self._worked_out(window, self._length)
        self.reset()

    def _joined(self) -> Rows:
        window = Rows.joined(self._buffer)
        self._buffer = [window]
        return window

    def _forget(self, window: Rows, end: int) -> None:
        """Keep of a window what is not told yet, and a margin before it."""
        old = window.stamp[:end] >= window.stamp[end - 1] - self._margin * _SECOND
        kept = int(np.argmax(old)) if old.any() else end
        kept = max(min(kept, end - _MARGIN_ROWS), end - _MARGIN_LIMIT, 0)
        self._buffer = [window.part(slice(kept, None))]
        self._length, self._context = len(window.stamp) - kept, end - kept

    def _worked_out(self, window: Rows, end: int) -> States:
        """Return the states of rows up to `end`, the context left out."""
        core = slice(self._context, end)
        stamp = window.stamp[core]
        n = end - self._context
        q, v, a = (np.tile(x, (n, 1)) for x in (self._q, self._v, self._a))
        good, received = (np.tile(x, (n, 1)) for x in (self._good, self._received))
        times = np.tile(self._stamp, (n, 1))
        insane, outlier = (np.zeros(self._slots, dtype=np.int64) for _ in range(2))
        for track in self._tracks(window):
            own = (track.rows >= core.start) & (track.rows < core.stop)
            insane[track.slots] += track.series.insane[own].sum(axis=0)
            outlier[track.slots] += track.series.outlier[own].sum(axis=0)
            for target, columns, values in (
                (q, track.of_q, track.series.position),
                (v, track.of_v, track.series.velocity),
                (a, track.of_v, track.series.acceleration),
            ):
                _put(target, columns, values, track.rows, core)
            shown = track.series
            usable = shown.position_ok & shown.velocity_ok & shown.accelerated
            _put(good, track.slots, usable, track.rows, core)
            there = ~np.isnan(shown.position[:, : len(track.slots)])
            _put(received, track.slots, there, track.rows, core)
            _put(times, track.slots, window.stamp[track.rows][:, None], track.rows, core)
        known = good & self._fresh(stamp, times)
        effort = self._efforts(window, core)
        self._q, self._v, self._a = q[-1].copy(), v[-1].copy(), a[-1].copy()
        self._good, self._received, self._stamp = (
            good[-1].copy(),
            received[-1].copy(),
            times[-1].copy(),
        )
        return States(stamp, q, v, a, known, received, effort, insane, outlier)

    def _fresh(self, stamp: Stamps, times: Stamps) -> Flags:
        """Return whose times (n, k) are there, and no older at a stamp than is allowed."""
        fresh: Flags = times != NEVER
        if self._choices.stale_after > 0.0:
            fresh &= times >= stamp[:, None] - round(self._choices.stale_after * _SECOND)
        return fresh

    def _tracks(self, window: Rows) -> Iterator[_Track]:
        """Yield what the window says, coordinates that come together at once."""
        t = (window.stamp - window.stamp[0]) * 1e-9
        given = window.position_given | window.velocity_given
        for slots in _alike(given):
            rows = np.flatnonzero(given[:, slots[0]])
            if not len(rows):
                continue
            at = (slice(None), slots) if len(rows) == len(t) else np.ix_(rows, slots)
            found = series(
                t[rows],
                window.position[at],
                window.velocity[at],
                (window.position_given[at], window.velocity_given[at]),
                self._wraps[slots],
                self._choices,
            )
            of_q, of_v = self._plan.q_index[slots], self._plan.v_index[slots]
            yield _Track(rows, slots, of_q, of_v, found)
        for slot, entry in enumerate(self._plan.multi):
            rows = np.flatnonzero(window.pose_given[:, slot])
            if not len(rows) or entry.type_name == "prescribed":
                continue
            poses = (
                window.pose[rows, slot],
                window.twist[rows, slot],
                window.twist_given[rows, slot],
            )
            found = pose_series(entry, t[rows], *poses, self._choices)
            own = np.array([len(self._plan.slots) + slot])
            of_q, of_v = (np.arange(x.start, x.stop) for x in (entry.q, entry.v))
            yield _Track(rows, own, of_q, of_v, found)

    def _efforts(self, window: Rows, core: slice) -> Floats:
        """Return the efforts of the rows of a core, as sent, NaN where none is good."""
        n = core.stop - core.start
        effort, times = np.tile(self._effort, (n, 1)), np.tile(self._effort_stamp, (n, 1))
        sane = np.where(np.abs(window.effort) <= LIMIT, window.effort, np.inf)  # inf: refused
        for slots in _alike(window.effort_given):
            rows = np.flatnonzero(window.effort_given[:, slots[0]])
            if len(rows):
                _put(effort, slots, sane[np.ix_(rows, slots)], rows, core)
                _put(times, slots, window.stamp[rows][:, None], rows, core)
        self._effort, self._effort_stamp = effort[-1].copy(), times[-1].copy()
        usable = np.isfinite(effort) & self._fresh(window.stamp[core], times)
        return np.where(usable, effort, np.nan)


def _alike(given: Flags) -> Iterator[Indices]:
    """Yield the columns that are given in the same rows, together."""
    together: dict[bytes, list[int]] = {}
    for column, rows in enumerate(np.packbits(given, axis=0).T):
        together.setdefault(rows.tobytes(), []).append(column)
    for columns in together.values():
        yield np.array(columns, dtype=np.intp)


def _put(
    target: NDArray[Any], columns: Indices, values: NDArray[Any], rows: Indices, core: slice
) -> None:
    """Write what was told last of columns into every row of a core; NaN was not told.

    Args:
        target: (n, ...) filled with what was told before.
        columns: Where it goes.
        values: (len(rows), len(columns)) or (len(rows), 1).
        rows: Of the window, rising.
        core: The window's rows that are in the target.
    """
    last = np.searchsorted(rows, np.arange(core.start, core.stop), "right") - 1
    first = int(np.searchsorted(last, 0))  # rows before have nothing new
    found = values[last[first:]]
    if found.dtype == np.float64 and np.isnan(found).any():
        found = np.where(np.isnan(found), target[first:, columns], found)
    target[first:, columns] = found
