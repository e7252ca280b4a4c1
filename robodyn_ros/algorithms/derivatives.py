"""Derivatives of inverse dynamics by an analytical recursion."""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.branch_motion import (
    JointMotion,
    Momenta,
    branch_motions,
    refuse_curved_couplings,
)
from robodyn_ros.algorithms.branches import (
    Inertia,
    branch_poses,
    coordinate_matrix,
    inner_lumps,
)
from robodyn_ros.algorithms.joint_space import lump_poses
from robodyn_ros.algorithms.mass_matrix import rotor_inertia
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array, transpose
from robodyn_ros.spatial.ldlt import mirrored
from robodyn_ros.spatial.screws import force_cross

_DEFAULT = Environment()
#: Blocks by pair of lumps; see `branches.Blocks`.
_Blocks = dict[tuple[int, int], Array]


def inverse_dynamics_derivatives(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> tuple[Array, Array, Array]:
    """Return dtau/dq, dtau/dv and dtau/da = M of inverse dynamics, each (..., nv, nv).

    The derivative with respect to q is along the tangent: column k is that of
    tau(integrate(q, e times the k-th unit rate)) with respect to e. Payloads, armature (in M) and
    the motion of a prescribed base are in it, joint friction is not.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        a: accelerations (..., nv); None is 0.
        environment: gravity, payloads, joint parameters, motion of a prescribed base.

    Raises:
        ArgumentError: a joint follows another by a coupling that is not affine.

    Source: Singh, Russell and Wensing 2022, over the joint contract.
    """
    return effort_derivatives(model, q, v, a, Surroundings.of(model, environment))


def effort_derivatives(
    model: Model, q: Array, v: Array | None, a: Array | None, surroundings: Surroundings
) -> tuple[Array, Array, Array]:
    """Return `inverse_dynamics_derivatives` for surroundings."""
    refuse_curved_couplings(model)
    zero = np.zeros(model.nv)
    v, a = (zero if x is None else x for x in (v, a))
    poses = lump_poses(model, q)
    placed = branch_poses(model, poses)
    motions = branch_motions(model, q, v, a, surroundings, poses, placed)
    gathered = [
        Momenta.of(Inertia.of_moments(row).seen_from(place), motion.V, motion.A)
        for row, place, motion in zip(surroundings.regrouped[1:], placed, motions, strict=True)
    ]
    along_q: _Blocks = {}
    along_v: _Blocks = {}
    inertia: _Blocks = {}
    for i, lump in reversed(model.lumped.moving):
        outer, motion = gathered[i - 1], motions[i - 1]
        _own_blocks(i, motion, outer, (along_q, along_v, inertia))
        inertia[i, i] = inertia[i, i] + rotor_inertia(surroundings, lump.rates)
        inner = inner_lumps(model, i)
        _pair_blocks(i, inner, motions, outer, (along_q, along_v, inertia))
        if lump.parent:
            gathered[lump.parent - 1] = gathered[lump.parent - 1].plus(outer)
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], a.shape[:-1], surroundings.lead(model))
    dq, dv, M = (coordinate_matrix(model, q, x, lead) for x in (along_q, along_v, inertia))
    return dq, dv, mirrored(M)


def _own_blocks(
    i: int, motion: JointMotion, outer: Momenta, blocks: tuple[_Blocks, _Blocks, _Blocks]
) -> None:
    """Add the joint's own efforts by its own rates; `outer` is all that it carries."""
    along_q, along_v, inertia = blocks
    J = motion.J
    along_q[i, i] = J @ transpose(outer.answer(motion.zeta, motion.eta))
    if motion.bending is not None:
        bent = (motion.bending * outer.force[..., None, None, :]).sum(axis=-1)
        along_q[i, i] = along_q[i, i] + bent
    along_v[i, i] = J @ transpose(outer.answer(motion.zeta_v, J))
    inertia[i, i] = mirrored(J @ transpose(outer.inertia.times(J)))


def _pair_blocks(
    i: int,
    inner: list[int],
    motions: list[JointMotion],
    outer: Momenta,
    blocks: tuple[_Blocks, _Blocks, _Blocks],
) -> None:
    """Add efforts of the joints further in by the rates of joint i, and the other way round."""
    along_q, along_v, inertia = blocks
    own = motions[i - 1]
    J = own.J
    by_q = transpose(outer.answer(own.zeta, own.eta) + force_cross(J, outer.force))
    by_v = transpose(outer.answer(own.zeta_v, J))
    momenta, turning = outer.inertia.times(J), outer.turning_answer(J)
    by_a = transpose(momenta)
    for j in inner:
        other = motions[j - 1]
        along_q[j, i] = other.J @ by_q
        along_v[j, i] = other.J @ by_v
        inertia[j, i] = other.J @ by_a
        inertia[i, j] = transpose(inertia[j, i])
        along_q[i, j] = momenta @ transpose(other.zeta) + turning @ transpose(other.eta[..., :3])
        along_v[i, j] = momenta @ transpose(other.zeta_v) + turning @ transpose(other.J[..., :3])
