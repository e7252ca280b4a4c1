"""The law that lets a robot float."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.gravity_compensation import gravity_compensation
from robodyn_ros.control.state import RobotState
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


class GravityLaw:
    """Gravity compensation with damping; see `gravity_compensation`."""

    def __init__(self, robot: Robot, unloaded: Robot, damping: Floats, damping_rate: float) -> None:
        """Take the robot, with and without payloads, and the gains.

        Args:
            robot: Whose weight is held.
            unloaded: Whose inertia damping goes by.
            damping: (nv,) N m s/rad or N s/m.
            damping_rate: 1/s.
        """
        self._robot, self._unloaded = robot, unloaded
        self._gains = damping, damping_rate

    def begin(self, state: RobotState) -> None:
        """Do nothing: there is no reference."""

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, N m or N."""
        return gravity_compensation(
            self._robot, state.q, state.v, *self._gains, unloaded=self._unloaded
        )
