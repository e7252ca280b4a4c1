"""Momentum of the whole robot, about the world's origin and about its centre of mass."""

from __future__ import annotations

import numpy as np

from robodyn_ros.algorithms.branches import joint_columns
from robodyn_ros.algorithms.joint_space import Pose, lump_poses
from robodyn_ros.algorithms.lump_motion import (
    first_moment,
    lump_velocities,
    per_mass,
    robot_mass,
    root_pose,
)
from robodyn_ros.algorithms.mass_matrix import composite_inertias
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import Array, apply, compose, cross, joined, transpose
from robodyn_ros.spatial.screws import forces_carried

_DEFAULT = Environment()


def momentum(
    model: Model, q: Array, v: Array | None = None, *, environment: Environment = _DEFAULT
) -> Array:
    """Return [angular momentum about the world's origin; linear momentum] (..., 6), world axes.

    Of every link and payload that moves, the root link among them where the base moves it. Rotors
    (armature) have none: it is not known how they turn in space.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        environment: payloads, and motion of a prescribed base.

    Returns:
        N m s, then N s.
    """
    return momenta(model, q, v, Surroundings.of(model, environment))


def centroidal_momentum(
    model: Model, q: Array, v: Array | None = None, *, environment: Environment = _DEFAULT
) -> Array:
    """Return [angular momentum about the robot's centre of mass; linear] (..., 6), world axes.

    As `momentum`, and about the centre of mass of *all* links and payloads, a root link at rest
    among them: what `robot_center_of_mass` gives.

    Source: Orin, Goswami and Lee 2013.
    """
    return centroidal_momenta(model, q, v, Surroundings.of(model, environment))


def centroidal_momentum_matrix(
    model: Model, q: Array, *, environment: Environment = _DEFAULT
) -> Array:
    """Return A (..., 6, nv): `centroidal_momentum` = A v, rows and axes as there.

    Where a prescribed base moves, its motion adds to A v what it adds for v = 0.

    Args:
        model: the model.
        q: coordinates (..., nq).
        environment: payloads, and place of a prescribed base.

    Source: Orin, Goswami and Lee 2013, by composite inertias.
    """
    return momentum_matrix(model, q, Surroundings.of(model, environment))


def momenta(model: Model, q: Array, v: Array | None, surroundings: Surroundings) -> Array:
    """Return `momentum` for surroundings: every lump's own, gathered from the leaves."""
    v = np.zeros(model.nv) if v is None else v
    poses = lump_poses(model, q)
    gathered: list[tuple[Array, Array]] = []
    for i, (w, velocity) in enumerate(lump_velocities(model, q, v, surroundings, poses)):
        mass, first, inertia = moments(surroundings.inertias[..., i, :])
        angular = apply(inertia, w) + cross(first, velocity)
        gathered.append((angular, mass * velocity + cross(w, first)))
    for (i, lump), pose in reversed(list(zip(model.lumped.moving, poses, strict=True))):
        carried, outer = _moved(pose, *gathered[i]), gathered[lump.parent]
        gathered[lump.parent] = (outer[0] + carried[0], outer[1] + carried[1])
    angular, linear = _moved(root_pose(model, surroundings), *gathered[0])
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], surroundings.lead(model))
    return joined(np.broadcast_to(angular, (*lead, 3)), linear)


def centroidal_momenta(
    model: Model, q: Array, v: Array | None, surroundings: Surroundings
) -> Array:
    """Return `centroidal_momentum` for surroundings."""
    total = momenta(model, q, v, surroundings)
    first = first_moment(model, surroundings, lump_poses(model, q))
    center = per_mass(first, robot_mass(surroundings))
    angular, linear = total[..., :3], total[..., 3:]
    return joined(angular - cross(center, linear), linear)


def momentum_matrix(model: Model, q: Array, surroundings: Surroundings) -> Array:
    """Return `centroidal_momentum_matrix` for surroundings."""
    poses = lump_poses(model, q)
    composites = composite_inertias(model, poses, surroundings.inertias)
    center = per_mass(first_moment(model, surroundings, poses), robot_mass(surroundings))
    placed = [root_pose(model, surroundings)]
    rows: list[Array] = [np.zeros(6)] * model.nv
    for (i, lump), pose, S in zip(model.lumped.moving, poses, joint_columns(model, q), strict=True):
        R_WL, p_WL = compose(placed[lump.parent], pose)
        placed.append((R_WL, p_WL))
        moved = forces_carried((R_WL, p_WL - center), composites[i].times(S))
        coordinates = lump.joint.coordinates
        shares = transpose(coordinates.velocity_map(q)) @ moved
        for k, column in enumerate(coordinates.columns()):
            rows[column] = rows[column] + shares[..., k, :]
    lead = np.broadcast_shapes(q.shape[:-1], surroundings.lead(model))
    if not rows:
        return np.zeros((*lead, 6, 0))
    return np.stack([np.broadcast_to(row, (*lead, 6)) for row in rows], axis=-1)


def _moved(pose: Pose, angular: Array, linear: Array) -> tuple[Array, Array]:
    """Return a momentum about a frame's origin as one about its parent frame's."""
    R, p = pose
    linear = apply(R, linear)
    return apply(R, angular) + cross(p, linear), linear
