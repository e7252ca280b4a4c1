"""Articulated bodies: accelerations of a tree of independent joints, without its mass matrix."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.branches import Inertia
from robodyn_ros.algorithms.inverse_dynamics import joint_friction
from robodyn_ros.algorithms.joint_space import Pose
from robodyn_ros.algorithms.newton_euler import lump_wrenches
from robodyn_ros.algorithms.singular import limits_in
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply, cross, joined, skew, transpose
from robodyn_ros.spatial.ldlt import mirrored, safe_inverse, total


class _Rate(NamedTuple):
    """An eliminated joint rate, whose acceleration is `free` - `share` . (its parent's).

    Attributes:
        S: its motion (..., 6).
        share: (..., 6).
        free: (...) its acceleration on a parent without any.
        lost: (...) 1.0 where its pivot is not above its limit, else 0.0.
    """

    S: Array
    share: Array
    free: Array
    lost: Array


def articulated_accelerations(
    model: Model,
    q: Array,
    v: Array | None,
    tau: Array,
    surroundings: Surroundings,
    *,
    packed: Array | None = None,
    friction: bool = False,
) -> tuple[Array, Array]:
    """Return the accelerations (..., nv) and the verdict (...) of `accelerations`; no followers.

    The forces are those of inverse dynamics without joint accelerations, so that what is sought
    are the accelerations that come on top. A joint with several rates is a chain of joints with
    one each and nothing between: eliminating them in turn is the L^T D L of its inertia.
    """
    v = np.zeros(model.nv) if v is None else v
    zero = np.zeros(model.nv)
    poses, subspaces, biases = lump_wrenches(model, q, v, zero, surroundings, packed)
    wrenches = [joined(*bias) for bias in biases]
    joints = [tau[..., list(lump.joint.coordinates.columns())] for lump in model.lumped.lumps]
    if friction:
        resisting = joint_friction(model, q, v, surroundings)
        joints = [x - y for x, y in zip(joints, resisting, strict=True)]
    eliminated = _inward(model, poses, subspaces, wrenches, joints, surroundings)
    found = _outward_accelerations(model, poses, eliminated)
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1], tau.shape[:-1], surroundings.lead(model))
    if packed is not None:
        lead = np.broadcast_shapes(lead, packed.shape[:-2])
    verdict = np.asarray(total(tuple(rate.lost for rates in eliminated for rate in rates)))
    if not found:
        return np.zeros((*lead, 0)), np.broadcast_to(verdict, lead)
    a = np.stack([np.broadcast_to(x, lead) for x in found], axis=-1)
    return a, np.broadcast_to(verdict, lead)


def _inward(
    model: Model,
    poses: list[Pose],
    subspaces: list[Array],
    wrenches: list[Array],
    joints: list[Array],
    surroundings: Surroundings,
) -> list[list[_Rate]]:
    """Return every lump's eliminated rates, first rate first."""
    limits = limits_in(model, surroundings)
    rotors = surroundings.joints[..., 0]
    inertias = [_rigid(Inertia.of_moments(row)) for row in surroundings.regrouped]
    found: list[list[_Rate]] = []
    for (i, lump), pose, S, effort in reversed(
        list(zip(model.lumped.moving, poses, subspaces, joints, strict=True))
    ):
        inertia, wrench = inertias[i], wrenches[i]
        rates = []
        for k in reversed(range(S.shape[-1])):
            place = lump.rates.start + k
            rotor, column = rotors[place], S[..., k]
            U = apply(inertia, column)
            inverse, lost = safe_inverse((column * U).sum(axis=-1) + rotor, limits[place])
            share = U * np.asarray(inverse)[..., None]
            left = np.asarray(effort[..., k] - (column * wrench).sum(axis=-1))
            rates.append(_Rate(column, share, left * inverse, lost))
            if lump.parent or k:
                inertia = _released(inertia, column, U, share, rotor)
                wrench = wrench + share * left[..., None]
        found.append(rates[::-1])
        if lump.parent:
            carried, moved = _carried(pose, inertia, wrench)
            inertias[lump.parent] = inertias[lump.parent] + carried
            wrenches[lump.parent] = wrenches[lump.parent] + moved
    return found[::-1]


def _outward_accelerations(
    model: Model, poses: list[Pose], eliminated: list[list[_Rate]]
) -> list[Array]:
    """Return the acceleration (...) of each rate, by coordinate, from the root to the leaves."""
    gained: list[Array] = [np.zeros(6)]
    entries: list[Array] = [np.zeros(())] * model.nv
    for (_, lump), (R, p), rates in zip(model.lumped.moving, poses, eliminated, strict=True):
        parent = gained[lump.parent]
        turn = parent[..., :3]
        back = transpose(R)
        motion = joined(apply(back, turn), apply(back, parent[..., 3:] + cross(turn, p)))
        for column, rate in zip(lump.joint.coordinates.columns(), rates, strict=True):
            a = np.asarray(rate.free - (rate.share * motion).sum(axis=-1))
            motion = motion + rate.S * a[..., None]
            entries[column] = a
        gained.append(motion)
    return entries


def _rigid(inertia: Inertia) -> Array:
    """Return the spatial inertia (6, 6) of a lump about its origin."""
    arm = skew(inertia.first)
    upper = joined(inertia.tensor, arm)
    return joined(upper, joined(transpose(arm), inertia.mass * np.eye(3)), axis=-2)


def _released(inertia: Array, S: Array, U: Array, share: Array, rotor: Array) -> Array:
    """Return the inertia (..., 6, 6) that is left once the rate of S moves freely.

    S^T of it is rotor share^T: where S is a unit vector that gives a row and a column without
    cancellation, zeros for a joint without a rotor.
    """
    left = mirrored(inertia - share[..., :, None] * U[..., None, :])
    if S.dtype == object or np.count_nonzero(S) != 1 or np.max(S) != 1.0:
        return left
    row = int(np.argmax(S))
    i, j = np.indices((6, 6))
    kept = (rotor * share)[..., np.where(i == row, j, i)]
    released: Array = np.where((i == row) | (j == row), kept, left)
    return released


def _carried(pose: Pose, inertia: Array, wrench: Array) -> tuple[Array, Array]:
    """Return an articulated inertia (..., 6, 6) and its wrench (..., 6) in the parent's frame."""
    R, p = pose
    back, arm = transpose(R), skew(p)
    linear = mirrored(R @ inertia[..., 3:, 3:] @ back)
    own = R @ inertia[..., :3, 3:] @ back
    mixed = own + arm @ linear
    angular = R @ inertia[..., :3, :3] @ back - own @ arm + arm @ transpose(mixed)
    upper = joined(mirrored(angular), mixed)
    force = apply(R, wrench[..., 3:])
    moment = apply(R, wrench[..., :3]) + cross(p, force)
    return joined(upper, joined(transpose(mixed), linear), axis=-2), joined(moment, force)
