"""What every control law is to the rest: it begins where the robot is, and gives efforts."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.state import RobotState

Floats = NDArray[np.float64]


class Law(Protocol):
    """A control law with its gains and its reference."""

    def begin(self, state: RobotState) -> None:
        """Have the reference stand where the robot is."""
        ...

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, gravity included, N m or N."""
        ...
