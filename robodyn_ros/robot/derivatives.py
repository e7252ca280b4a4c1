"""Derivatives of a robot's dynamics."""

from __future__ import annotations

from numpy.typing import ArrayLike

from robodyn_ros.robot.functions import Functions
from robodyn_ros.robot.results import LazyAccelerationDerivatives, LazyEffortDerivatives


class Derivatives(Functions):
    """Derivatives along the tangent of q, and with respect to rates, accelerations and efforts."""

    def inverse_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        *,
        out: LazyEffortDerivatives | None = None,
    ) -> LazyEffortDerivatives:
        """Return dtau/dq, dtau/dv and dtau/da = M of `inverse_dynamics`, each (nv, nv).

        Column k of dtau/dq is the derivative of tau(integrate(q, e)) by e_k at e = 0. Friction is
        not in it.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            a: accelerations (nv,) or (N, nv); zero by default.
            out: an earlier result of the same shape, to be filled and returned.
        """
        arguments = (q, *self._rates(v, a))
        found: LazyEffortDerivatives = self._call("inverse_dynamics_derivatives", arguments, out)
        return found

    def forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        out: LazyAccelerationDerivatives | None = None,
    ) -> LazyAccelerationDerivatives:
        """Return da/dq, da/dv and da/dtau = 1/M of `forward_dynamics`, each (nv, nv).

        Conventions are those of `inverse_dynamics_derivatives`.

        Args:
            q: coordinates (nq,) or (N, nq).
            v: rates (nv,) or (N, nv); zero by default.
            tau: efforts (nv,) or (N, nv); zero by default.
            out: an earlier result of the same shape, to be filled and returned.

        Raises:
            SingularMassMatrixError: links behind a joint have no inertia; the text names it.
        """
        arguments = (q, *self._rates(v, tau))
        found: LazyAccelerationDerivatives = self._call(
            "forward_dynamics_derivatives", arguments, out
        )
        return found
