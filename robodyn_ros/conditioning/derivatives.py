"""First derivative of sampled joint values, low-pass filtered; one filter per slot.

Backward difference d = (x - x_prev) / dt, then y += (1 - exp(-dt / tau)) (d - y): a first-order
filter with time constant tau, whatever the sample times. Its output lags by about tau + dt / 2,
and white noise of standard deviation s in x appears in y with about s sqrt(2 g / (2 - g)) g' / dt,
g = 1 - exp(-dt / tau), g' <= 1. The first difference after a start is taken as it is.
"""

from __future__ import annotations

import math
import sys

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.joint_layout import Selection
from robodyn_ros.conditioning.stamps import NEVER

MAX_GAP = 500_000_000
"""Samples further apart than this (ns) start the filter again."""


class Derivative:
    """Filtered derivatives of `count` values."""

    def __init__(
        self, count: int, wraps: NDArray[np.bool_] | None = None, limit: float = math.inf
    ) -> None:
        """Start with nothing known.

        Args:
            count: Number of slots.
            wraps: (count,) slots whose difference is taken modulo 2 pi (continuous joints).
            limit: A derivative of a larger amount is not known, and forgotten by the filter.
        """
        self.value: NDArray[np.float64] = np.zeros(count)
        self.known: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self._limit = min(limit, sys.float_info.max)
        self._last: NDArray[np.float64] = np.zeros(count)
        self._stamp: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)
        self._all: NDArray[np.intp] = np.arange(count)
        self._wraps = np.zeros(count, dtype=bool) if wraps is None else wraps
        self._any_wraps = bool(self._wraps.any())

    def reset(self) -> None:
        """Forget every sample."""
        self.restart(slice(None))

    def restart(self, slots: Selection) -> None:
        """Forget the samples of some slots."""
        self.value[slots] = 0.0
        self.known[slots] = False
        self._stamp[slots] = NEVER

    def update(
        self, slots: Selection, samples: NDArray[np.float64], stamp: int, time_constant: float
    ) -> None:
        """Take finite samples of some slots.

        Args:
            slots: The slots, each once.
            samples: Their values, one for each slot.
            stamp: Time of the samples, ns.
            time_constant: Filter time constant tau in s; 0 for plain differences.
        """
        elapsed = stamp - self._stamp[slots]
        fit = (elapsed > 0) & (elapsed <= MAX_GAP)
        if fit.all():
            self._advance(slots, samples, elapsed, time_constant)
        else:
            numbers = self._all[slots]
            self.restart(numbers[~fit & (elapsed != 0)])
            self._advance(numbers[fit], samples[fit], elapsed[fit], time_constant)
        self._last[slots] = samples
        self._stamp[slots] = stamp

    def _advance(
        self,
        slots: Selection,
        samples: NDArray[np.float64],
        elapsed: NDArray[np.int64],
        time_constant: float,
    ) -> None:
        seconds = elapsed * 1e-9
        value = self.value[slots]
        gain: NDArray[np.float64] | float = 1.0
        if time_constant > 0.0:
            gain = -np.expm1(seconds * (-1.0 / time_constant))
            gain = np.where(self.known[slots], gain, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            change = samples - self._last[slots]
            if self._any_wraps:
                wrapped = np.remainder(change + math.pi, 2.0 * math.pi) - math.pi
                change = np.where(self._wraps[slots], wrapped, change)
            value = value + gain * (change / seconds - value)
        # A jump from one end of the floats to the other has no finite rate: none is known then.
        known = np.abs(value) <= self._limit
        self.value[slots] = value if known.all() else np.where(known, value, 0.0)
        self.known[slots] = known
