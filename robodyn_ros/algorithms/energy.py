"""Kinetic and potential energy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.joint_space import joint_rates, lump_poses
from robodyn_ros.algorithms.lump_motion import first_moment, lump_velocities
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import Array, apply, cross

_DEFAULT = Environment()


class Energy(NamedTuple):
    """Energies (...) in J.

    Attributes:
        kinetic: of all links, payloads and rotors.
        potential: in the field of gravity, 0 with everything at the world's origin.
    """

    kinetic: Array
    potential: Array


def energy(
    model: Model, q: Array, v: Array | None = None, *, environment: Environment = _DEFAULT
) -> Energy:
    """Return kinetic and potential energy (...) of the whole robot.

    Kinetic: every link and payload, the root link too where the base moves it, and
    armature dz^2 / 2 of every joint rate dz. Potential: -sum m g . c over every link and payload,
    a root link at rest among them.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        environment: gravity, payloads, joint parameters, motion of a prescribed base.
    """
    return energies(model, q, v, Surroundings.of(model, environment))


def energies(model: Model, q: Array, v: Array | None, surroundings: Surroundings) -> Energy:
    """Return `energy` for surroundings."""
    v = np.zeros(model.nv) if v is None else v
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], surroundings.lead(model))
    poses = lump_poses(model, q)
    first = first_moment(model, surroundings, poses)
    potential = -_dot(surroundings.gravity, first)
    velocities = lump_velocities(model, q, v, surroundings, poses)
    twice: Array = np.zeros(())
    for i, (w, velocity) in enumerate(velocities):
        mass, arm, inertia = moments(surroundings.inertias[..., i, :])
        momentum = mass * velocity + cross(2.0 * w, arm)
        twice = twice + _dot(velocity, momentum) + _dot(w, apply(inertia, w))
    rotors = surroundings.joints[..., 0]
    for lump, rates in zip(model.lumped.lumps, joint_rates(model, q, v), strict=True):
        twice = twice + _dot(rotors[lump.rates] * rates, rates)
    values = (np.broadcast_to(value, lead) for value in (0.5 * twice, potential))
    return Energy(*(np.array(value) for value in values))


def _dot(a: Array, b: Array) -> Array:
    product: Array = (a * b).sum(axis=-1)
    return product
