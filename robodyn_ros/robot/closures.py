"""Functions of a closed mechanism: assembly, dependent coordinates, forces of constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.algorithms.external_wrenches import WrenchAxes
from robodyn_ros.constraints.assembly import Assembly, assemble, assembled_model
from robodyn_ros.constraints.continuation import follow
from robodyn_ros.constraints.failures import require_closed_at
from robodyn_ros.constraints.inputs import columns_of_inputs, free_columns, with_inputs
from robodyn_ros.constraints.newton import CLOSED
from robodyn_ros.constraints.structure import Structure, structure
from robodyn_ros.robot.arguments import float_array, one_configuration
from robodyn_ros.robot.closed_dynamics import require_closed
from robodyn_ros.robot.dynamics import Dynamics, Wrenches
from robodyn_ros.robot.functions import Floats
from robodyn_ros.robot.nearby_assembly import NearbyAssembly
from robodyn_ros.robot.results import LazyCompletion

_EXACT = 1e-13
"""What is left, rad or a share of the mechanism's size, that more steps cannot take away."""


class Closures(Dynamics):
    """What loops and constraint elements ask of a mechanism, and what they do to it."""

    def assemble(self, q_guess: ArrayLike | None = None, **inputs: float) -> Assembly:
        """Return the closed configuration that is reached from a guess.

        Near one the independent coordinates stay as the guess or the inputs have them, and only
        the others move: see `closed`. Where it does not close so, all move but the inputs.

        Args:
            q_guess: coordinates (nq,) to begin with, by default those of `initial_state`; which of
                several branches is reached depends on them.
            inputs: values of coordinates that are given, by coordinate name.

        Returns:
            q (nq,), the largest residual (m or rad), the mobility and the rank there.

        Raises:
            ClosureError: it cannot be closed; the text says which element lacks how much.
            UnknownNameError: no such coordinate.
        """
        guess: Any = self._model.defaults.q if q_guess is None else q_guess
        q = one_configuration(self._model, "q_guess", guess)
        nearby = self._assembled_nearby(q, inputs)
        return assemble(self._model, q, inputs) if nearby is None else nearby

    def follow(self, q: ArrayLike, inputs: Sequence[Mapping[str, float]]) -> list[Assembly]:
        """Return the closed configurations for inputs one after the other, all on one branch.

        Args:
            q: coordinates (nq,) of the closed configuration to begin with.
            inputs: values of coordinates, by name; between two entries they change evenly.

        Raises:
            ClosureError: the mechanism cannot follow; the text says at which values, and whether it
                is in a singular position (a dead centre) there.
            UnknownNameError: no such coordinate.
        """
        return follow(self._model, one_configuration(self._model, "q", q), inputs)

    def structure(self, q: ArrayLike | None = None) -> Structure:
        """Return loops, clusters, mobility and redundant equations where the mechanism is closed.

        Args:
            q: coordinates (nq,) in which it is closed, by default those of `initial_state`.

        Raises:
            ClosureError: it is not closed at q.
        """
        at: Any = self._model.defaults.q if q is None else q
        return structure(self._model, one_configuration(self._model, "q", at))

    def closed(self, q: ArrayLike) -> Floats:
        """Return closed configurations (nq,) or (N, nq) near guesses, NaN where there is none.

        The independent coordinates (`independent_names`) stay, the others make a few steps of
        Newton's method. NaN are guesses from which another coordinate would have to go by more than
        0.5 rad, or half the mechanism's size, or beyond its limits, and those at which the
        independent coordinates do not determine the others: `assemble` may still close them.

        Args:
            q: coordinates (nq,) or (N, nq).
        """
        begin = float_array("q", q, (self._model.nq,))
        found: Floats
        found, left = self._call("closing", (begin,))
        if left.ndim == 0:
            if _EXACT < left < 1.0:
                found, left = self._call("closing", (found,))
            return found if left < CLOSED else np.full_like(found, np.nan)
        again = np.flatnonzero((left > _EXACT) & (left < 1.0))
        if len(again):
            found[again], left[again] = self._call("closing", (found[again],))
        found[~(left < CLOSED)] = np.nan
        return found

    def _assembled_nearby(self, q: Floats, inputs: Mapping[str, float]) -> Assembly | None:
        """Return the assembly that `closed` finds for inputs, if it does."""
        partition = self._model.closure.partition
        held = columns_of_inputs(self._model, inputs) if inputs else {}
        if partition is None or not partition.rows or not set(held) <= set(partition.independent):
            return None
        if set(held) & set(free_columns(self._model, held)):
            return None
        found = self.closed(with_inputs(self._model, q, held) if held else q)
        if not np.isfinite(found[0]):
            return None
        return NearbyAssembly(self._model, found, float(abs(self.constraint_residual(found)).max()))

    def complete(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        *,
        out: LazyCompletion | None = None,
    ) -> LazyCompletion:
        """Return v and a with the dependent entries that the independent ones ask for.

        Args:
            q: coordinates (nq,) or (N, nq) in which the mechanism is closed.
            v: rates (nv,) or (N, nv), of which the independent entries count; zero by default.
            a: accelerations (nv,) or (N, nv), likewise.
            out: an earlier result of the same shape, to be filled and returned.

        Raises:
            ClosureError: the independent ones do not determine the others there.
        """
        found: LazyCompletion = self._call("complete", (q, *self._rates(v, a)), out)
        return found

    def motion_basis(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return N (nv, mobility) or (N, nv, mobility): v = N v[independent] are rates it allows.

        Columns are those of `independent_names`; N^T M N is the mass matrix of these coordinates,
        J N the Jacobian of a frame by them.

        Args:
            q: coordinates (nq,) or (N, nq) in which the mechanism is closed.
            out: an array to fill and return.

        Raises:
            ClosureError: the independent coordinates do not determine the others there.
        """
        basis: Floats = self._call("motion_basis", (q,), out)
        return basis

    def constraint_residual(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return g (m,) or (N, m): how far each equation is from holding, m or rad.

        One length for each constraint element; for each loop three turns and three offsets, in the
        axes of the frame behind its joint. `model.closure.rows_of(name)` tells whose they are.
        """
        residual: Floats = self._call("constraint_residual", (q,), out)
        return residual

    def constraint_jacobian(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return G (m, nv) or (N, m, nv): the rate of `constraint_residual` is G v."""
        jacobian: Floats = self._call("constraint_jacobian", (q,), out)
        return jacobian

    def constraint_bias(self, q: ArrayLike, v: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return (m,) or (N, m): the second rate of `constraint_residual` is G a + this."""
        bias: Floats = self._call("constraint_bias", (q, v), out)
        return bias

    def constraint_forces(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        external_wrenches: Wrenches | None = None,
        friction: bool = False,
        *,
        wrench_axes: WrenchAxes = "world",
        out: Floats | None = None,
    ) -> Floats:
        """Return the multipliers lambda (m,) or (N, m) while efforts tau act, N or N m.

        G^T lambda are the forces of the constraints on the mechanism: M a + h = tau + G^T lambda.
        Of an element it is the force with which it pushes its bodies apart. Equations that others
        make redundant carry 0: rigid bodies do not determine how such forces are shared. Arguments
        are those of `forward_dynamics`.

        Raises:
            ClosureError: the motion is not determined there.
        """
        name = "constraint_forces+friction" if friction else "constraint_forces"
        arguments = (q, *self._rates(v, tau))
        found: Floats = self._loaded_call(name, arguments, external_wrenches, wrench_axes, out)
        return found

    @property
    def mobility(self) -> int:
        """How many coordinates can move independently of each other where it begins."""
        closure = self._model.closure
        return self._model.nv if closure.partition is None else len(closure.partition.independent)

    @property
    def independent_names(self) -> tuple[str, ...]:
        """The coordinates that the others are made to depend on."""
        partition = self._model.closure.partition
        names = self._model.coordinate_names
        return names if partition is None else tuple(names[k] for k in partition.independent)

    def settled_at(self, q: ArrayLike) -> Any:
        """Return a robot like this one that begins at q, its equations chosen there.

        For work on another branch, or far from where this one begins: a good choice of independent
        equations depends on the configuration. The environment is taken along.

        Args:
            q: coordinates (nq,) in which the mechanism is closed.

        Raises:
            ArgumentError: the robot is no closed mechanism.
            ClosureError: it is not closed at q.
        """
        require_closed(self._model)
        at = one_configuration(self._model, "q", q)
        require_closed_at(self._model, at)
        model = assembled_model(self._model, at)
        robot = type(self)(model, compile=self._compile)
        robot.environment = self.environment
        return robot
