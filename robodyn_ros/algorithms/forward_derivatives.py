"""Derivatives of forward dynamics, from those of inverse dynamics and the mass matrix."""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.derivatives import effort_derivatives
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.singular import coordinate_limits, refuse_singular
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.ldlt import inverted, ltdl, outward_matrix, solved, swept_inward

_DEFAULT = Environment()


def forward_dynamics_derivatives(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    *,
    environment: Environment = _DEFAULT,
) -> tuple[Array, Array, Array]:
    """Return da/dq, da/dv and da/dtau = M^-1 of forward dynamics, each (..., nv, nv).

    Conventions are those of `inverse_dynamics_derivatives`: da/dq = -M^-1 dtau/dq at the
    accelerations that tau causes, and likewise for v.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        tau: efforts (..., nv).
        environment: gravity, payloads, joint parameters, motion of a prescribed base.

    Raises:
        SingularMassMatrixError: some rate moves no inertia; the text names the joint.
        ArgumentError: a joint follows another by a coupling that is not affine.
    """
    surroundings = Surroundings.of(model, environment)
    *found, verdict = acceleration_derivatives(model, q, v, tau, surroundings)
    refuse_singular(model, q, surroundings, verdict)
    along_q, along_v, inverse = found
    return along_q, along_v, inverse


def acceleration_derivatives(
    model: Model, q: Array, v: Array | None, tau: Array, surroundings: Surroundings
) -> tuple[Array, Array, Array, Array]:
    """Return `forward_dynamics_derivatives` for surroundings, and the verdict of `accelerations`.

    One factorisation serves the accelerations and all three matrices; the columns of both
    derivatives are solved by matrix products, the same for neighbours.
    """
    bias = efforts(model, q, v, None, surroundings)
    factors = ltdl(inertia_matrix(model, q, surroundings), coordinate_limits(model, surroundings))
    a = solved(factors, (tau - bias)[..., None])[..., 0]
    dq, dv, _ = effort_derivatives(model, q, v, a, surroundings)
    opposite = factors._replace(inverses=tuple(np.asarray(-x) for x in factors.inverses))
    N = outward_matrix(factors)
    along_q, along_v = (N @ swept_inward(opposite, columns) for columns in (dq, dv))
    inverse = np.broadcast_to(inverted(factors, N), (*a.shape[:-1], model.nv, model.nv))
    verdict = np.broadcast_to(np.asarray(factors.verdict), a.shape[:-1])
    return along_q, along_v, inverse, verdict
