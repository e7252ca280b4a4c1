"""States of a mixed tree in the coordinates of an oracle that was built from elementary motions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mixed_trees_motions import Motion
from robodyn_ros.model import BaseMotion, Model, TreeJoint


class Local(NamedTuple):
    """State of one of the oracle's joints: q, and v = rates v_ours, a = rates a_ours + drift."""

    q: np.ndarray
    rates: np.ndarray
    drift: np.ndarray


class Place(NamedTuple):
    """Where an elementary motion of ours has gone: first entries of the oracle's q and v."""

    joint: TreeJoint
    motion: Motion
    q_at: int
    v_at: int


class State(NamedTuple):
    """The oracle's q, v and a, and G (its nv, our nv): its rates by ours, for virtual work."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    G: np.ndarray


Convert = Callable[[Motion, np.ndarray, np.ndarray], Local]
Carry = Callable[[BaseMotion], tuple[np.ndarray, np.ndarray, np.ndarray]]


def their_state(
    model: Model,
    places: Sequence[Place],
    convert: Convert,
    sizes: tuple[int, int],
    state: tuple[np.ndarray, np.ndarray, np.ndarray],
    base: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> State:
    """Return our state q, v, a as the oracle's.

    Args:
        model: ours.
        places: of all motions that a joint of ours makes.
        convert: state of a motion from its part of our joint's coordinates and rates.
        sizes: the oracle's nq and nv.
        state: ours.
        base: state of the free joint that the oracle has first for a prescribed base.
    """
    q, v, a = state
    theirs, rates, drift = np.zeros(sizes[0]), np.zeros(sizes[1]), np.zeros(sizes[1])
    G = np.zeros((sizes[1], model.nv))
    if base is not None:
        theirs[:7], rates[:6], drift[:6] = base
    for joint, motion, q_at, v_at in places:
        at = joint.coordinates
        part = list(motion.v)
        local = convert(motion, at.position(q)[list(motion.q)], at.velocity(q, v)[part])
        theirs[q_at : q_at + len(local.q)] = local.q
        rows = slice(v_at, v_at + len(local.rates))
        G[rows, list(at.columns())] = local.rates @ np.asarray(at.velocity_map(q), float)[part]
        drift[rows] += local.drift
    return State(theirs, rates + G @ v, G @ a + drift, G)


def with_rotors(
    model: Model, q: np.ndarray, a: np.ndarray, tau: np.ndarray, M: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return efforts and mass matrix with every joint rate's armature, which oracles leave out."""
    tau, M = tau.copy(), M.copy()
    for _, joint in model.moving:
        if joint.joint.nv:
            columns = list(joint.coordinates.columns())
            G = np.asarray(joint.coordinates.velocity_map(q), float)
            rotors = G.T @ np.diag(joint.rate_parameters[:, 0]) @ G
            M[np.ix_(columns, columns)] += rotors
            tau[columns] += rotors @ a[columns]
    return tau, M
