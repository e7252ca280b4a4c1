"""What an oracle of dynamics answers, in our conventions, and how its joints map to ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms import (
    bias_force,
    centroidal_momentum,
    energy,
    gravity_force,
    inverse_dynamics,
    mass_matrix,
    robot_center_of_mass,
)
from robodyn_ros.model import Model, TreeJoint
from robots import random_state


class Dynamics(NamedTuple):
    """Dynamics of N states, the root link counted as we count it.

    Attributes:
        inverse_dynamics: (N, nv).
        bias: (N, nv), Coriolis, centrifugal and gravity efforts.
        gravity: (N, nv).
        mass_matrix: (N, nv, nv).
        energy: (N, 2) kinetic and potential.
        center: (N, 3) centre of mass of the whole robot.
        momentum: (N, 6) about that centre, angular first.
    """

    inverse_dynamics: np.ndarray
    bias: np.ndarray
    gravity: np.ndarray
    mass_matrix: np.ndarray
    energy: np.ndarray
    center: np.ndarray
    momentum: np.ndarray


class State(NamedTuple):
    """N states in the oracle's coordinates: q (N, nq), v and a (N, nv), and v = G v of ours."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    G: np.ndarray

    def efforts(self, theirs: np.ndarray) -> np.ndarray:
        """Return efforts (N, nv) on our coordinates, by virtual work."""
        return np.einsum("nij,ni->nj", self.G, theirs)

    def projected(self, theirs: np.ndarray) -> np.ndarray:
        """Return a mass matrix (N, nv, nv) over our coordinates."""
        return np.swapaxes(self.G, -1, -2) @ theirs @ self.G


def moving_joints(model: Model) -> Iterator[TreeJoint]:
    """Yield every joint that moves, followers too."""
    return (joint for _, joint in model.moving if joint.joint.nv)


def is_root_joint(joint: TreeJoint) -> bool:
    """Return whether a joint is the one that base="floating" adds."""
    return joint.parent == 0 and joint.name.startswith("floating_base")


def our_dynamics(model: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> Dynamics:
    """Return what our algorithms answer for states q (N, nq), v and a (N, nv)."""
    return Dynamics(
        inverse_dynamics(model, q, v, a),
        bias_force(model, q, v),
        gravity_force(model, q),
        mass_matrix(model, q),
        np.stack(energy(model, q, v), axis=-1),
        robot_center_of_mass(model, q).position,
        centroidal_momentum(model, q, v),
    )


def random_states(model: Model, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q (count, nq), v and a (count, nv) within the limits and of order 1."""
    rows = (random_state(model, seed) for seed in range(1, count + 1))
    q, v, a = (np.stack(column) for column in zip(*rows, strict=True))
    return q, v, a


def worst(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return the largest norm-wise error max|x - y| / max(1, max|y|) of all rows."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
    if ours.size == 0:
        return 0.0
    rows = len(ours)
    off = np.abs(ours - theirs).reshape(rows, -1).max(axis=1)
    return float(np.max(off / np.maximum(1.0, np.abs(theirs).reshape(rows, -1).max(axis=1))))
