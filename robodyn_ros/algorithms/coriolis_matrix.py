"""The Coriolis matrix with skew-symmetric dM/dt - 2 C."""

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
from robodyn_ros.algorithms.joint_space import joint_rates, lump_poses
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.spatial import Array, transpose
from robodyn_ros.spatial.screws import motion_cross

_DEFAULT = Environment()


def coriolis_matrix(
    model: Model, q: Array, v: Array, *, environment: Environment = _DEFAULT
) -> Array:
    """Return C (..., nv, nv): C v are the Coriolis and centrifugal efforts, dM/dt - 2 C is skew.

    A prescribed base counts as at rest: what its own motion adds to the efforts is not linear in v
    and is in `bias_force` only.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv).
        environment: payloads; gravity and base motion do not matter, and neither does armature,
            whose inertia is constant.

    Raises:
        ArgumentError: a joint follows another by a coupling that is not affine.

    Source: Echeandia and Wensing 2021, over the joint contract.
    """
    return velocity_matrix(model, q, v, Surroundings.of(model, environment))


def velocity_matrix(model: Model, q: Array, v: Array, surroundings: Surroundings) -> Array:
    """Return `coriolis_matrix` for surroundings.

    C = sum over the lumps of J^T (I dJ/dt + B J / 2), with the B of `branch_motion`: its symmetric
    part is dI/dt, and B V / 2 the rate of momentum of a body that moves with V.
    """
    refuse_curved_couplings(model)
    poses = lump_poses(model, q)
    placed = branch_poses(model, poses)
    # Where the base is does not matter, even if it is in many places, one for each sample.
    at_rest = surroundings.weightless()._replace(base=BaseMotion())
    motions = branch_motions(model, q, v, np.zeros(model.nv), at_rest, poses, placed)
    rates = [
        _column_rates(motion, dz)
        for motion, dz in zip(motions, joint_rates(model, q, v), strict=True)
    ]
    gathered = [
        Momenta.of(Inertia.of_moments(row).seen_from(place), motion.V, motion.A)
        for row, place, motion in zip(surroundings.regrouped[1:], placed, motions, strict=True)
    ]
    blocks: dict[tuple[int, int], Array] = {}
    for i, lump in reversed(model.lumped.moving):
        outer, J = gathered[i - 1], motions[i - 1].J
        forces = transpose(outer.answer(rates[i - 1], 0.5 * J))
        momenta, turning = outer.inertia.times(J), 0.5 * outer.turning_answer(J)
        blocks[i, i] = J @ forces
        for j in inner_lumps(model, i):
            other = motions[j - 1].J
            blocks[j, i] = other @ forces
            blocks[i, j] = momenta @ transpose(rates[j - 1]) + turning @ transpose(other[..., :3])
        if lump.parent:
            gathered[lump.parent - 1] = gathered[lump.parent - 1].plus(outer)
    return coordinate_matrix(model, q, blocks, np.broadcast_shapes(q.shape[:-1], v.shape[:-1]))


def _column_rates(motion: JointMotion, dz: Array) -> Array:
    """Return dJ/dt (..., nv of the joint, 6)."""
    rates = motion_cross(motion.V, motion.J)
    if motion.bending is None:
        return rates
    bent: Array = (motion.bending * dz[..., None, :, None]).sum(axis=-2)
    return rates + bent
