"""What can be said of a replay as a whole, gathered block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.evaluation import TERMS, Block
from robodyn_ros.bags.hints import Likeness
from robodyn_ros.bags.limits import LimitWatch
from robodyn_ros.conditioning.tracking import MAX_GAP
from robodyn_ros.model import Model

Floats = NDArray[np.float64]


class _Moments:
    """Number, sums and extremes of numbers (n, k) by column; NaN does not count."""

    def __init__(self, count: int) -> None:
        self.count = np.zeros(count)
        self.total, self.squares = np.zeros(count), np.zeros(count)
        self.least: Floats = np.full(count, np.inf)
        self.largest: Floats = np.full(count, -np.inf)
        self.worst: Floats = np.zeros(count)
        self.worst_time: Floats = np.full(count, np.nan)

    def add(self, x: Floats, time: Floats) -> None:
        there = np.isfinite(x)
        known = np.where(there, x, 0.0)
        self.count += there.sum(axis=0)
        self.total += known.sum(axis=0)
        self.squares += (known * known).sum(axis=0)
        self.least = np.minimum(self.least, np.where(there, x, np.inf).min(axis=0))
        self.largest = np.maximum(self.largest, np.where(there, x, -np.inf).max(axis=0))
        rows = np.abs(known).argmax(axis=0)
        found = np.take_along_axis(known, rows[None], axis=0)[0]
        more = np.abs(found) > np.abs(self.worst)
        self.worst = np.where(more, found, self.worst)
        self.worst_time = np.where(more, time[rows], self.worst_time)

    def of(self, k: int) -> dict[str, float | None] | None:
        """Return mean, root mean square and extremes of a column, None where nothing counted."""
        if not self.count[k]:
            return None
        worst_time = float(self.worst_time[k])
        return {
            "mean": float(self.total[k] / self.count[k]),
            "rms": float(np.sqrt(self.squares[k] / self.count[k])),
            "least": float(self.least[k]),
            "largest": float(self.largest[k]),
            "worst": float(self.worst[k]),
            "worst_time": None if np.isnan(worst_time) else worst_time,
        }


class Statistics:
    """Gathers what is said of a replay.

    Attributes:
        limits: Beyond which positions, velocities and efforts went.
        likeness: What measured efforts look like beside computed ones.
    """

    def __init__(self, model: Model) -> None:
        """Begin with nothing."""
        self._names = model.coordinate_names
        self._units = tuple(
            "N m" if turns else "N" for joint in model.own_joints for turns in joint.joint.turning()
        )
        nv = model.nv
        self._efforts, self._measured, self._residual = (_Moments(nv) for _ in range(3))
        self._terms = {name: _Moments(nv) for name in TERMS}
        self._energies = _Moments(2)
        self._valid = np.zeros(nv)
        self._work = np.zeros((2, nv))
        self._rows, self._segments = 0, 0
        self._gaps, self._longest, self._first_gap = 0, 0.0, 0.0
        self._moving = self._time = 0.0
        self._last: tuple[int, float] | None = None
        self.limits = LimitWatch(model)
        self.likeness = Likeness(model)

    def add(self, block: Block) -> None:
        """Take a block in."""
        time, valid = block.time, block.valid
        effort = np.where(valid, block.effort, np.nan)
        self._efforts.add(effort, time)
        self._measured.add(block.measured, time)
        self._residual.add(block.residual, time)
        for name, moments in self._terms.items():
            moments.add(np.where(valid, block.terms[name], np.nan), time)
        self._energies.add(np.stack([block.kinetic, block.potential], axis=1), time)
        self._valid += valid.sum(axis=0)
        self._rows += len(block)
        self._segments = int(block.segment[-1]) + 1
        self._add_steps(block, effort)
        self.limits.add(block)
        self.likeness.add(block)

    def _add_steps(self, block: Block, effort: Floats) -> None:
        """Take in what lies between rows: pauses, and the work done."""
        time, segment = block.time, block.segment
        before, segments = time[:1], segment[:1]
        if self._last is not None:
            segments, before = (np.array([x]) for x in self._last)
        step = np.diff(time, prepend=before)
        joined = np.diff(segment, prepend=segments) == 0
        pause = joined & (step > MAX_GAP)
        self._gaps += int(pause.sum())
        longest = float(np.where(pause, step, 0.0).max())
        if longest > self._longest:
            self._longest = longest
            self._first_gap = float((time - step)[int(np.argmax(np.where(pause, step, 0.0)))])
        step = np.where(joined & ~pause, np.maximum(step, 0.0), 0.0)
        self._moving += float(step.sum())
        power = np.nan_to_num(effort * block.velocity) * step[:, None]
        self._work[0] += np.maximum(power, 0.0).sum(axis=0)
        self._work[1] += np.minimum(power, 0.0).sum(axis=0)
        self._last = (int(segment[-1]), float(time[-1]))
        self._time = max(self._time, float(time.max()))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON; SI units and radians, null where there is nothing."""
        kinetic, potential = (self._energies.of(k) for k in range(2))
        return {
            "rows": self._rows,
            "duration": self._time,
            "rate": self._rows / self._moving if self._moving > 0.0 else None,
            "clock_resets": max(self._segments - 1, 0),
            "pauses": {
                "count": self._gaps,
                "longest": self._longest,
                "longest_at": self._first_gap if self._gaps else None,
            },
            "kinetic_energy": kinetic,
            "potential_energy": potential,
            "coordinates": [self._coordinate(k) for k in range(len(self._names))],
        }

    def _coordinate(self, k: int) -> dict[str, Any]:
        return {
            "name": self._names[k],
            "unit": self._units[k],
            "valid_share": float(self._valid[k] / self._rows) if self._rows else 0.0,
            "effort": self._efforts.of(k),
            "measured": self._measured.of(k),
            "residual": self._residual.of(k),
            "terms": {name: moments.of(k) for name, moments in self._terms.items()},
            "work_done": float(self._work[0, k]),
            "work_taken": float(self._work[1, k]),
            "beyond": self.limits.of(k),
        }
