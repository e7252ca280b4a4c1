"""What momentum and energy need of the lumps: their velocities, and what is gathered from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.algorithms.joint_space import Pose
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.kernels.scalar import less
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply, cross, transpose, where

#: Angular velocity and velocity of a lump's origin (..., 3), in the lump's own axes.
Velocity = tuple[Array, Array]


def lump_velocities(
    model: Model, q: Array, v: Array, surroundings: Surroundings, poses: Sequence[Pose]
) -> list[Velocity]:
    """Return the velocities of all lumps, lump 0 first.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv).
        surroundings: their base motion moves a prescribed base.
        poses: of the moving lumps, from `lump_poses`.
    """
    velocities = [_root_velocity(model, surroundings)]
    for (_, lump), (R_PL, p_PL) in zip(model.lumped.moving, poses, strict=True):
        w, velocity = velocities[lump.parent]
        R_LP = transpose(R_PL)
        joint, coordinates = lump.joint.joint, lump.joint.coordinates
        S = joint.motion_subspace(coordinates.position(q))
        V = apply(S, coordinates.velocity(q, v))
        velocity = apply(R_LP, velocity + cross(w, p_PL)) + V[..., 3:]
        velocities.append((apply(R_LP, w) + V[..., :3], velocity))
    return velocities


def root_pose(model: Model, surroundings: Surroundings) -> Pose:
    """Return R_WL (..., 3, 3) and p_WL (..., 3) of lump 0."""
    if model.base != "prescribed":
        return np.eye(3), np.zeros(3)
    return surroundings.base.rotation, surroundings.base.position


def robot_mass(surroundings: Surroundings) -> Array:
    """Return the mass (...) of all lumps and payloads in kg."""
    mass: Array = surroundings.inertias[..., 0].sum(axis=-1)
    return mass


def first_moment(model: Model, surroundings: Surroundings, poses: Sequence[Pose]) -> Array:
    """Return the whole robot's mass times centre of mass (..., 3) in kg m, world axes."""
    gathered = [surroundings.inertias[..., i, 1:4] for i in range(model.lumped.size)]
    masses = [surroundings.inertias[..., i, 0] for i in range(model.lumped.size)]
    for (i, lump), (R_PL, p_PL) in reversed(list(zip(model.lumped.moving, poses, strict=True))):
        carried = apply(R_PL, gathered[i]) + masses[i] * p_PL
        gathered[lump.parent] = gathered[lump.parent] + carried
        masses[lump.parent] = masses[lump.parent] + masses[i]
    R_WL, p_WL = root_pose(model, surroundings)
    total: Array = apply(R_WL, gathered[0]) + masses[0] * p_WL
    return total


def per_mass(quantity: Array, mass: Array) -> Array:
    """Return quantity / mass, or the quantity itself (which is 0) of a robot without mass."""
    ratio: Array = quantity / where(less(0.0, mass), mass, 1.0)
    return ratio


def _root_velocity(model: Model, surroundings: Surroundings) -> Velocity:
    if model.base != "prescribed":
        return np.zeros(3), np.zeros(3)
    base = surroundings.base
    R_LW = transpose(base.rotation)
    return apply(R_LW, base.angular_velocity), apply(R_LW, base.linear_velocity)
