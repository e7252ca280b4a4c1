"""MuJoCo as the engine of a simulated world."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator

Floats = NDArray[np.float64]


class MujocoEngine:
    """One simulation in MuJoCo; see `SimulationEngine`.

    Attributes:
        active: The simulation.
        state: Which MuJoCo it is.
    """

    def __init__(self, simulator: MujocoSimulator) -> None:
        """Take the simulation."""
        self.active = simulator
        self.state = f"MuJoCo {mujoco_engine().__version__}"

    def reset(self) -> None:
        """Go back to the initial state, without commands and wrenches."""
        self.active.reset()

    def exert(self, wrenches: Mapping[str, Floats]) -> None:
        """Let these wrenches act from now on, and no others: (6,) by frame, in its axes."""
        for frame in self.active.wrenches.keys() - wrenches.keys():
            self.active.hold_wrench(frame, None)
        for frame, wrench in wrenches.items():
            self.active.hold_wrench(frame, wrench)

    def choose(self) -> None:
        """Do nothing: there is one."""
