"""A motion from pose to pose, at rest at both ends."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.reference import PoseReference
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_logarithm
from robodyn_ros.spatial.exponential import rotation_exponential

Floats = NDArray[np.float64]
_PEAK = 1.875
"""Highest rate of the profile over its mean."""


class PoseMotion:
    """Straight and about one axis, as far along as 10 s³ - 15 s⁴ + 6 s⁵.

    A motion that begins while another one is under way begins with a jump of velocity to rest; the
    impedance that follows it takes that up.
    """

    def __init__(
        self,
        start: PoseReference,
        position: Floats,
        rotation: Floats,
        linear_speed: float,
        angular_speed: float,
    ) -> None:
        """Plan it.

        Args:
            start: Where it begins; taken to be at rest.
            position: (3,) of its end, m.
            rotation: (3, 3) of its end.
            linear_speed: Not to be exceeded, m/s.
            angular_speed: Likewise, rad/s.
        """
        self._start = start
        self._way: Floats = position - start.position
        turn = quaternion_logarithm(quaternion_from_matrix(rotation @ start.rotation.T))
        self._turn: Floats = np.asarray(turn, dtype=np.float64)
        least = max(
            math.dist(position, start.position) / linear_speed,
            float(np.linalg.norm(self._turn)) / angular_speed,
        )
        self.duration = _PEAK * least
        self._end = PoseReference.at_rest(position.copy(), rotation.copy())

    def at(self, time: float) -> PoseReference:
        """Return the reference so many s after its beginning."""
        if time >= self.duration:
            return self._end
        s = max(time, 0.0) / self.duration
        share = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
        rate = 30.0 * s * s * (1.0 - s) ** 2 / self.duration
        growth = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / self.duration**2
        motion = np.concatenate([self._turn, self._way])
        turned = np.asarray(rotation_exponential(share * self._turn), dtype=np.float64)
        return PoseReference(
            self._start.position + share * self._way,
            turned @ self._start.rotation,
            rate * motion,
            growth * motion,
        )
