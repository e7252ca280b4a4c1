"""The state that control laws act on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class RobotState(NamedTuple):
    """A measured state.

    Attributes:
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        stamp: When, ns of the clock that references are stamped with.
    """

    q: Floats
    v: Floats
    stamp: int
