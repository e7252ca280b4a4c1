"""Random trees that mix every joint type but screws against MuJoCo's, on every kind of base."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from differentiation import error
from environments import random_base
from mixed_trees import BASES, mixed_state, mixed_tree
from mixed_trees_mujoco import NOT_IN_MUJOCO, Built, built
from mixed_trees_states import with_rotors
from robodyn_ros import algorithms
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.model import Environment, Model

#: Norm-wise accuracy against independent oracles.
TOLERANCE = 1e-10
GRAVITY = np.array([1.0, -2.0, -9.0])

#: Bodies, and how far back a link may hang: chains, bushes and in between.
SHAPES = [(6, 1), (20, 3), (30, 30)]


def compared(model: Model, other: Built, seed: int) -> None:
    """Compare poses, efforts and mass matrix in one state."""
    q, v, a = mixed_state(model, seed)
    base = random_base(seed) if model.base == "prescribed" else None
    here = Environment(gravity=GRAVITY)
    if base is not None:
        here = here.with_base_motion(base)
    state = other.state((q, v, a), base)
    other.model.opt.gravity[:] = GRAVITY
    tau, M, G = other.inverse_dynamics(state), other.mass_matrix(), state.G
    motion = algorithms.body_motion(model, q, v, a, environment=here)
    R, p = other.body_poses()
    assert error(motion.rotation, R) < TOLERANCE
    assert error(motion.position, p) < TOLERANCE
    tau, M = with_rotors(model, q, a, G.T @ tau, G.T @ M @ G)
    found = algorithms.inverse_dynamics(model, q, v, a, environment=here)
    assert error(found, tau) < TOLERANCE
    assert error(algorithms.mass_matrix(model, q, environment=here), M) < TOLERANCE


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(5))
def test_trees(seed: int, shape: tuple[int, int], base: str) -> None:
    bodies, reach = shape
    model = mixed_tree(seed, bodies, base, reach=reach, followers=seed % 3, excluded=NOT_IN_MUJOCO)
    compared(model, built(model), seed)


def test_every_joint_that_mujoco_has_takes_part() -> None:
    """In the trees above, that is."""
    kinds, types = set(), set()
    for seed in range(5):
        for bodies, reach in SHAPES:
            model = mixed_tree(seed, bodies, "floating", reach=reach, excluded=NOT_IN_MUJOCO)
            other = built(model)
            kinds |= set(other.model.jnt_type)
            types |= {place.joint.joint.type_name for place in other.places}
    assert kinds == set(map(int, mujoco.mjtJoint.__members__.values()))
    assert types == set(JOINT_TYPES) - {"fixed", *NOT_IN_MUJOCO}


def test_screws_are_refused() -> None:
    with pytest.raises(ValueError, match=r"MuJoCo has no joint for .*screw"):
        built(mixed_tree(0, 25))
