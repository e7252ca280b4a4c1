"""Accelerations for given efforts: the articulated-body algorithm (ABA), or L^T D L of M."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robodyn_ros.algorithms.articulated_bodies import articulated_accelerations
from robodyn_ros.algorithms.external_wrenches import WrenchAxes, packed_wrenches
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.singular import coordinate_limits, refuse_singular
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.ldlt import ltdl, solved

_DEFAULT = Environment()

_SHALLOW = 3.5
"""Rates between a rate and the root, on average, up to which the mass matrix is the shorter way.

Instructions of both ways were compared for the arms, quadrupeds and humanoids of URDF collections:
most differ by less than a tenth, legs on a fixed base and floating humanoids by a quarter.
"""


def forward_dynamics(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Array] | None = None,
    wrench_axes: WrenchAxes = "world",
    friction: bool = False,
) -> Array:
    """Return the accelerations a (..., nv) that efforts tau cause: inverse dynamics turned round.

    By articulated bodies for a tree of independent joints, by the mass matrix where joints follow
    others or where that is shorter.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        tau: efforts (..., nv).
        environment: gravity, payloads, joint parameters, motion of a prescribed base.
        external_wrenches: [moment; force] (..., 6) exerted on the robot, by frame name.
        wrench_axes: "world", or "local" for each frame's own axes.
        friction: whether damping and Coulomb friction hold against the efforts.

    Raises:
        SingularMassMatrixError: some rate moves no inertia; the text names the joint.

    Source: Featherstone 1983; 2008, table 7.1, over the joint contract.
    """
    packed = packed_wrenches(model, external_wrenches, wrench_axes) if external_wrenches else None
    surroundings = Surroundings.of(model, environment)
    a, verdict = accelerations(model, q, v, tau, surroundings, packed=packed, friction=friction)
    refuse_singular(model, q, surroundings, verdict)
    return a


def forward_dynamics_by_mass_matrix(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Array] | None = None,
    wrench_axes: WrenchAxes = "world",
    friction: bool = False,
) -> Array:
    """Return what `forward_dynamics` does, from M a = tau - h: the check of the other way."""
    packed = packed_wrenches(model, external_wrenches, wrench_axes) if external_wrenches else None
    surroundings = Surroundings.of(model, environment)
    a, verdict = solved_accelerations(
        model, q, v, tau, surroundings, packed=packed, friction=friction
    )
    refuse_singular(model, q, surroundings, verdict)
    return a


def accelerations(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> tuple[Array, Array]:
    """Return the accelerations (..., nv) and the verdict (...) for surroundings.

    The verdict is 0.0 where the mass matrix is safely positive definite, else positive: the
    number of pivots that were lost; the accelerations then mean nothing, but are finite.
    """
    coupled = any(lump.joint.is_follower for lump in model.lumped.lumps)
    way = solved_accelerations if coupled or _is_shallow(model) else articulated_accelerations
    return way(model, q, v, tau, surroundings, packed=packed, friction=friction)


def _is_shallow(model: Model) -> bool:
    """Return whether so few rates lie between rates and the root that factorising M is shorter."""
    inner = [0] * model.lumped.size
    pairs = rates = 0
    for i, lump in model.lumped.moving:
        count = lump.rates.stop - lump.rates.start
        pairs += count * inner[lump.parent] + count * (count - 1) // 2
        rates += count
        inner[i] = inner[lump.parent] + count
    return pairs <= _SHALLOW * rates


def solved_accelerations(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> tuple[Array, Array]:
    """Return `accelerations` by factorising the mass matrix from the leaves to the root."""
    bias = efforts(model, q, v, None, surroundings, packed=packed, friction=friction)
    factors = ltdl(inertia_matrix(model, q, surroundings), coordinate_limits(model, surroundings))
    a = solved(factors, (tau - bias)[..., None])[..., 0]
    return a, np.broadcast_to(np.asarray(factors.verdict), a.shape[:-1])
