"""The efforts of inverse dynamics split into their causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.external_wrenches import WrenchAxes, packed_wrenches
from robodyn_ros.algorithms.inverse_dynamics import (
    armature,
    efforts,
    joint_friction,
)
from robodyn_ros.algorithms.joint_space import coordinate_efforts
from robodyn_ros.algorithms.newton_euler import newton_euler
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.regrouping import regrouped
from robodyn_ros.spatial import Array

_DEFAULT = Environment()


class EffortTerms(NamedTuple):
    """Efforts (..., nv) by cause, N m or N; they add up to `total`.

    Attributes:
        inertial: rigid bodies, proportional to the accelerations.
        coriolis: rigid bodies, quadratic in the velocities.
        gravity: weight of the rigid bodies.
        friction: damping and Coulomb friction that the efforts overcome.
        armature: rotors, proportional to the accelerations.
        payload: all that the payloads cause: inertia, Coriolis and weight.
        external: external wrenches, -J^T w: what the efforts add to hold against them.
        total: the sum.
    """

    inertial: Array
    coriolis: Array
    gravity: Array
    friction: Array
    armature: Array
    payload: Array
    external: Array
    total: Array


def effort_terms(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
    external_wrenches: Mapping[str, Array] | None = None,
    wrench_axes: WrenchAxes = "world",
) -> EffortTerms:
    """Return the efforts (..., nv) of inverse dynamics by cause, friction included.

    Arguments are those of `inverse_dynamics`. Motion of a prescribed base counts as the joints'
    own: its accelerations to `inertial`, its angular velocity to `coriolis`.
    """
    surroundings = Surroundings.of(model, environment)
    tree = model.lumped
    own = surroundings._replace(inertias=tree.inertias, regrouped=tree.regrouped)
    carried = None
    if environment.payloads:
        carried = regrouped(tree, environment.payload_inertias(model))
    packed = packed_wrenches(model, external_wrenches, wrench_axes) if external_wrenches else None
    return split_efforts(model, q, v, a, own, carried, packed)


def split_efforts(
    model: Model,
    q: Array,
    v: Array | None,
    a: Array | None,
    surroundings: Surroundings,
    carried: Array | None = None,
    packed: Array | None = None,
) -> EffortTerms:
    """Return the terms for surroundings without payloads, and for their regrouped moments apart.

    `carried` (n, 10) are those moments, None where nothing is carried.
    """
    zero = np.zeros(model.nv)
    v, a = (zero if x is None else x for x in (v, a))
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], a.shape[:-1], surroundings.lead(model))
    if packed is not None:
        lead = np.broadcast_shapes(lead, packed.shape[:-2])

    def by_coordinate(joints: Sequence[Array]) -> Array:
        return coordinate_efforts(model, q, joints, lead)

    none = np.zeros((*lead, model.nv))
    weightless = surroundings.weightless()
    still, moving = weightless.without_speed(), weightless.unaccelerated()
    parts = [
        by_coordinate(newton_euler(model, q, zero, a, still)),
        by_coordinate(newton_euler(model, q, v, zero, moving)),
        gravity_effort(model, q, surroundings, lead),
        by_coordinate(joint_friction(model, q, v, surroundings)),
        by_coordinate(armature(model, q, v, a, surroundings)),
    ]
    if carried is None:
        parts.append(none)
    else:
        loads = surroundings._replace(regrouped=carried)
        parts.append(by_coordinate(newton_euler(model, q, v, a, loads)))
    if packed is None:
        parts.append(none)
    else:
        empty = weightless.resting()._replace(regrouped=np.zeros_like(model.lumped.inertias))
        parts.append(by_coordinate(newton_euler(model, q, zero, zero, empty, packed)))
    return EffortTerms._make([*parts, sum(parts[1:], start=parts[0])])


def gravity_force(model: Model, q: Array, *, environment: Environment = _DEFAULT) -> Array:
    """Return the efforts (..., nv) that hold the robot against gravity at rest, payloads included.

    Independent of any velocity; a prescribed base counts by its attitude alone.
    """
    surroundings = Surroundings.of(model, environment)
    lead = np.broadcast_shapes(q.shape[:-1], surroundings.lead(model))
    return gravity_effort(model, q, surroundings, lead)


def gravity_effort(
    model: Model, q: Array, surroundings: Surroundings, lead: tuple[int, ...]
) -> Array:
    """Return `gravity_force` for surroundings; `lead` are the leading axes of the result."""
    zero = np.zeros(model.nv)
    joints = newton_euler(model, q, zero, zero, surroundings.resting())
    return coordinate_efforts(model, q, joints, lead)


def bias_force(
    model: Model,
    q: Array,
    v: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
    friction: bool = False,
) -> Array:
    """Return h (..., nv) of M a + h = tau: Coriolis, centrifugal and gravity efforts.

    What `inverse_dynamics` gives for zero acceleration; the motion of a prescribed base is in it.
    """
    surroundings = Surroundings.of(model, environment)
    return efforts(model, q, v, None, surroundings, friction=friction)
