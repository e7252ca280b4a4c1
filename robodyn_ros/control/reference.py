"""What a controller is to follow at one instant."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class JointReference(NamedTuple):
    """A motion of all coordinates at one instant.

    Attributes:
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        a: (nv,) their derivatives, rad/s² or m/s².
    """

    q: Floats
    v: Floats
    a: Floats

    @classmethod
    def at_rest(cls, q: Floats, nv: int) -> JointReference:
        """Return the reference that stands at coordinates (nq,)."""
        return cls(q, np.zeros(nv), np.zeros(nv))


class PoseReference(NamedTuple):
    """A motion of a frame at one instant, world axes.

    Attributes:
        position: (3,) of its origin, m.
        rotation: (3, 3), R_WF.
        twist: (6,) angular first, rad/s and m/s.
        acceleration: (6,) angular and classical linear, rad/s² and m/s².
    """

    position: Floats
    rotation: Floats
    twist: Floats
    acceleration: Floats

    @classmethod
    def at_rest(cls, position: Floats, rotation: Floats) -> PoseReference:
        """Return the reference that stands at a pose."""
        return cls(position, rotation, np.zeros(6), np.zeros(6))
