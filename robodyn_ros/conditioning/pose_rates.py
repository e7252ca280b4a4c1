"""Velocities and accelerations of one frame from samples of its pose and velocity.

The filter is that of one-coordinate joints (see `tracking`, whose `MAX_GAP` starts it again): the
backward difference d passes y += g (d - y), g = dt / (tau + dt), a first-order low-pass of time
constant tau whatever the sample times, which lags by about tau + dt / 2; the first difference after
a start is taken as it is. The difference of two attitudes is the rotation vector between them (the
quaternion's logarithm), which has no jumps and no singularity below half a turn per sample.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.one_frame import inverse, product, rotation_vector
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.tracking import LIMIT, MAX_GAP

Floats = NDArray[np.float64]

MAX_GAP_NS = round(MAX_GAP * 1e9)


class FilteredRate:
    """Low-pass filtered rate of one vector: known as a whole, or not at all."""

    def __init__(self, size: int) -> None:
        """Start with nothing known."""
        self.value: Floats = np.zeros(size)
        self.known = False
        self._stamp: int = int(NEVER)

    def restart(self) -> None:
        """Forget every sample."""
        self.value = np.zeros_like(self.value)
        self.known = False
        self._stamp = int(NEVER)

    def advance(self, change: Floats, stamp: int, time_constant: float) -> None:
        """Take a change since the sample before.

        Args:
            change: (size,) difference of the new sample and the last; whatever it is at first.
            stamp: Time of the new sample, ns. The last one's again changes nothing.
            time_constant: tau in s; 0 for plain differences.
        """
        elapsed = stamp - self._stamp
        if elapsed == 0:
            return
        if not 0 < elapsed <= MAX_GAP_NS:
            self.restart()
            self._stamp = stamp
            return
        self._stamp = stamp
        seconds = elapsed * 1e-9
        gain = seconds / (time_constant + seconds) if self.known else 1.0
        value = self.value + gain * (change / seconds - self.value)
        # A jump that no sane motion makes has no rate: none is known then.
        self.known = bool(np.abs(value).max() <= LIMIT)
        self.value = value if self.known else np.zeros_like(value)


class VectorRate(FilteredRate):
    """Filtered derivative of a sampled vector."""

    def __init__(self, size: int) -> None:
        """Start with nothing known."""
        super().__init__(size)
        self._last: Floats = np.zeros(size)

    def update(self, sample: Floats, stamp: int, time_constant: float) -> None:
        """Take a finite sample (size,) at a time in ns."""
        self.advance(sample - self._last, stamp, time_constant)
        self._last = sample


class PoseRate(FilteredRate):
    """Filtered twist (6,) = [angular; linear] of a frame, in the reference's axes."""

    def __init__(self) -> None:
        """Start with nothing known."""
        super().__init__(6)
        self._position: Floats = np.zeros(3)
        self._back: Floats = np.array([0.0, 0.0, 0.0, 1.0])

    def update(
        self, position: Floats, quaternion: Floats, stamp: int, time_constant: float
    ) -> None:
        """Take a pose: position (3,) in m, unit quaternion (4,), at a time in ns."""
        turn = rotation_vector(product(quaternion, self._back))
        change = np.concatenate((turn, position - self._position))
        self.advance(change, stamp, time_constant)
        self._position, self._back = position, inverse(quaternion)
