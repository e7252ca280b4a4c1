"""Attitude, position, velocity and acceleration of every body, by recursion from the root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.joints import Joint
from robodyn_ros.model import BaseMotion, Environment, Model, TreeJoint
from robodyn_ros.spatial import Array, apply, cross

Pose = tuple[Array, Array]

_DEFAULT = Environment()


class BodyMotion(NamedTuple):
    """Motion of all bodies, row = body, in world axes, at the body frame's origin.

    Attributes:
        position: (..., nb, 3) m.
        rotation: R_WB (..., nb, 3, 3).
        angular_velocity: (..., nb, 3) rad/s.
        linear_velocity: (..., nb, 3) m/s.
        angular_acceleration: (..., nb, 3) rad/s^2.
        linear_acceleration: (..., nb, 3) m/s^2, classical: the second derivative of position.
    """

    position: Array
    rotation: Array
    angular_velocity: Array
    linear_velocity: Array
    angular_acceleration: Array
    linear_acceleration: Array


class State(NamedTuple):
    """Motion of one body; the fields are those of `BodyMotion` without the row axis."""

    p: Array
    R: Array
    w: Array
    v: Array
    dw: Array
    dv: Array


def body_motion(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> BodyMotion:
    """Return the motion of every body for q (..., nq), v (..., nv) and a (..., nv); None is 0.

    Source: document A, equations 2-11, over the joint contract.
    """
    v = np.zeros(model.nv) if v is None else v
    a = np.zeros(model.nv) if a is None else a
    states = [resting_state()]
    for i, joint in model.moving:
        if i == 1 and model.base == "prescribed":
            states.append(_prescribed_state(environment.base_motion))
        else:
            mount = (joint.rotation, joint.position)
            states.append(outward(states[joint.parent], joint, mount, q, v, a))
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], a.shape[:-1])
    if model.base == "prescribed":
        lead = np.broadcast_shapes(lead, environment.base_motion.lead)
    return BodyMotion(*(_rows(quantity, lead) for quantity in zip(*states, strict=True)))


def pose_step(
    R_WP: Array, p_WP: Array, joint: Joint, mount: Pose, z: Array
) -> tuple[Array, Array, Array]:
    """Return R_WB, p_WB and the arm p_PB in world axes of a joint's child at coordinates z.

    `mount` is X_PF, where the joint sits on the parent.

    Source: document A, equations 2 and 3.
    """
    R_PF, p_PF = mount
    R_FM, p_FM = joint.pose(z)
    arm = apply(R_WP, p_PF + apply(R_PF, p_FM))
    return R_WP @ (R_PF @ R_FM), p_WP + arm, arm


def relative_poses(
    model: Model, q: Array, *, environment: Environment = _DEFAULT
) -> tuple[Array, Array]:
    """Return R_PB (..., nb, 3, 3) and p_PB (..., nb, 3) in m of every body in its parent body.

    Row 0 is the identity; row 1 of a prescribed base is the base's pose in the world.
    """
    rotations: list[Array] = [np.eye(3)]
    positions: list[Array] = [np.zeros(3)]
    for i, joint in model.moving:
        if i == 1 and model.base == "prescribed":
            rotations.append(environment.base_motion.rotation)
            positions.append(environment.base_motion.position)
            continue
        R_FM, p_FM = joint.joint.pose(joint.coordinates.position(q))
        rotations.append(joint.rotation @ R_FM)
        positions.append(joint.position + apply(joint.rotation, p_FM))
    lead = q.shape[:-1]
    if model.base == "prescribed":
        lead = np.broadcast_shapes(lead, environment.base_motion.lead)
    return _rows(tuple(rotations), lead), _rows(tuple(positions), lead)


def outward(parent: State, joint: TreeJoint, mount: Pose, q: Array, v: Array, a: Array) -> State:
    """Return the motion of a joint's child from its parent's: document A, equations 2-11.

    `mount` is X_PF, where the joint sits on the parent.
    """
    place = pose_step(parent.R, parent.p, joint.joint, mount, joint.coordinates.position(q))
    return moved_outward(parent, joint, place, q, v, a)


def moved_outward(
    parent: State, joint: TreeJoint, place: tuple[Array, Array, Array], q: Array, v: Array, a: Array
) -> State:
    """Return what `outward` does for a child whose R_WB, p_WB and arm p_PB are known."""
    R, p, arm = place
    w, dw = parent.w, parent.dw
    velocity = parent.v + cross(w, arm)
    acceleration = parent.dv + cross(dw, arm) + cross(w, cross(w, arm))
    if joint.joint.nv == 0:
        return State(p, R, w, velocity, dw, acceleration)
    z, dz = joint.coordinates.position(q), joint.coordinates.velocity(q, v)
    S = joint.joint.motion_subspace(z)
    V = apply(S, dz)
    A = apply(S, joint.coordinates.acceleration(q, v, a))
    bias = joint.joint.bias(z, dz)
    if bias is not None:
        A = A + bias
    turn, slide = apply(R, V[..., :3]), apply(R, V[..., 3:])
    return State(
        p,
        R,
        w + turn,
        velocity + slide,
        dw + apply(R, A[..., :3]) + cross(w, turn),
        acceleration + apply(R, A[..., 3:]) + cross(2.0 * w + turn, slide),
    )


def resting_state() -> State:
    """Return the motion of a frame that is the reference itself."""
    zero = np.zeros(3)
    return State(zero, np.eye(3), zero, zero, zero, zero)


def _prescribed_state(base: BaseMotion) -> State:
    return State(
        base.position,
        base.rotation,
        base.angular_velocity,
        base.linear_velocity,
        base.angular_acceleration,
        base.linear_acceleration,
    )


def _rows(quantity: tuple[Array, ...], lead: tuple[int, ...]) -> Array:
    """Return one quantity of all bodies as (*lead, nb, ...)."""
    core = quantity[0].ndim
    row_axis = -1 - core
    rows = [np.broadcast_to(x, lead + x.shape[x.ndim - core :]) for x in quantity]
    return np.stack(rows, axis=row_axis)
