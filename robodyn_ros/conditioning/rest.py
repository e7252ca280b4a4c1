"""The coordinates that joint states do not give: joints of several coordinates, moving bases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros import algorithms
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Environment, Model
from robodyn_ros.robot.catalogue import base_motion_array

Floats = NDArray[np.float64]


class Rest:
    """Coordinates, rates and accelerations of the whole model without the single joints' values.

    Attributes:
        q, v, a: (nq,), (nv,), (nv,); entries of single joints are not used.
        inputs: The same, and a prescribed base's motion, as inputs of `state_step`.
    """

    def __init__(self, model: Model, plan: FramePlan) -> None:
        """Start with neutral coordinates and nothing received."""
        self.q: Floats = np.array(algorithms.neutral(model), dtype=np.float64)
        self.v: Floats = np.zeros(model.nv)
        self.a: Floats = np.zeros(model.nv)
        base = (base_motion_array(Environment().base_motion),) if model.base == "prescribed" else ()
        self.inputs: tuple[Floats, ...] = (self.q, self.v, self.a, *base)
        self._names = [entry.name for entry in plan.multi]

    def usable(self) -> NDArray[np.bool_]:
        """Return which of the joints (m,) have good values."""
        return np.zeros(len(self._names), dtype=bool)

    def age(self, stamp: int) -> Floats:
        """Return the age (m,) in s of each at a stamp in ns; -1 where there is none."""
        return np.full(len(self._names), -1.0)

    def troubles(self, stamp: int, stale_after: float) -> Iterator[tuple[str, float, str]]:
        """Yield name, age in s (-1 for none) and what is wrong ("" for nothing) of each."""
        for name in self._names:
            yield name, -1.0, "never received"
