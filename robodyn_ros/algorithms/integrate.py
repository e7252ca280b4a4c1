"""Moving on the configuration manifold: integrate, difference, neutral and random points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, joined


def integrate(model: Model, q: Array, v: Array, dt: float | Array = 1.0) -> Array:
    """Return the coordinates (..., nq) reached from q (..., nq) by constant v (..., nv) in dt s."""
    step = v * np.asarray(dt)[..., None]
    parts = [
        j.joint.integrate(j.coordinates.position(q), j.coordinates.velocity(q, step))
        for j in model.own_joints
    ]
    return joined(q[..., :0], step[..., :0], *parts)


def difference(model: Model, q0: Array, q1: Array) -> Array:
    """Return the step (..., nv) for which integrate(q0, step) is q1, the shorter way round."""
    parts = [
        j.joint.difference(j.coordinates.position(q0), j.coordinates.position(q1))
        for j in model.own_joints
    ]
    return joined(q0[..., :0], q1[..., :0], *parts)


def coordinate_rates(model: Model, q: Array, v: Array) -> Array:
    """Return dq/dt (..., nq) for q (..., nq) and v (..., nv)."""
    parts = [
        j.joint.rate(j.coordinates.position(q), j.coordinates.velocity(q, v))
        for j in model.own_joints
    ]
    return joined(q[..., :0], v[..., :0], *parts)


def neutral(model: Model) -> NDArray[np.float64]:
    """Return the coordinates (nq,) at which every joint's frames coincide."""
    return np.concatenate([np.zeros(0), *(j.joint.neutral() for j in model.own_joints)])


def random_configuration(model: Model, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return random coordinates (nq,) within the limits; see each joint type where it has none."""
    parts = [j.joint.random(rng, j.rate_limits) for j in model.own_joints]
    return np.concatenate([np.zeros(0), *parts])
