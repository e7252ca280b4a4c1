"""What any simulation says of its motors' commands, and of the wrenches that act on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.simulation.motors import Motors
from robodyn_ros.simulation.pushes import Pushes

Floats = NDArray[np.float64]


class CommandedSimulation:
    """A simulation with motors and pushes, which whoever inherits makes."""

    _motors: Motors
    _pushes: Pushes

    @property
    def command_names(self) -> tuple[str, ...]:
        """Coordinates that have a motor: those that commands may name."""
        return self._motors.names

    @property
    def command_limits(self) -> tuple[Floats, Floats]:
        """Lowest and highest position of each of `command_names`, infinite where there is none."""
        return self._motors.lower.copy(), self._motors.upper.copy()

    @property
    def modes(self) -> NDArray[np.uint8]:
        """How each coordinate (nv,) is driven: values of `CommandMode`."""
        return self._motors.modes.copy()

    @property
    def commands(self) -> Floats:
        """The command of each coordinate (nv,), by its mode; 0 where it is free."""
        return self._motors.targets.copy()

    @property
    def wrenches(self) -> dict[str, Floats]:
        """External wrenches that act now by frame: [moment; force] (6,) in the frame's axes."""
        return self._pushes.acting
