"""Newton and Euler's equations outward over the lumps, and their efforts gathered inward."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.external_wrenches import axial, lump_wrench
from robodyn_ros.algorithms.joint_space import Pose, lump_poses
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.model import Model
from robodyn_ros.model.lumped import Lump
from robodyn_ros.spatial import Array, apply, cross, skew, transpose

#: Where the 3 x 3 second moments stand in a row of regrouped moments, row by row.
_SECOND = (4, 5, 7, 5, 6, 8, 7, 8, 9)


class LumpState(NamedTuple):
    """Motion of a lump in its own axes: w, dw, and the origin's acceleration less gravity."""

    R_WL: Array
    w: Array
    dw: Array
    a: Array


class LumpWrenches(NamedTuple):
    """What an outward pass leaves for the way back.

    Attributes:
        poses: of every moving lump in its parent lump.
        subspaces: (..., 6, nv of the joint) of every moving lump's joint.
        wrenches: moment and force (..., 3) that every lump needs, at its origin, in its axes; entry
            0, of lump 0, is zero.
    """

    poses: list[Pose]
    subspaces: list[Array]
    wrenches: list[tuple[Array, Array]]


def newton_euler(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    surroundings: Surroundings,
    packed: Array | None = None,
) -> list[Array]:
    """Return the efforts (..., nv of the joint) of rigid-body motion for every moving lump.

    Outward with angular velocity, angular acceleration and the origin's acceleration, all in the
    lump's axes; inward with moment and force at the origin. Gravity enters as an acceleration of
    the root. The lumps' moments are the regrouped ones: no joint effort knows the difference.
    """
    found = lump_wrenches(model, q, v, a, surroundings, packed)
    return _inward(model, *found)


def lump_wrenches(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    surroundings: Surroundings,
    packed: Array | None = None,
) -> LumpWrenches:
    """Return the wrenches that give every lump its motion, less external ones: the way out."""
    poses = lump_poses(model, q)
    tree = model.lumped
    states = [LumpState(*surroundings.root_state(model))]
    wrenches: list[tuple[Array, Array]] = [(np.zeros(3), np.zeros(3))]
    rotations = [_skewed(states[0])]
    subspaces = []
    for (i, lump), pose in zip(tree.moving, poses, strict=True):
        state, S = _outward(states[lump.parent], rotations[lump.parent], lump, pose, (q, v, a))
        states.append(state)
        subspaces.append(S)
        rotations.append(_skewed(state))
        moment, force = _inertial_wrench(surroundings.regrouped[i], state, rotations[i])
        if packed is not None:
            m, f = lump_wrench(packed[..., i, :], state.R_WL)
            moment, force = moment - m, force - f
        wrenches.append((moment, force))
    return LumpWrenches(poses, subspaces, wrenches)


def _skewed(state: LumpState) -> Array:
    """Return K (..., 3, 3) with K r = dw x r + w x (w x r), what rotation adds at r."""
    w = state.w
    outer = w[..., :, None] * w[..., None, :]
    square = outer[..., 0, 0] + outer[..., 1, 1] + outer[..., 2, 2]
    turned: Array = skew(state.dw) + outer - np.eye(3) * np.asarray(square)[..., None, None]
    return turned


def _outward(
    parent: LumpState, K: Array, lump: Lump, pose: Pose, motion: tuple[Array, Array, Array]
) -> tuple[LumpState, Array]:
    """Return a lump's state from its parent's, and its joint's motion subspace."""
    q, v, a = motion
    R_PL, p_PL = pose
    R_LP = transpose(R_PL)
    coordinates, joint = lump.joint.coordinates, lump.joint.joint
    z, dz = coordinates.position(q), coordinates.velocity(q, v)
    S = joint.motion_subspace(z)
    V = apply(S, dz)
    A = apply(S, coordinates.acceleration(q, v, a))
    bias = joint.bias(z, dz)
    if bias is not None:
        A = A + bias
    turn, slide = V[..., :3], V[..., 3:]
    w = apply(R_LP, parent.w)
    dw = apply(R_LP, parent.dw) + A[..., :3] + cross(w, turn)
    acceleration = apply(R_LP, parent.a + apply(K, p_PL)) + A[..., 3:]
    acceleration = acceleration + cross(2.0 * w + turn, slide)
    return LumpState(parent.R_WL @ R_PL, w + turn, dw, acceleration), S


def _inertial_wrench(moments: Array, state: LumpState, K: Array) -> tuple[Array, Array]:
    """Return the moment and force (..., 3) at the origin that give a lump its motion.

    The moment is that of r x K r over the body: with the second moments J it is the axial vector
    of J K^T.
    """
    mass, first = moments[..., 0], moments[..., 1:4]
    entries = [moments[..., k] for k in _SECOND]
    second = np.stack(entries, axis=-1).reshape((*moments.shape[:-1], 3, 3))
    force = mass * state.a + apply(K, first)
    return axial(second @ transpose(K)) + cross(first, state.a), force


def _inward(
    model: Model,
    poses: list[Pose],
    subspaces: list[Array],
    wrenches: list[tuple[Array, Array]],
) -> list[Array]:
    """Return the joints' efforts from the lumps' own wrenches, gathered from the leaves."""
    found: list[Array] = []
    for (i, lump), (R, p), S in reversed(
        list(zip(model.lumped.moving, poses, subspaces, strict=True))
    ):
        moment, force = wrenches[i]
        transposed = transpose(S)
        found.append(apply(transposed[..., :3], moment) + apply(transposed[..., 3:], force))
        if lump.parent == 0:
            continue
        outer_moment, outer_force = wrenches[lump.parent]
        carried = apply(R, force)
        outer_moment = outer_moment + apply(R, moment) + cross(p, carried)
        wrenches[lump.parent] = (outer_moment, outer_force + carried)
    return found[::-1]
