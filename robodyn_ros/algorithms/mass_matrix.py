"""The mass matrix: the composite-rigid-body algorithm (CRBA)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.algorithms.branches import (
    Inertia,
    branch_poses,
    coordinate_matrix,
    inner_lumps,
    joint_columns,
)
from robodyn_ros.algorithms.joint_space import Pose, lump_poses
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array, transpose
from robodyn_ros.spatial.ldlt import mirrored
from robodyn_ros.spatial.screws import carried, forces_carried

_DEFAULT = Environment()


def mass_matrix(model: Model, q: Array, *, environment: Environment = _DEFAULT) -> Array:
    """Return M (..., nv, nv), exactly symmetric: kinetic energy is v^T M v / 2, joint rates only.

    Payloads and armature of the environment are in it. A follower's inertia is on its driver:
    M = G^T M_joints G with joint rates dz = G v.

    Args:
        model: the model.
        q: coordinates (..., nq).
        environment: payloads and joint parameters; gravity and base motion do not matter.

    Source: Featherstone 2008, table 6.2, columns multiplied in the axes of the branch.
    """
    return inertia_matrix(model, q, Surroundings.of(model, environment))


def inertia_matrix(model: Model, q: Array, surroundings: Surroundings) -> Array:
    """Return the mass matrix (..., nv, nv) for surroundings."""
    poses = lump_poses(model, q)
    placed = branch_poses(model, poses)
    subspaces = joint_columns(model, q)
    columns = [carried(pose, S) for pose, S in zip(placed, subspaces, strict=True)]
    own = [Inertia.of_moments(row) for row in surroundings.regrouped]
    composites = gathered_inertias(model, poses, own)
    blocks = {}
    for i, lump in reversed(model.lumped.moving):
        S = subspaces[i - 1]
        momenta = composites[i].times(S)
        blocks[i, i] = mirrored(S @ transpose(momenta)) + rotor_inertia(surroundings, lump.rates)
        momenta = forces_carried(placed[i - 1], momenta)
        for j in inner_lumps(model, i):
            blocks[j, i] = columns[j - 1] @ transpose(momenta)
            blocks[i, j] = transpose(blocks[j, i])
    return mirrored(coordinate_matrix(model, q, blocks, q.shape[:-1]))


def rotor_inertia(surroundings: Surroundings, rates: slice) -> Array:
    """Return the armature of joint rates as a diagonal matrix."""
    rotors = surroundings.joints[rates, 0]
    diagonal: Array = np.eye(len(rotors)) * rotors[:, None]
    return diagonal


def composite_inertias(model: Model, poses: Sequence[Pose], inertias: Array) -> list[Inertia]:
    """Return the inertia of what hangs on each lump, the lump included, in the lump's axes.

    `inertias` (n, 10) are the lumps' own parameters. Entry 0 is that of lump 0 alone.
    """
    return gathered_inertias(model, poses, [Inertia.of_parameters(row) for row in inertias])


def gathered_inertias(model: Model, poses: Sequence[Pose], own: Sequence[Inertia]) -> list[Inertia]:
    """Return `composite_inertias` for the lumps' own inertias."""
    found = list(own)
    for (i, lump), pose in reversed(list(zip(model.lumped.moving, poses, strict=True))):
        if lump.parent:
            found[lump.parent] = found[lump.parent].plus(found[i].seen_from(pose))
    return found
