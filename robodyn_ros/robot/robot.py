"""The facade that `load` returns: a model, its run-time environment and its kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.loading import assembled_at_load
from robodyn_ros.model import Model, ModelReport
from robodyn_ros.robot.closures import Closures
from robodyn_ros.robot.derivatives import Derivatives
from robodyn_ros.robot.kernel_source import Compile
from robodyn_ros.robot.kinematics import Kinematics
from robodyn_ros.robot.quantities import Quantities
from robodyn_ros.robot.results import (
    LazyAccelerationDerivatives,
    LazyBodyMotion,
    LazyCenterOfMassMotion,
    LazyClosing,
    LazyCompletion,
    LazyEffortDerivatives,
    LazyEffortTerms,
    LazyEnergy,
    LazyMarkerMotion,
    LazyResult,
    LazyRobotCenterOfMass,
)
from robodyn_ros.robot.surroundings import Surroundings

if TYPE_CHECKING:
    from robodyn_ros.robot.formulations import Formulation


class Robot(Kinematics, Closures, Derivatives, Quantities, Surroundings):
    """A robot: kinematics and dynamics by name and number, single or in batch.

    Every array argument may carry a leading batch axis N; results then carry it too. Single
    arguments are broadcast against batched ones. A sample with a non-finite number gives NaN
    throughout; a wrong shape or a quaternion whose norm is not 1 raises ArgumentError. All methods
    may be called from several threads: the run-time state is one immutable Environment, which a
    setter swaps, one setter at a time, and a call reads once.
    """

    NATIVE: ClassVar[dict[str, int]] = {
        "body_motion": 2,
        "inverse_dynamics": 2,
        "forward_dynamics": 2,
        "inverse_dynamics_derivatives": 2,
        "forward_dynamics_derivatives": 2,
        "bias_force": 1,
        "gravity_force": 0,
        "effort_terms": 2,
        "regressor": 2,
        "mass_matrix": 0,
        "coriolis_matrix": 0,
        "energy": 1,
        "momentum": 1,
        "centroidal_momentum": 1,
        "centroidal_momentum_matrix": 0,
        "robot_center_of_mass": 2,
        "center_of_mass_jacobian": 0,
        "integrate": 0,
        "coordinate_rates": 0,
        "complete": 2,
        "constraint_residual": 0,
        "motion_basis": 0,
        "constraint_jacobian": 0,
        "constraint_bias": 0,
        "constraint_forces": 2,
    }
    RESULTS: ClassVar[dict[str, type[LazyResult]]] = {
        "body_motion": LazyBodyMotion,
        "center_of_mass_motion": LazyCenterOfMassMotion,
        "marker_motion": LazyMarkerMotion,
        "effort_terms": LazyEffortTerms,
        "energy": LazyEnergy,
        "inverse_dynamics_derivatives": LazyEffortDerivatives,
        "forward_dynamics_derivatives": LazyAccelerationDerivatives,
        "robot_center_of_mass": LazyRobotCenterOfMass,
        "closing": LazyClosing,
        "complete": LazyCompletion,
    }

    def __init__(self, model: Model, *, compile: Compile = "background") -> None:
        """Make the facade of `model`; a mechanism that is not closed yet is closed here.

        Args:
            model: the model.
            compile: "background" compiles kernels in a process of their own while the plain
                functions serve, "wait" waits for them at first use, "off" stays plain.

        Raises:
            DescriptionError: constraints that cannot be met together.
        """
        if model.is_closed and model.closure.partition is None:
            model = assembled_at_load(model)
        super().__init__(model, compile=compile)

    def __repr__(self) -> str:
        """Name the robot and its size."""
        return repr(self._model).replace("Model", "Robot", 1)

    def casadi(self, name: str) -> Any:
        """Return an operation as a `casadi.Function`, its inputs and outputs by name.

        What the environment supplies, gravity for one, is an input too; `name` is that of a
        method, or "jacobian:<frame>".

        Raises:
            CompilationError: CasADi is not installed.
            UnknownNameError: no such operation or frame.
        """
        from robodyn_ros.robot.export import casadi_of

        return casadi_of(self._model, name)

    def formulation(self, name: str) -> Formulation:
        """Return the robot's dynamics in another formulation of the seeds, to teach and to check.

        Args:
            name: "kane" (partial velocities, document B) or "legnani" (4x4 matrices, document E).

        Raises:
            UnknownNameError: there is no such formulation.
            ArgumentError: it does not fit the robot; the text says why.
        """
        from robodyn_ros.robot.formulations import Formulation

        return Formulation(name, self._model, lambda: self.environment)

    @property
    def initial_state(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coordinates (nq,) and rates (nv,) with which its description lets it begin."""
        return self._model.defaults.q.copy(), self._model.defaults.v.copy()

    def report(self) -> ModelReport:
        """Return the model report, of a closed mechanism with its structure."""
        report = self._model.report()
        if not self._model.is_closed:
            return report
        found = self.structure()
        return report.extended("structure", found.to_dict(), "structure:", found.lines())
