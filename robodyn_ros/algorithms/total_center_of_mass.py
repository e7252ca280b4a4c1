"""The centre of mass of the whole robot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import body_motion
from robodyn_ros.algorithms.lump_motion import per_mass, robot_mass
from robodyn_ros.algorithms.momentum import momentum_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array, apply, cross

_DEFAULT = Environment()


class RobotCenterOfMass(NamedTuple):
    """Motion of the whole robot's centre of mass, in world axes.

    Attributes:
        position: (..., 3) m.
        velocity: (..., 3) m/s.
        acceleration: (..., 3) m/s^2, classical.
    """

    position: Array
    velocity: Array
    acceleration: Array


def robot_center_of_mass(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> RobotCenterOfMass:
    """Return the motion of the centre of mass of all links and payloads, the root link included.

    A robot without mass has it at rest at the world's origin.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        a: accelerations (..., nv); None is 0.
        environment: payloads, and motion of a prescribed base.
    """
    return center_of_robot(model, q, v, a, Surroundings.of(model, environment))


def center_of_mass_jacobian(
    model: Model, q: Array, *, environment: Environment = _DEFAULT
) -> Array:
    """Return J (..., 3, nv): the velocity of `robot_center_of_mass` is J v, world axes.

    Where a prescribed base moves, its motion adds to J v what it adds for v = 0.

    Args:
        model: the model.
        q: coordinates (..., nq).
        environment: payloads, and place of a prescribed base.
    """
    return center_columns(model, q, Surroundings.of(model, environment))


def center_of_robot(
    model: Model, q: Array, v: Array | None, a: Array | None, surroundings: Surroundings
) -> RobotCenterOfMass:
    """Return `robot_center_of_mass` for surroundings."""
    tree = model.lumped
    bodies = [tree.root_body, *(lump.body for lump in tree.lumps)]
    base = Environment(base_motion=surroundings.base)
    p, R, w, velocity, dw, acceleration = (
        np.take(rows, bodies, axis=axis)
        for rows, axis in zip(
            body_motion(model, q, v, a, environment=base), (-2, -3, -2, -2, -2, -2), strict=True
        )
    )
    masses = surroundings.inertias[..., 0:1]
    arm = apply(R, surroundings.inertias[..., 1:4])
    turning = cross(w, arm)
    sums = (
        masses * p + arm,
        masses * velocity + turning,
        masses * acceleration + cross(dw, arm) + cross(w, turning),
    )
    mass = robot_mass(surroundings)
    return RobotCenterOfMass(*(per_mass(terms.sum(axis=-2), mass) for terms in sums))


def center_columns(model: Model, q: Array, surroundings: Surroundings) -> Array:
    """Return `center_of_mass_jacobian` for surroundings: linear momenta by rate, per mass."""
    linear = momentum_matrix(model, q, surroundings)[..., 3:, :]
    return per_mass(linear, robot_mass(surroundings))
