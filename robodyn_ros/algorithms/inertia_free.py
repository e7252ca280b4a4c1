"""Rates that move no inertia, for which the mass matrix is singular."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.kinematics import body_motion
from robodyn_ros.model import Body, Model, TreeJoint
from robodyn_ros.spatial import apply, cross, transpose

#: Of the largest root of a diagonal entry of the mass matrix. Rounding leaves some 1e-16.
_NOTHING = 1e-8
#: Of singular values, once every column has length 1. Sound robots stay above some 1e-4.
_DEPENDENT = 1e-7
#: A coordinate counts as part of a free motion from this share of its unit vector on.
_SHARE = 1e-2
#: Beyond it only what has no mass at all behind it is looked for: all together would take long.
LARGEST = 500
_SEED = 1


def inertia_free_rates(model: Model) -> tuple[tuple[str, ...], ...]:
    """Return the coordinates along which the robot can move without moving any inertia.

    The kinetic energy is |A v|^2 / 2 with a row of A for each direction in which a body's mass
    resists, so that M = A^T A is singular where A has dependent columns. It is looked at in one
    configuration that is nothing special (seeded), where M has the greatest rank it ever has.

    Floats only; armature counts as inertia, and negative moments of inertia as none.

    Returns:
        A tuple of one coordinate's name for each rate that by itself moves no inertia, then one of
        several names where only some rates together do; empty for a sound robot. Where `nv` is
        above `LARGEST`, only joints with nothing but massless bodies behind them.
    """
    if model.nv == 0:
        return ()
    if model.nv > LARGEST:
        return tuple(_behind_nothing(model))
    names = np.array(model.coordinate_names, dtype=object)
    columns = _energy_root(model)
    lengths = np.linalg.norm(columns, axis=0)
    free = lengths <= _NOTHING * np.max(lengths)
    groups: list[tuple[str, ...]] = [(str(name),) for name in names[free]]
    held = columns[:, ~free] / lengths[~free]
    if held.shape[1]:
        # R of a QR decomposition has the singular values of the tall matrix, and is small.
        _, values, rows = np.linalg.svd(np.linalg.qr(held, mode="r"), full_matrices=True)
        rank = int(np.sum(values > _DEPENDENT))
        if rank < held.shape[1]:
            shares = np.sum(rows[rank:] ** 2, axis=0)
            groups.append(tuple(map(str, names[~free][shares > _SHARE])))
    return tuple(groups)


def _behind_nothing(model: Model) -> Iterator[tuple[str, ...]]:
    """Yield each coordinate of a joint behind which, followers included, nothing has mass."""
    tree = model.lumped
    heavy = [bool(np.any(row)) or i == 0 for i, row in enumerate(tree.inertias)]
    for i, lump in reversed(tree.moving):
        heavy[lump.parent] |= heavy[i]
    resisted = {
        column
        for i, lump in tree.moving
        for column in _resisted_columns(lump.joint, heavy=heavy[i])
    }
    for k, name in enumerate(model.coordinate_names):
        if k not in resisted:
            yield (name,)


def _resisted_columns(joint: TreeJoint, *, heavy: bool) -> tuple[int, ...]:
    """Return the columns of a joint that something behind it, or its own armature, resists."""
    columns = joint.coordinates.columns()
    if heavy:
        return columns
    if joint.is_follower:
        return columns if joint.armature > 0.0 else ()
    armatures = joint.rate_parameters[:, 0]
    return tuple(column for column, own in zip(columns, armatures, strict=True) if own > 0.0)


def _energy_root(model: Model) -> NDArray[np.float64]:
    """Return A (rows, nv) with M = A^T A."""
    q, units = _nothing_special(model), np.eye(model.nv)
    motion = body_motion(model, q, units)  # the batch axis is the rate
    offset = apply(motion.rotation, np.stack([body.com for body in model.bodies]))
    velocity = motion.linear_velocity + cross(motion.angular_velocity, offset)
    turning = apply(transpose(motion.rotation), motion.angular_velocity)
    masses = np.sqrt([body.mass for body in model.bodies])[:, None]
    roots = np.stack([_root_of_inertia(body) for body in model.bodies])
    geared = [
        np.sqrt(np.maximum(joint.rate_parameters[:, 0], 0.0)) * joint.coordinates.velocity(q, units)
        for _, joint in model.moving
        if np.any(joint.rate_parameters[:, 0])
    ]
    rows = [(masses * velocity).reshape(model.nv, -1), apply(roots, turning).reshape(model.nv, -1)]
    root: NDArray[np.float64] = np.concatenate([*rows, *geared], axis=-1).T
    return root


def _nothing_special(model: Model) -> NDArray[np.float64]:
    """Return a configuration away from every joint's neutral position."""
    rng = np.random.default_rng(_SEED)
    q = np.empty(model.nq)
    for joint in model.own_joints:
        step = rng.uniform(0.2, 1.0, joint.joint.nv)
        span = slice(joint.q_index, joint.q_index + joint.joint.nq)
        q[span] = joint.joint.integrate(joint.joint.neutral(), step)
    return q


def _root_of_inertia(body: Body) -> NDArray[np.float64]:
    """Return B (3, 3) with B^T B the body's inertia, what is negative of it left out."""
    moments, axes = np.linalg.eigh(0.5 * (body.inertia + body.inertia.T))
    root: NDArray[np.float64] = np.sqrt(np.maximum(moments, 0.0))[:, None] * axes.T
    return root
