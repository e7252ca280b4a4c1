"""A free tree does not know its root: the same motion needs the same efforts from any of them.

Pinocchio and MuJoCo have no joints that are turned round, so that re-rooted trees are held against
the trees that were.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from differentiation import error
from mixed_trees import around, mixed_state, mixed_tree
from robodyn_ros import algorithms
from robodyn_ros.algorithms import body_motion
from robodyn_ros.joints import Reversed
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.spatial import quaternion_from_matrix

ROUNDING = 1e-11

#: Bodies, and how far back a link may hang; long chains turn many joints round.
SHAPES = [(8, 1), (20, 1), (30, 3)]


def shared_joints(one: Model, other: Model) -> Iterator[tuple[TreeJoint, TreeJoint]]:
    """Yield the joints with coordinates of both, the root's own left out."""
    for joint in one.own_joints:
        if joint.parent:
            yield joint, other.own_joint(joint.name)


def seen_from(
    other: Model, model: Model, state: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the state in which `other`, rooted elsewhere, moves as `model` does."""
    q, v, a = state
    motion = body_motion(model, q, v, a)
    root = model.body_index(other.body_names[1])
    R, p = motion.rotation[root], motion.position[root]
    w, dp = R.T @ motion.angular_velocity[root], R.T @ motion.linear_velocity[root]
    ddp = R.T @ motion.linear_acceleration[root] - np.cross(w, dp)
    there = np.zeros(other.nq), np.zeros(other.nv), np.zeros(other.nv)
    there[0][:7] = [*p, *quaternion_from_matrix(R)]
    there[1][:6] = [*w, *dp]
    there[2][:6] = [*(R.T @ motion.angular_acceleration[root]), *ddp]
    for old, new in shared_joints(model, other):
        size = old.joint.nq
        there[0][new.q_index : new.q_index + size] = q[old.q_index : old.q_index + size]
        for mine, theirs in ((v, there[1]), (a, there[2])):
            size = old.joint.nv
            theirs[new.v_index : new.v_index + size] = mine[old.v_index : old.v_index + size]
    return there


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(6))
def test_the_same_motion_needs_the_same_efforts(seed: int, shape: tuple[int, int]) -> None:
    bodies, reach = shape
    model, other = (
        mixed_tree(seed, bodies, "floating", reach=reach, followers=seed % 3, rerooted=rerooted)
        for rerooted in (False, True)
    )
    turned = [joint for _, joint in other.moving if isinstance(joint.joint, Reversed)]
    assert turned
    here = around(model, seed)
    state = mixed_state(model, seed)
    there = seen_from(other, model, state)

    rows = [other.body_index(name) for name in model.body_names]
    for ours, theirs in zip(body_motion(model, *state), body_motion(other, *there), strict=True):
        assert error(theirs[rows], ours) < ROUNDING

    tau = algorithms.inverse_dynamics(model, *state, environment=here)
    # What the root's own coordinates take up acts on that link from outside.
    held = {model.body_names[1]: tau[:6]}
    found = algorithms.inverse_dynamics(
        other, *there, environment=here, external_wrenches=held, wrench_axes="local"
    )
    assert error(found[:6], np.zeros(6)) < ROUNDING * np.max(np.abs(tau))
    for old, new in shared_joints(model, other):
        size = old.joint.nv
        theirs = found[new.v_index : new.v_index + size]
        ours = tau[old.v_index : old.v_index + size]
        assert error(theirs, ours) < ROUNDING * np.max(np.abs(tau)), old.name

    for ours, theirs in zip(
        algorithms.energy(model, *state[:2], environment=here),
        algorithms.energy(other, *there[:2], environment=here),
        strict=True,
    ):
        assert error(theirs, ours) < ROUNDING
    whole = algorithms.centroidal_momentum(model, *state[:2], environment=here)
    assert error(algorithms.centroidal_momentum(other, *there[:2], environment=here), whole) < (
        ROUNDING
    )
