"""Whether something touches the robot: external joint efforts against thresholds.

Contact begins where the effort of any joint stays above its threshold for a minimum duration, and
ends where all have stayed below a share of theirs for as long: what is in between changes nothing.

Source: S. Haddadin, A. De Luca and A. Albu-Schaeffer, T-RO 33(6), 2017, section IV.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

RELEASE = 0.7
"""Share of its threshold that an effort falls below where a contact ends."""
MARGIN = 2.0
"""Thresholds that are learnt, in largest efforts of quiet motion."""
LEARNING = 3.0
"""Seconds of quiet motion that they are learnt from."""
SPELL = 0.05
"""Share of that time that is looked at by itself."""
MOST = 3.0
"""How many times the usual largest effort of a spell the largest of all may be."""
_SHARE = 0.01
"""Of a joint's effort limit: the smallest effort that counts."""
_SMALLEST = 0.5
"""The same where there is no limit, N m or N."""


def smallest_efforts(model: Model) -> Floats:
    """Return efforts (nv,), N m or N, below which nothing is made of a difference.

    1 % of what a joint can exert, 0.5 N m or N where no limit is known.
    """
    found = np.full(model.nv, _SMALLEST)
    for joint in model.own_joints:
        for k, limits in enumerate(joint.rate_limits):
            if limits.effort is not None and 0.0 < limits.effort < math.inf:
                found[joint.v_index + k] = _SHARE * limits.effort
    return found


class ContactDetector:
    """The contact flag of one robot.

    Attributes:
        thresholds: (nv,) efforts, N m or N; infinite for coordinates that do not count.
        touched: (nv,) which efforts are above theirs now.
    """

    def __init__(
        self, thresholds: ArrayLike, *, duration: float = 0.02, release: float = RELEASE
    ) -> None:
        """Begin without contact.

        Args:
            thresholds: (nv,) N m or N, above 0.
            duration: Seconds that contact, and its end, last before they are told; 0 for at once.
            release: Share of the thresholds below which contact ends, 0 to 1.

        Raises:
            ArgumentError: a value that cannot be used.
        """
        self.thresholds = real_array("thresholds", thresholds)
        if self.thresholds.ndim != 1 or not (self.thresholds > 0.0).all():
            raise ArgumentError(
                f"thresholds must be positive numbers (nv,), got {self.thresholds.tolist()}"
            )
        if not 0.0 <= duration < math.inf:
            raise ArgumentError(f"duration must be at least 0 s, got {quoted(duration)}")
        if not 0.0 < release <= 1.0:
            raise ArgumentError(f"release must be above 0 and at most 1, got {quoted(release)}")
        self._duration, self._release = float(duration), float(release)
        self.reset()

    @property
    def in_contact(self) -> bool:
        """Whether something touches the robot."""
        return self._in_contact

    def reset(self) -> None:
        """Begin without contact again."""
        self.touched: Flags = np.zeros(len(self.thresholds), dtype=bool)
        self._in_contact = False
        self._differs = 0.0

    def update(self, effort: ArrayLike, dt: float) -> bool:
        """Take external joint efforts (nv,), `dt` seconds after those before; return the flag.

        An effort that is not finite says nothing.
        """
        size = np.abs(np.asarray(effort, dtype=np.float64))
        self.touched = np.isfinite(size) & (size > self.thresholds)
        if self._in_contact:
            held = np.isfinite(size) & (size > self._release * self.thresholds)
            turns = not held.any()
        else:
            turns = bool(self.touched.any())
        if not turns:
            self._differs = 0.0
            return self._in_contact
        self._differs += dt if 0.0 <= dt < math.inf else 0.0
        if self._differs >= self._duration:
            self._in_contact, self._differs = not self._in_contact, 0.0
        return self._in_contact


class QuietThresholds:
    """Learns thresholds from motion in which nothing touches the robot.

    They are `MARGIN` times the largest effort of each joint in that time, and no less than what
    counts at all: what the model does not describe (friction, a payload that is a little off) is
    below them for motion of that kind. A single bad sample does not spoil them: what is beyond
    `MOST` times the median of short spells counts as that much.
    """

    def __init__(self, smallest: ArrayLike, *, duration: float = LEARNING) -> None:
        """Begin.

        Args:
            smallest: (nv,) no threshold is below this, N m or N; see `smallest_efforts`.
            duration: Seconds of motion to learn from.
        """
        self._smallest = real_array("smallest", smallest)
        self._duration = duration
        self._spells: list[Floats] = []
        self._seen = 0.0

    @property
    def is_done(self) -> bool:
        """Whether enough was seen."""
        return self._seen >= self._duration

    @property
    def left(self) -> float:
        """Seconds of motion that are still to be seen."""
        return max(0.0, self._duration - self._seen)

    @property
    def thresholds(self) -> Floats:
        """Return (nv,), N m or N, as far as they are learnt."""
        if not self._spells:
            return self._smallest.copy()
        largest = np.array(self._spells)
        usual = np.median(largest, axis=0)
        found = np.minimum(largest.max(axis=0), MOST * np.maximum(usual, self._smallest))
        thresholds: Floats = np.maximum(MARGIN * found, self._smallest)
        return thresholds

    def update(self, effort: ArrayLike, dt: float) -> None:
        """Take external joint efforts (nv,) of quiet motion, `dt` s after those before."""
        if self.is_done or not 0.0 <= dt < math.inf:
            return
        size = np.abs(np.asarray(effort, dtype=np.float64))
        size = np.where(np.isfinite(size), size, 0.0)
        if len(self._spells) <= int(self._seen / (self._duration * SPELL)):
            self._spells.append(size)
        else:
            np.maximum(self._spells[-1], size, out=self._spells[-1])
        self._seen += dt
