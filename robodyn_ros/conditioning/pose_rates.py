"""Velocities and accelerations of one frame from samples of its pose and velocity.

The filter is that of one-coordinate joints (see `tracking`, whose `MAX_GAP` starts it again): the
backward difference d passes y += g (d - y), g = dt / (tau + dt), a first-order low-pass of time
constant tau whatever the sample times, which lags by about tau + dt / 2; the first difference after
a start is taken as it is. The difference of two attitudes is the rotation vector between them (the
quaternion's logarithm), which has no jumps and no singularity below half a turn per sample.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.jump_gate import POSES, TWISTS, JumpGate, Passage, Room
from robodyn_ros.conditioning.one_frame import inverse, product, rotation_vector
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.tracking import LIMIT, MAX_GAP

Floats = NDArray[np.float64]

MAX_GAP_NS = round(MAX_GAP * 1e9)


class FilteredRate:
    """Low-pass filtered rate of one vector: known as a whole, or not at all."""

    def __init__(self, size: int, room: Room) -> None:
        """Start with nothing known; what is within `room` is no outlier."""
        self.value: Floats = np.zeros(size)
        self.known = False
        self._stamp: int = int(NEVER)
        self._gate = JumpGate(room)

    def restart(self) -> None:
        """Forget every sample."""
        self.value = np.zeros_like(self.value)
        self.known = False
        self._stamp = int(NEVER)

    def _offer(
        self,
        change: Floats,
        stray: Floats,
        stamp: int,
        time_constant: float,
        expected: Sequence[Floats],
    ) -> bool:
        """Take a change since the last sample that entered, unless it is an outlier.

        Args:
            change: (size,) difference of the new sample and the last; whatever it is at first.
            stray: (size,) difference of the new sample and the last that was flagged.
            stamp: Time of the new sample, ns. The last one's again changes nothing.
            time_constant: tau in s; 0 for plain differences.
            expected: Rates (size,) that would be no surprise; none to let every sample in.

        Returns:
            Whether the sample enters, and is the last one from now on.
        """
        elapsed = stamp - self._stamp
        if elapsed == 0:
            return True
        if not 0 < elapsed <= MAX_GAP_NS:
            self.restart()
            self._gate.restart()
            self._stamp = stamp
            return True
        seconds = elapsed * 1e-9
        passage = self._gate.judge(change, stray, expected, seconds)
        if passage is Passage.FLAGGED:
            return False
        if passage is Passage.RESTARTS:
            self.restart()
        self._stamp = stamp
        if passage is Passage.FOLLOWS:
            gain = seconds / (time_constant + seconds) if self.known else 1.0
            value = self.value + gain * (change / seconds - self.value)
            # A jump that no sane motion makes has no rate: none is known then.
            self.known = max(map(abs, value.tolist())) <= LIMIT
            self.value = value if self.known else np.zeros_like(value)
        return True


class VectorRate(FilteredRate):
    """Filtered derivative of a sampled vector."""

    def __init__(self, size: int, room: Room = TWISTS) -> None:
        """Start with nothing known."""
        super().__init__(size, room)
        self._last: Floats = np.zeros(size)
        self._stray: Floats = np.zeros(size)

    def update(
        self, sample: Floats, stamp: int, time_constant: float, expected: Sequence[Floats] = ()
    ) -> bool:
        """Take a finite sample (size,) at a time in ns; return whether it is no outlier.

        Outliers are looked for only where a rate to be `expected` is known.
        """
        change, stray = sample - self._last, sample - self._stray
        if not self._offer(change, stray, stamp, time_constant, expected):
            self._stray = sample
            return False
        self._last = sample
        return True


class PoseRate(FilteredRate):
    """Filtered twist (6,) = [angular; linear] of a frame, in the reference's axes."""

    def __init__(self) -> None:
        """Start with nothing known."""
        super().__init__(6, POSES)
        self._position: Floats = np.zeros(3)
        self._back: Floats = np.array([0.0, 0.0, 0.0, 1.0])
        self._stray: tuple[Floats, Floats] = (self._position, self._back)

    def update(
        self,
        position: Floats,
        quaternion: Floats,
        stamp: int,
        time_constant: float,
        expected: Sequence[Floats] = (),
    ) -> bool:
        """Take a pose at a time in ns; return whether it is no outlier.

        Args:
            position: (3,) m.
            quaternion: (4,) of norm 1.
            stamp: Time, ns.
            time_constant: tau in s.
            expected: Twists (6,) that would be no surprise; none to let every pose in.
        """
        turn = rotation_vector(product(quaternion, self._back))
        change = np.concatenate((turn, position - self._position))
        stray = change
        if expected:
            other, back = self._stray
            stray = np.concatenate((rotation_vector(product(quaternion, back)), position - other))
        if not self._offer(change, stray, stamp, time_constant, expected):
            self._stray = (position, inverse(quaternion))
            return False
        self._position, self._back = position, inverse(quaternion)
        return True
