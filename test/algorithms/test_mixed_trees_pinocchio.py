"""Random trees that mix every joint type against Pinocchio's, on every kind of base."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from differentiation import error
from environments import random_base
from mixed_trees import BASES, mixed_state, mixed_tree
from mixed_trees_pinocchio import NOT_IN_PINOCCHIO, Built, built
from mixed_trees_states import with_rotors
from robodyn_ros import algorithms
from robodyn_ros.joints import JOINT_TYPES
from robodyn_ros.model import Environment, Model

#: Norm-wise accuracy against independent oracles.
TOLERANCE = 1e-10
GRAVITY = np.array([1.0, -2.0, -9.0])

#: Bodies, and how far back a link may hang: chains, bushes and in between.
SHAPES = [(6, 1), (20, 3), (30, 30)]

#: Of trees; among them are all that Pinocchio has joints for. The second is built of composites.
SEEDS = (0, 1, 3, 4)


def compared(model: Model, other: Built, seed: int, q: np.ndarray | None = None) -> None:
    """Compare poses, efforts, mass matrix and the last body's velocity in one state."""
    somewhere, v, a = mixed_state(model, seed)
    q = somewhere if q is None else q
    base = random_base(seed) if model.base == "prescribed" else None
    here = Environment(gravity=GRAVITY)
    if base is not None:
        here = here.with_base_motion(base)
    state = other.state((q, v, a), base)
    motion = algorithms.body_motion(model, q, v, a, environment=here)
    R, p = other.body_poses(state.q)
    assert error(motion.rotation, R) < TOLERANCE
    assert error(motion.position, p) < TOLERANCE

    other.model.gravity.linear = GRAVITY
    tau = pin.rnea(other.model, other.data, state.q, state.v, state.a)
    M = pin.crba(other.model, other.data, state.q)
    M = np.triu(M) + np.triu(M, 1).T
    G = state.G
    tau, M = with_rotors(model, q, a, G.T @ tau, G.T @ M @ G)
    found = algorithms.inverse_dynamics(model, q, v, a, environment=here)
    assert error(found, tau) < TOLERANCE
    assert error(algorithms.mass_matrix(model, q, environment=here), M) < TOLERANCE

    pin.forwardKinematics(other.model, other.data, state.q, state.v)
    number, seat = other.seats[-1]
    twist = seat.actInv(other.data.v[number])
    assert error(motion.rotation[-1].T @ motion.angular_velocity[-1], twist.angular) < TOLERANCE
    assert error(motion.rotation[-1].T @ motion.linear_velocity[-1], twist.linear) < TOLERANCE


def forward_compared(model: Model, other: Built, seed: int) -> None:
    """Compare accelerations, by their efforts, then energy and momentum; all without rotors."""
    q, v, tau = mixed_state(model, seed)
    here = Environment(GRAVITY, joint_parameters=np.zeros((model.lumped.rates, 3)))
    state = other.state((q, v, np.zeros(model.nv)))
    other.model.gravity.linear = GRAVITY
    efforts = np.linalg.solve(state.G.T, tau)
    found = pin.aba(other.model, other.data, state.q, state.v, efforts)
    theirs = np.linalg.solve(state.G, found - state.a)
    ours = algorithms.forward_dynamics(model, q, v, tau, environment=here)
    M = algorithms.mass_matrix(model, q, environment=here)
    assert error(M @ ours, M @ theirs) < 100 * TOLERANCE

    kinetic = pin.computeKineticEnergy(other.model, other.data, state.q, state.v)
    assert error(algorithms.energy(model, q, v, environment=here).kinetic, kinetic) < TOLERANCE
    if model.base == "floating":  # else the root link, which it does not count, moves the centre
        pin.ccrba(other.model, other.data, state.q, state.v)
        momentum = algorithms.centroidal_momentum(model, q, v, environment=here)
        whole = np.concatenate([other.data.hg.angular, other.data.hg.linear])
        assert error(momentum, whole) < TOLERANCE


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", SEEDS)
def test_trees(seed: int, shape: tuple[int, int], base: str) -> None:
    bodies, reach = shape
    model = mixed_tree(seed, bodies, base, reach=reach, followers=seed, excluded=NOT_IN_PINOCCHIO)
    compared(model, built(model, composites=seed == 1), seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_at_the_neutral_configuration(seed: int) -> None:
    """Where rotation vectors are zero, quaternions one, and some gimbals singular."""
    model = mixed_tree(seed, 30, "floating", excluded=NOT_IN_PINOCCHIO)
    compared(model, built(model, composites=seed == 1), seed, algorithms.neutral(model))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("length", [1e-200, 1e-8, 3.1415, 6.28, 20.0])
def test_rotation_vectors_of_any_length(length: float, seed: int) -> None:
    model = mixed_tree(seed, 20, reach=1, excluded=NOT_IN_PINOCCHIO)
    q, _, _ = mixed_state(model, seed)
    vectors = [j.q_index for j in model.own_joints if j.joint.type_name == "global"]
    assert vectors
    for begin in vectors:
        q[begin : begin + 3] *= length / np.linalg.norm(q[begin : begin + 3])
    compared(model, built(model), seed, q)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", SEEDS[1:3])
def test_forward_dynamics(seed: int, shape: tuple[int, int], base: str) -> None:
    bodies, reach = shape
    model = mixed_tree(seed, bodies, base, reach=reach, excluded=NOT_IN_PINOCCHIO)
    forward_compared(model, built(model, composites=seed == 1), seed)


def test_every_joint_that_pinocchio_has_takes_part() -> None:
    """In the trees above, that is."""
    names, types = set(), set()
    for seed in SEEDS:
        for bodies, reach in SHAPES:
            model = mixed_tree(seed, bodies, reach=reach, excluded=NOT_IN_PINOCCHIO)
            other = built(model, composites=seed == 1)
            names |= {joint.shortname().removeprefix("JointModel") for joint in other.model.joints}
            types |= {place.joint.joint.type_name for place in other.places}
    assert types == set(JOINT_TYPES) - {"fixed", *NOT_IN_PINOCCHIO}
    assert names >= {
        *("FreeFlyer", "Spherical", "SphericalZYX", "Translation", "Universal", "Planar"),
        *("HelicalUnaligned", "PrismaticUnaligned", "RevoluteUnaligned"),
        *("RX", "RY", "RZ", "PX", "HX", "HZ", "RUBX", "Composite"),
    }
