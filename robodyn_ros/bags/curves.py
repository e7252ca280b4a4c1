"""Curves of any number of rows in bounded memory: extremes of some hundred parts of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.evaluation import TERMS, Block
from robodyn_ros.conditioning.tracking import MAX_GAP
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

PARTS = 400
"""Least number of parts of a curve that has more rows; the most are twice as many."""
SHOWN = ("position", "velocity", "effort", *TERMS, "measured", "residual")
"""What is kept of each coordinate."""
WHOLE = ("kinetic", "potential", "power")


class Curve(NamedTuple):
    """A curve to be drawn: points in order, NaN where it is broken off."""

    time: Floats
    value: Floats


class Curves:
    """Takes rows, and keeps what can be seen of their curves."""

    def __init__(self, model: Model) -> None:
        """Begin with nothing."""
        self._columns = {
            (name, what): k * len(SHOWN) + i
            for k, name in enumerate(model.coordinate_names)
            for i, what in enumerate(SHOWN)
        }
        count = len(self._columns)
        self._whole = {what: count + i for i, what in enumerate(WHOLE)}
        total = count + len(WHOLE)
        self._low: Floats = np.zeros((0, total))
        self._high: Floats = np.zeros((0, total))
        self._begin: Floats = np.zeros(0)
        self._end: Floats = np.zeros(0)
        self._broken: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._size, self._rows = 1, 0
        self._last: tuple[float, int] | None = None

    def add(self, block: Block) -> None:
        """Take a block in."""
        arrays = {
            "position": block.position,
            "velocity": block.velocity,
            "effort": np.where(block.valid, block.effort, np.nan),
            **block.terms,
            "measured": block.measured,
            "residual": block.residual,
        }
        parts = np.stack([arrays[what] for what in SHOWN], axis=2).reshape(len(block), -1)
        power = np.einsum("ni,ni->n", block.effort, block.velocity)
        rows = np.column_stack([parts, block.kinetic, block.potential, power])
        last_time, last_segment = self._last or (block.time[0], block.segment[0])
        step = np.diff(block.time, prepend=last_time)
        broken = (step > MAX_GAP) | (np.diff(block.segment, prepend=last_segment) != 0)
        self._last = (float(block.time[-1]), int(block.segment[-1]))
        self._take(block.time, rows, broken)

    def _take(self, time: Floats, rows: Floats, broken: NDArray[np.bool_]) -> None:
        part = (self._rows + np.arange(len(time))) // self._size
        starts = np.flatnonzero(np.diff(part, prepend=part[0] - 1))
        goes_on = int(part[0]) < len(self._low)
        self._rows += len(time)
        self._low = _appended(self._low, np.fmin.reduceat(rows, starts), goes_on, np.fmin)
        self._high = _appended(self._high, np.fmax.reduceat(rows, starts), goes_on, np.fmax)
        self._begin = _appended(self._begin, np.minimum.reduceat(time, starts), goes_on, np.minimum)
        self._end = _appended(self._end, np.maximum.reduceat(time, starts), goes_on, np.maximum)
        cut = np.logical_or.reduceat(broken, starts)
        self._broken = _appended(self._broken, cut, goes_on, np.logical_or)
        while len(self._low) > 2 * PARTS:
            pairs = np.arange(0, len(self._low), 2)
            self._low = np.fmin.reduceat(self._low, pairs)
            self._high = np.fmax.reduceat(self._high, pairs)
            self._begin = np.minimum.reduceat(self._begin, pairs)
            self._end = np.maximum.reduceat(self._end, pairs)
            self._broken = np.logical_or.reduceat(self._broken, pairs)
            self._size *= 2

    def of(self, coordinate: str, what: str) -> Curve:
        """Return the curve of something in `SHOWN`."""
        return self._curve(self._columns[coordinate, what])

    def whole(self, what: str) -> Curve:
        """Return the curve of something in `WHOLE`."""
        return self._curve(self._whole[what])

    def _curve(self, column: int) -> Curve:
        low, high = self._low[:, column], self._high[:, column]
        if self._size == 1:
            time, value, each = self._begin, low, 1
        else:
            time = np.column_stack([self._begin, self._end]).ravel()
            value, each = np.column_stack([low, high]).ravel(), 2
        cuts = np.flatnonzero(self._broken) * each
        return Curve(np.insert(time, cuts, np.nan), np.insert(value, cuts, np.nan))


def _appended(
    kept: NDArray[Any], more: NDArray[Any], goes_on: bool, join: np.ufunc
) -> NDArray[Any]:
    """Return parts with more behind them, of which the first may go on with the last."""
    if goes_on:
        more = more.copy()
        more[0] = join(kept[-1], more[0])
        kept = kept[:-1]
    return np.concatenate([kept, more])
