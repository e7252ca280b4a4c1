"""Dynamic functions of a robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.algorithms.external_wrenches import PACKED, WrenchAxes, packed_wrenches
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot.arguments import float_array
from robodyn_ros.robot.functions import Floats, Functions
from robodyn_ros.robot.results import LazyEffortTerms

#: External wrenches by frame name: [moment; force] (6,) or (N, 6), N m and N; or what
#: `packed_wrenches` made of them.
Wrenches = Mapping[str, ArrayLike] | Floats


class Dynamics(Functions):
    """Efforts, accelerations and what they are made of.

    Efforts are conjugate to v, N m or N; a mimic follower's are carried by its driver. All read
    gravity, payloads and joint parameters of the environment.
    """

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        external_wrenches: Wrenches | None = None,
        friction: bool = False,
        *,
        wrench_axes: WrenchAxes = "world",
        out: Floats | None = None,
    ) -> Floats:
        """Return the efforts (nv,) or (N, nv) that produce accelerations a in the state q, v.

        Rigid bodies, payloads, armature and external wrenches; joint friction on request.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            a: accelerations (nv,) or (N, nv); zero by default.
            external_wrenches: [moment; force] (6,) or (N, 6) by frame name, exerted on the robot
                at the frame's origin.
            friction: whether damping and Coulomb friction are added.
            wrench_axes: "world", or "local" for each frame's own axes.
            out: an array to fill and return.

        Raises:
            ArgumentError: a wrong shape, or a quaternion whose norm is not 1.
            UnknownNameError: no such frame.
        """
        name = "inverse_dynamics+friction" if friction else "inverse_dynamics"
        arguments = (q, *self._rates(v, a))
        efforts: Floats = self._loaded_call(name, arguments, external_wrenches, wrench_axes, out)
        return efforts

    def forward_dynamics(
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
        """Return the accelerations (nv,) or (N, nv) that efforts tau cause in the state q, v.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            tau: efforts (nv,) or (N, nv), N m or N; zero by default.
            external_wrenches: [moment; force] (6,) or (N, 6) by frame name, exerted on the robot
                at the frame's origin.
            friction: whether damping and Coulomb friction act.
            wrench_axes: "world", or "local" for each frame's own axes.
            out: an array to fill and return.

        Raises:
            ArgumentError: a wrong shape, or a quaternion whose norm is not 1.
            SingularMassMatrixError: links behind a joint have no inertia; the text names it.
            UnknownNameError: no such frame.
        """
        name = "forward_dynamics+friction" if friction else "forward_dynamics"
        arguments = (q, *self._rates(v, tau))
        found: Floats = self._loaded_call(name, arguments, external_wrenches, wrench_axes, out)
        return found

    def bias_force(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        friction: bool = False,
        out: Floats | None = None,
    ) -> Floats:
        """Return h (nv,) or (N, nv) of M a + h = tau: Coriolis, centrifugal and gravity efforts."""
        name = "bias_force+friction" if friction else "bias_force"
        efforts: Floats = self._call(name, (q, *self._rates(v)), out)
        return efforts

    def gravity_force(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return the efforts (nv,) or (N, nv) that hold the robot against gravity at rest."""
        efforts: Floats = self._call("gravity_force", (q,), out)
        return efforts

    def regressor(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        *,
        out: Floats | None = None,
    ) -> Floats:
        """Return Y (nv, 10 nb) or (N, nv, 10 nb): rigid-body efforts are Y @ parameters.

        The parameters are `model.inertial_parameters.ravel()`, ten for each body; armature,
        friction, payloads and external wrenches are not in it.
        """
        regressor: Floats = self._call("regressor", (q, *self._rates(v, a)), out)
        return regressor

    def effort_terms(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        external_wrenches: Wrenches | None = None,
        *,
        wrench_axes: WrenchAxes = "world",
        out: LazyEffortTerms | None = None,
    ) -> LazyEffortTerms:
        """Return the efforts of inverse dynamics by cause; friction is always among them.

        Arguments are those of `inverse_dynamics`.

        Returns:
            inertial, coriolis, gravity, friction, armature, payload, external and total, each
            (nv,) or (N, nv).
        """
        arguments = (q, *self._rates(v, a))
        terms: LazyEffortTerms = self._loaded_call(
            "effort_terms", arguments, external_wrenches, wrench_axes, out
        )
        return terms

    def packed_wrenches(self, wrenches: Wrenches, wrench_axes: WrenchAxes = "world") -> Floats:
        """Return external wrenches gathered by link, to be given to many calls in their place.

        The sum of two such arrays stands for all wrenches of both.

        Args:
            wrenches: [moment; force] (6,) or (N, 6) by frame name.
            wrench_axes: "world", or "local" for each frame's own axes.

        Raises:
            UnknownNameError: no such frame.
            ArgumentError: a wrong shape.
        """
        return self._packed(wrenches, wrench_axes)

    def _loaded_call(
        self,
        name: str,
        arguments: tuple[Any, ...],
        wrenches: Wrenches | None,
        axes: WrenchAxes,
        out: Any,
    ) -> Any:
        """Evaluate an operation that external wrenches may act in."""
        if wrenches is None or (isinstance(wrenches, Mapping) and not wrenches):
            return self._call(name, arguments, out)
        packed = wrenches if self._is_packed(wrenches) else self._packed(wrenches, axes)
        return self._call(f"{name}+external", (*arguments, packed), out)

    def _is_packed(self, wrenches: Wrenches) -> TypeGuard[Floats]:
        each = (self._model.lumped.size, PACKED)
        return isinstance(wrenches, np.ndarray) and wrenches.shape[-2:] == each

    def _packed(self, wrenches: Wrenches, axes: WrenchAxes) -> Floats:
        if not isinstance(wrenches, Mapping):
            raise ArgumentError(
                f"external_wrenches must be a mapping by frame name, got {wrenches!r}"
            )
        arrays = {
            name: float_array(f"external_wrenches[{name!r}]", wrench, (6,))
            for name, wrench in wrenches.items()
        }
        sizes = {name: len(array) for name, array in arrays.items() if array.ndim > 1}
        if len(set(sizes.values())) > 1:
            raise ArgumentError(f"external wrenches must have equally many rows, got {sizes}")
        with np.errstate(invalid="ignore", over="ignore"):
            return np.ascontiguousarray(packed_wrenches(self._model, arrays, axes))
