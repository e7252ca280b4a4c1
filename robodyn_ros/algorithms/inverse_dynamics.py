"""Efforts for given accelerations: the recursive Newton-Euler algorithm (RNEA)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robodyn_ros.algorithms.external_wrenches import WrenchAxes, packed_wrenches
from robodyn_ros.algorithms.joint_friction import friction_effort
from robodyn_ros.algorithms.joint_space import coordinate_efforts, joint_rates
from robodyn_ros.algorithms.newton_euler import newton_euler
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array

_DEFAULT = Environment()


def inverse_dynamics(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Array] | None = None,
    wrench_axes: WrenchAxes = "world",
    friction: bool = False,
) -> Array:
    """Return the efforts (..., nv) that produce accelerations a: M a + h, less external wrenches.

    Rigid bodies, payloads, armature and external wrenches; joint friction on request.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        a: accelerations (..., nv); None is 0.
        environment: gravity, payloads, joint parameters, motion of a prescribed base.
        external_wrenches: [moment; force] (..., 6) exerted on the robot, by frame name.
        wrench_axes: "world", or "local" for each frame's own axes.
        friction: whether damping and Coulomb friction are added.

    Source: Luh, Walker and Paul 1980, over the joint contract.
    """
    packed = packed_wrenches(model, external_wrenches, wrench_axes) if external_wrenches else None
    surroundings = Surroundings.of(model, environment)
    return efforts(model, q, v, a, surroundings, packed=packed, friction=friction)


def efforts(
    model: Model,
    q: Array,
    v: Array | None,
    a: Array | None,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> Array:
    """Return the efforts (..., nv) of `inverse_dynamics` for surroundings and packed wrenches."""
    zero = np.zeros(model.nv)
    v, a = (zero if x is None else x for x in (v, a))
    joints = newton_euler(model, q, v, a, surroundings, packed)
    joints = [x + y for x, y in zip(joints, armature(model, q, v, a, surroundings), strict=True)]
    if friction:
        resisting = joint_friction(model, q, v, surroundings)
        joints = [x + y for x, y in zip(joints, resisting, strict=True)]
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], a.shape[:-1], surroundings.lead(model))
    if packed is not None:
        lead = np.broadcast_shapes(lead, packed.shape[:-2])
    return coordinate_efforts(model, q, joints, lead)


def armature(model: Model, q: Array, v: Array, a: Array, surroundings: Surroundings) -> list[Array]:
    """Return the efforts that accelerate the rotors, for every moving lump's joint."""
    rotors = surroundings.joints[..., 0]
    return [
        rotors[lump.rates] * lump.joint.coordinates.acceleration(q, v, a)
        for lump in model.lumped.lumps
    ]


def joint_friction(model: Model, q: Array, v: Array, surroundings: Surroundings) -> list[Array]:
    """Return the efforts that overcome friction, for every moving lump's joint."""
    damping, friction = surroundings.joints[..., 1], surroundings.joints[..., 2]
    return [
        friction_effort(rate, damping[lump.rates], friction[lump.rates])
        for lump, rate in zip(model.lumped.lumps, joint_rates(model, q, v), strict=True)
    ]
