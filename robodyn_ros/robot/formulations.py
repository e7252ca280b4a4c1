"""The seeds' other formulations of a robot's dynamics, to teach and to check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms import kane, legnani
from robodyn_ros.algorithms.equations_of_motion import EquationsOfMotion
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Environment, Model

Floats = NDArray[np.float64]

FORMULATIONS: Mapping[str, Callable[..., EquationsOfMotion]] = {
    "kane": kane.equations_of_motion,
    "legnani": legnani.equations_of_motion,
}


class Formulation:
    """A robot's equations of motion in one formulation, in the robot's environment of the call.

    A plain path, one sample at a time, equal to the robot's own functions but much slower.
    """

    def __init__(self, name: str, model: Model, environment: Callable[[], Environment]) -> None:
        """Take the formulation `name`.

        Raises:
            UnknownNameError: there is no such formulation.
            ArgumentError: it does not fit the model.
        """
        if name not in FORMULATIONS:
            raise UnknownNameError.among("formulation", name, FORMULATIONS)
        reason = legnani.why_not(model) if name == "legnani" else ""
        if reason:
            raise ArgumentError(
                f"the {name} formulation does not fit robot {model.name!r}: {reason}"
            )
        self.name = name
        self._model = model
        self._environment = environment

    def __repr__(self) -> str:
        """Name formulation and robot."""
        return f"Formulation({self.name!r}, {self._model.name!r})"

    def equations_of_motion(
        self, q: ArrayLike, v: ArrayLike, external_wrenches: Mapping[str, Any] | None = None
    ) -> EquationsOfMotion:
        """Return mass matrix and bias for q (nq,) and v (nv,): tau = M a + bias."""
        wrenches = {name: np.asarray(w, float) for name, w in (external_wrenches or {}).items()}
        return FORMULATIONS[self.name](
            self._model, q, v, environment=self._environment(), external_wrenches=wrenches
        )

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        external_wrenches: Mapping[str, Any] | None = None,
    ) -> Floats:
        """Return the efforts (nv,), as `Robot.inverse_dynamics` does."""
        motion = self.equations_of_motion(q, v, external_wrenches)
        return motion.inverse_dynamics(np.asarray(a, dtype=np.float64))

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        external_wrenches: Mapping[str, Any] | None = None,
    ) -> Floats:
        """Return the accelerations (nv,), as `Robot.forward_dynamics` does."""
        motion = self.equations_of_motion(q, v, external_wrenches)
        return motion.forward_dynamics(np.asarray(tau, dtype=np.float64))

    def mass_matrix(self, q: ArrayLike) -> Floats:
        """Return the mass matrix (nv, nv)."""
        return self.equations_of_motion(q, np.zeros(self._model.nv)).mass_matrix

    def bias_force(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """Return the efforts (nv,) for a = 0."""
        return self.equations_of_motion(q, v).bias

    def gravity_force(self, q: ArrayLike) -> Floats:
        """Return the efforts (nv,) that hold the robot still, as `Robot.gravity_force` does."""
        return self.equations_of_motion(q, np.zeros(self._model.nv)).bias
