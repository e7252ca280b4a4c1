"""The regressor: inverse dynamics as a linear function of the bodies' inertial parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.inertia import PARAMETERS
from robodyn_ros.spatial import Array, apply, cross, joined, skew, transpose

_DEFAULT = Environment()


class _Axes(NamedTuple):
    """What one joint's rates move by columns of v: origin (..., 3), blocks (..., n, 3) in world."""

    columns: tuple[int, ...]
    origin: Array
    turning: Array
    sliding: Array


def regressor(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> Array:
    """Return Y (..., nv, 10 nb): `inverse_dynamics` is Y @ model.inertial_parameters.ravel().

    Of the rigid bodies alone: armature, friction, payloads and external wrenches are not in it.
    Every link counts by itself, ten columns each in the order of `robodyn_ros.model.inertia` and
    in the link's own frame; those of body 0, and of a prescribed root link, are zero. A payload's
    efforts are the columns of the body that carries it, times its parameters in that body's frame.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv); None is 0.
        a: accelerations (..., nv); None is 0.
        environment: gravity, and motion of a prescribed base.

    Source: Atkeson, An and Hollerbach 1986.
    """
    return effort_columns(model, q, v, a, Surroundings.of(model, environment))


def effort_columns(
    model: Model, q: Array, v: Array | None, a: Array | None, surroundings: Surroundings
) -> Array:
    """Return `regressor` for surroundings."""
    v, a = (np.zeros(model.nv) if x is None else x for x in (v, a))
    motion = body_motion(model, q, v, a, environment=Environment(base_motion=surroundings.base))
    axes = _joint_axes(model, q, motion)
    zero = np.zeros(PARAMETERS)
    rows: list[list[Array]] = [[zero] * model.nb for _ in range(model.nv)]
    for body in range(1, model.nb):
        wrench = _body_wrench(motion, body, surroundings.gravity)
        for i in model.support(body):
            if i in axes:
                for column, share in _shares(axes[i], motion.position[..., body, :], wrench):
                    rows[column][body] = rows[column][body] + share
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], a.shape[:-1], surroundings.lead(model))
    if not rows:
        return np.zeros((*lead, 0, PARAMETERS * model.nb))
    full = [joined(np.zeros((*lead, 0)), *row) for row in rows]
    return np.stack(full, axis=-2)


def _joint_axes(model: Model, q: Array, motion: BodyMotion) -> dict[int, _Axes]:
    """Return the axes of every joint that moves, by the body behind it."""
    found = {}
    for i, joint in model.moving:
        if joint.joint.nv == 0 or (i == 1 and model.base == "prescribed"):
            continue
        S = joint.joint.motion_subspace(joint.coordinates.position(q))
        S = transpose(S @ joint.coordinates.velocity_map(q))
        R_BW = transpose(motion.rotation[..., i, :, :])
        found[i] = _Axes(
            joint.coordinates.columns(),
            motion.position[..., i, :],
            S[..., :3] @ R_BW,
            S[..., 3:] @ R_BW,
        )
    return found


def _shares(axes: _Axes, at: Array, wrench: tuple[Array, Array]) -> list[tuple[int, Array]]:
    """Return (column of v, ten efforts) of the power that a joint's motions give to a wrench."""
    moment, force = wrench
    sliding = axes.sliding + cross(axes.turning, (at - axes.origin)[..., None, :])
    efforts = axes.turning @ moment + sliding @ force
    return [(column, efforts[..., k, :]) for k, column in enumerate(axes.columns)]


def _body_wrench(motion: BodyMotion, body: int, gravity: Array) -> tuple[Array, Array]:
    """Return moment and force (..., 3, 10) that move a body, by its parameters; world axes.

    With K r = dw x r + w x (w x r) in the body's axes and a the origin's acceleration less
    gravity, the force is m a + K (m c) and the moment (m c) x a + I dw + w x I w.
    """
    R = motion.rotation[..., body, :, :]
    R_BW = transpose(R)
    w = apply(R_BW, motion.angular_velocity[..., body, :])
    dw = apply(R_BW, motion.angular_acceleration[..., body, :])
    acceleration = motion.linear_acceleration[..., body, :] - gravity
    lifted = skew(apply(R_BW, acceleration))
    outer = w[..., :, None] * w[..., None, :]
    square = outer[..., 0, 0] + outer[..., 1, 1] + outer[..., 2, 2]
    K = skew(dw) + outer - np.eye(3) * np.asarray(square)[..., None, None]
    turned = _by_inertia(dw) + skew(w) @ _by_inertia(w)
    moment = joined(np.zeros((3, 1)), -(R @ lifted), R @ turned)
    return moment, joined(acceleration[..., None], R @ K, np.zeros((3, 6)))


def _by_inertia(w: Array) -> Array:
    """Return L (..., 3, 6) with L [Ixx, Ixy, Iyy, Ixz, Iyz, Izz] = I w."""
    x, y, z = w[..., 0], w[..., 1], w[..., 2]
    zero = 0.0 * x
    entries = [x, y, zero, z, zero, zero, zero, x, y, zero, z, zero, zero, zero, zero, x, y, z]
    return np.stack(entries, axis=-1).reshape((*w.shape[:-1], 3, 6))
