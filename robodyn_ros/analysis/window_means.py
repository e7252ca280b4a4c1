"""Rows of a recording to means over short windows, the rows of a regression; memory is bounded.

Efforts, and the columns that they are explained by, are averaged alike, so that nothing is
distorted by it: noise of accelerations goes down to that of the change of velocity over a window.
Where a recording is long, windows are left out evenly. Within a window a joint either moves one
way, or its friction is not that of the model: its row is left out where friction is looked for.

Source: parallel filtering and decimation, Gautier 1997, "Dynamic identification of robots with
power model"; Khalil and Dombre 2002, chapter 12.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.unknowns import Unknowns

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

BUDGET = 4_000_000
"""Numbers that are kept, at most twice as many."""
_AT_ONCE = 1_000_000
"""Numbers that are worked on at a time."""
_EDGE = 1e-6
"""Of a window: rows that are nearer to its beginning belong to it, whatever rounding says."""
_FULL = 0.5
"""Share of the usual number of rows that a window must have."""


@dataclass(frozen=True)
class Extent:
    """How far a recording moved the coordinates, (nv,) each.

    Attributes:
        low, high: Positions, rad or m; NaN where a coordinate has none of its own.
        speed, acceleration: The largest, without sign.
    """

    low: Floats
    high: Floats
    speed: Floats
    acceleration: Floats

    def joined(self, other: Extent) -> Extent:
        """Return the extent of both."""
        return Extent(
            np.fmin(self.low, other.low),
            np.fmax(self.high, other.high),
            np.fmax(self.speed, other.speed),
            np.fmax(self.acceleration, other.acceleration),
        )


@dataclass(frozen=True)
class Windows:
    """Means over n windows.

    Attributes:
        time: (n,) of their beginnings, s.
        columns: (n, nv, p) efforts of one unit of each unknown.
        residual: (n, nv) measured less the described robot's efforts, N m or N.
        measured: (n, nv) efforts.
        velocity: (n, nv).
        known: (n, nv) whether all that a row rests on is known.
        moving: (n, nv) whether the coordinate moves one way throughout.
        extent: How far the recording moved.
        adjacent: Whether no windows were left out.
        rows: How many rows there were.
    """

    time: Floats
    columns: Floats
    residual: Floats
    measured: Floats
    velocity: Floats
    known: Flags
    moving: Flags
    extent: Extent
    adjacent: bool
    rows: int

    def __len__(self) -> int:
        return len(self.time)


class _Part:
    """Sums over consecutive windows: what is added, and what is compared."""

    def __init__(self, key: NDArray[np.int64], sums: Floats, low: Floats, high: Floats) -> None:
        self.key, self.sums, self.low, self.high = key, sums, low, high


class WindowMeans:
    """Takes rows of a recording, in order."""

    def __init__(self, unknowns: Unknowns, width: float, rest_speed: float) -> None:
        """Begin with nothing.

        Args:
            unknowns: What is looked for.
            width: Of a window, s.
            rest_speed: Below which a coordinate rests, rad/s or m/s.
        """
        self._unknowns, self._width, self._rest = unknowns, width, rest_speed
        self._nv = unknowns.robot.model.nv
        self._numbers = self._nv * (len(unknowns.names) + 4)
        self._most = max(64, BUDGET // self._numbers)
        self._stride = 1
        self._parts: list[_Part] = []
        self._count = self._rows = 0
        self._segment = 0
        nothing = np.full(self._nv, np.nan)
        self._extent = Extent(nothing, nothing, np.zeros(self._nv), np.zeros(self._nv))

    def add(
        self,
        time: Floats,
        segment: NDArray[np.int64],
        state: tuple[Floats, Floats, Floats, Floats],
        efforts: tuple[Floats, Floats],
    ) -> None:
        """Take n rows in.

        Args:
            time: (n,) s, rising.
            segment: (n,) counts clock resets.
            state: q (n, nq), positions, v and a (n, nv); NaN positions where there are none.
            efforts: Measured (n, nv), and that less the described robot's; NaN where not known.
        """
        q, position, v, a = state
        measured, residual = efforts
        known = np.isfinite(residual)
        self._rows += len(time)
        self._extent = self._extent.joined(_extent(position, v, a, known))
        key = np.floor(time / self._width + _EDGE).astype(np.int64) + (segment << 40)
        step = max(16, _AT_ONCE // self._numbers)
        for first in range(0, len(time), step):
            rows = np.arange(first, min(first + step, len(time)))
            rows = rows[key[rows] % self._stride == 0]
            if len(rows):
                self._take(key[rows], (q[rows], v[rows], a[rows]), measured[rows], residual[rows])

    def _take(
        self,
        key: NDArray[np.int64],
        state: tuple[Floats, Floats, Floats],
        measured: Floats,
        residual: Floats,
    ) -> None:
        n, v = len(key), state[1]
        known = np.isfinite(residual)
        columns = self._unknowns.columns(*state)
        columns[~known] = 0.0
        rows = np.concatenate(
            [
                columns.reshape(n, -1),
                np.where(known, residual, 0.0),
                np.where(known, measured, 0.0),
                v,
                known,
                np.ones((n, 1)),
            ],
            axis=1,
        )
        starts = np.flatnonzero(np.diff(key, prepend=key[0] - 1))
        part = _Part(
            key[starts],
            np.add.reduceat(rows, starts, axis=0),
            np.minimum.reduceat(v, starts, axis=0),
            np.maximum.reduceat(v, starts, axis=0),
        )
        last = self._parts[-1] if self._parts else None
        if last is not None and last.key[-1] == part.key[0]:
            last.sums[-1] += part.sums[0]
            last.low[-1] = np.minimum(last.low[-1], part.low[0])
            last.high[-1] = np.maximum(last.high[-1], part.high[0])
            part = _Part(part.key[1:], part.sums[1:], part.low[1:], part.high[1:])
        if len(part.key):
            self._parts.append(part)
            self._count += len(part.key)
        if self._count > 2 * self._most:
            self._thin()

    def _thin(self) -> None:
        """Leave out every other window, from now on too."""
        self._stride *= 2
        whole = self._joined()
        kept = whole.key % self._stride == 0
        self._parts = [_Part(whole.key[kept], whole.sums[kept], whole.low[kept], whole.high[kept])]
        self._count = int(kept.sum())
        if not self._count:
            self._parts = []

    def _joined(self) -> _Part:
        parts = self._parts
        return _Part(
            np.concatenate([x.key for x in parts]),
            np.concatenate([x.sums for x in parts]),
            np.concatenate([x.low for x in parts]),
            np.concatenate([x.high for x in parts]),
        )

    def result(self) -> Windows:
        """Return the means over whole windows."""
        nv, p = self._nv, len(self._unknowns.names)
        whole = self._joined() if self._parts else _nothing(nv, nv * (p + 4) + 1)
        self._parts = [whole] if len(whole.key) else []
        count = whole.sums[:, -1]
        full = count >= _FULL * np.median(count) if len(count) else np.zeros(0, dtype=bool)
        sums, count = whole.sums[full], count[full][:, None]
        at = nv * p + nv * np.arange(5)
        there = sums[:, at[3] : at[4]]
        told = np.maximum(there, 1.0)
        return Windows(
            time=np.asarray((whole.key[full] & ((1 << 40) - 1)) * self._width, np.float64),
            columns=sums[:, : at[0]].reshape(-1, nv, p) / told[..., None],
            residual=sums[:, at[0] : at[1]] / told,
            measured=sums[:, at[1] : at[2]] / told,
            velocity=sums[:, at[2] : at[3]] / count,
            known=there >= _FULL * count,
            moving=(whole.low[full] > self._rest) | (whole.high[full] < -self._rest),
            extent=self._extent,
            adjacent=self._stride == 1,
            rows=self._rows,
        )


def _nothing(nv: int, numbers: int) -> _Part:
    empty = np.zeros((0, nv))
    return _Part(np.zeros(0, dtype=np.int64), np.zeros((0, numbers)), empty, empty)


def _extent(position: Floats, v: Floats, a: Floats, known: Flags) -> Extent:
    """Return the extent of rows in which a coordinate's effort is known."""
    if not len(v):
        nothing = np.full(v.shape[1], np.nan)
        return Extent(nothing, nothing, np.zeros(v.shape[1]), np.zeros(v.shape[1]))
    there = np.where(known, position, np.nan)
    return Extent(
        np.fmin.reduce(there, axis=0),
        np.fmax.reduce(there, axis=0),
        np.max(np.where(known, np.abs(v), 0.0), axis=0),
        np.max(np.where(known, np.abs(a), 0.0), axis=0),
    )
