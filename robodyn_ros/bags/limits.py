"""Limits of joints that a recorded motion exceeds: since when, how far, how much of the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.evaluation import Block
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

KINDS = ("position", "velocity", "effort", "measured effort")
_SLACK = 1e-9


@dataclass(frozen=True)
class Bounds:
    """Least and largest values (nv,) of one quantity; infinite where there is no limit."""

    lower: Floats
    upper: Floats


class LimitWatch:
    """Looks for what is beyond the limits of the description."""

    def __init__(self, model: Model) -> None:
        """Begin with nothing exceeded."""
        limits = [limit for joint in model.own_joints for limit in joint.rate_limits]
        lower = [-np.inf if x.lower is None else x.lower for x in limits]
        upper = [np.inf if x.upper is None else x.upper for x in limits]
        speed, effort = (
            np.array([x if x is not None and x > 0.0 else np.inf for x in values], np.float64)
            for values in ([x.velocity for x in limits], [x.effort for x in limits])
        )
        self._bounds = {
            "position": Bounds(np.array(lower, np.float64), np.array(upper, np.float64)),
            "velocity": Bounds(-speed, speed),
            "effort": Bounds(-effort, effort),
            "measured effort": Bounds(-effort, effort),
        }
        nv = model.nv
        self._rows = 0
        self._count: dict[str, NDArray[np.int64]] = {x: np.zeros(nv, np.int64) for x in KINDS}
        self._first, self._worst, self._excess, self._when = (
            _by_kind(nv, start) for start in (np.nan, 0.0, 0.0, np.nan)
        )

    def add(self, block: Block) -> None:
        """Take a block in; what is not valid is not judged."""
        self._rows += len(block)
        for kind, values in (
            ("position", block.position),
            ("velocity", block.velocity),
            ("effort", block.effort),
        ):
            self._judge(kind, np.where(block.valid, values, np.nan), block.time)
        self._judge("measured effort", block.measured, block.time)

    def _judge(self, kind: str, x: Floats, time: Floats) -> None:
        bounds = self._bounds[kind]
        beyond = np.fmax(x - bounds.upper, bounds.lower - x)
        beyond = np.where(np.isfinite(beyond), beyond, 0.0)
        out = beyond > _SLACK
        if not out.any():
            return
        fresh = out.any(axis=0) & (self._count[kind] == 0)
        self._first[kind] = np.where(fresh, time[out.argmax(axis=0)], self._first[kind])
        self._count[kind] += out.sum(axis=0)
        rows = beyond.argmax(axis=0)
        most = np.take_along_axis(beyond, rows[None], axis=0)[0]
        more = out.any(axis=0) & (most > self._excess[kind])
        value = np.take_along_axis(x, rows[None], axis=0)[0]
        self._worst[kind] = np.where(more, value, self._worst[kind])
        self._when[kind] = np.where(more, time[rows], self._when[kind])
        self._excess[kind] = np.where(more, most, self._excess[kind])

    def of(self, k: int) -> list[dict[str, Any]]:
        """Return the limits of coordinate k that were exceeded, times in s."""
        found = []
        for kind in KINDS:
            count = int(self._count[kind][k])
            if count:
                bounds = self._bounds[kind]
                found.append(
                    {
                        "kind": kind,
                        "rows": count,
                        "share": count / self._rows,
                        "first_time": float(self._first[kind][k]),
                        "worst": float(self._worst[kind][k]),
                        "worst_time": float(self._when[kind][k]),
                        "lower": _finite(bounds.lower[k]),
                        "upper": _finite(bounds.upper[k]),
                    }
                )
        return found


def _by_kind(count: int, start: float) -> dict[str, Floats]:
    return {kind: np.full(count, start) for kind in KINDS}


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
