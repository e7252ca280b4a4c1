"""The mass matrix: identities on every robot, closed forms, Pinocchio's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pinocchio_counterpart
from differentiation import error
from robodyn_ros.algorithms import inverse_dynamics
from robodyn_ros.algorithms.kinematics import body_motion
from robodyn_ros.algorithms.mass_matrix import mass_matrix
from robodyn_ros.joints import Planar, Prismatic, Revolute
from robodyn_ros.model import Environment, Model, ModelBuilder, Payload
from robodyn_ros.spatial import cross
from robots import every_base, label, loaded, own_urdfs, random_state, random_tree, usable_urdfs
from tracing import TRACE_TOLERANCE, traced
from trees import tree_of

#: Two recursions over the same numbers; norm-wise.
IDENTITY = 1e-12
#: Norm-wise accuracy against independent oracles.
ORACLE = 1e-10

USABLE = usable_urdfs()


def with_rotors(model: Model, seed: int) -> Environment:
    rates = model.lumped.rates
    parameters = np.random.default_rng(seed).uniform(0.0, 1.0, (rates, 3))
    load = Payload("load", model.body_names[-1], 1.5, np.array([0.1, -0.2, 0.3]), 0.01 * np.eye(3))
    return Environment().with_joint_parameters(parameters).with_payload(load)


def assert_inertia_of_inverse_dynamics(model: Model, seed: int) -> None:
    """M a + h = tau, with payload and armature."""
    q, v, a = random_state(model, seed)
    for environment in (Environment(), with_rotors(model, seed)):
        M = mass_matrix(model, q, environment=environment)
        assert M.shape == (model.nv, model.nv)
        assert np.array_equal(M, M.T)
        bias = inverse_dynamics(model, q, v, environment=environment)
        efforts = inverse_dynamics(model, q, v, a, environment=environment)
        assert error(M @ a + bias, efforts) < IDENTITY


@every_base
@pytest.mark.parametrize("root", [None, "b5", "b11"])
@pytest.mark.parametrize("seed", range(4))
def test_inertia_of_inverse_dynamics_on_random_trees(
    seed: int, root: str | None, base: str
) -> None:
    assert_inertia_of_inverse_dynamics(random_tree(seed, base=base, root=root), seed)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE + own_urdfs(), ids=label)
def test_inertia_of_inverse_dynamics_on_descriptions(path: Path, base: str) -> None:
    assert_inertia_of_inverse_dynamics(loaded(path, base), 3)


@every_base
def test_kinetic_energy(base: str) -> None:
    """v^T M v / 2 is the sum over the bodies, from their motion."""
    model = random_tree(5, base=base)
    q, v, _ = random_state(model, 5)
    motion = body_motion(model, q, v)
    energy = 0.0
    for i, body in enumerate(model.bodies):
        R, w = motion.rotation[i], motion.angular_velocity[i]
        velocity = motion.linear_velocity[i] + cross(w, R @ body.com)
        energy += 0.5 * body.mass * velocity @ velocity
        energy += 0.5 * w @ (R @ body.inertia @ R.T) @ w
    assert error(0.5 * v @ mass_matrix(model, q) @ v, energy) < IDENTITY


def test_any_numbering_with_parents_first() -> None:
    """Branches may be interleaved; Pinocchio's CRBA needs them one after the other."""
    model = tree_of([0, 0, 1, 2, 2, 3, 1])
    assert_inertia_of_inverse_dynamics(model, 1)
    swapped = tree_of([0, 0, 2, 1, 1, 3, 2], ["0", "2", "1", "4", "3", "5", "6", "7"])
    assert_inertia_of_inverse_dynamics(swapped, 1)


def test_armature_is_the_rotors_inertia_seen_at_the_joint() -> None:
    """A rotor of 1e-5 kg m^2 behind a gear of 100 counts 0.1 kg m^2."""
    builder = ModelBuilder("arm")
    builder.add_body("base")
    builder.add_body("link", mass=2.0, com=[0.5, 0.0, 0.0], inertia=0.01 * np.eye(3))
    builder.add_joint("turn", Revolute((0, 0, 1)), "base", "link", armature=1e-5 * 100.0**2)
    model = builder.build()
    assert error(mass_matrix(model, np.zeros(1)), np.array([[0.01 + 2.0 * 0.25 + 0.1]])) < 1e-15


def test_a_followers_inertia_is_on_its_driver() -> None:
    """Two fingers of a gripper, the second opening against the first at half the speed."""
    builder = ModelBuilder("gripper")
    builder.add_body("base")
    for name in ("left", "right"):
        builder.add_body(name, mass=0.3)
        builder.add_joint(f"{name}_slide", Prismatic((1, 0, 0)), "base", name, armature=0.2)
    builder.add_mimic("right_slide", "left_slide", -0.5)
    model = builder.build()
    assert error(mass_matrix(model, np.zeros(1)), np.array([[0.5 * 1.25]])) < 1e-15


def test_a_chain_that_follows_itself() -> None:
    """Two revolute joints in a row on one coordinate: the cross term counts twice."""
    builder = ModelBuilder("elbow")
    for name in ("base", "upper", "fore"):
        builder.add_body(name, mass=1.0, com=[1.0, 0.0, 0.0])
    builder.add_joint("first", Revolute((0, 0, 1)), "base", "upper")
    builder.add_joint("second", Revolute((0, 0, 1)), "upper", "fore", position=[1.0, 0.0, 0.0])
    builder.add_mimic("second", "first", 1.0)
    model = builder.build()
    # Jacobian of the two centres at q = 0: 1 and (2 + 1).
    assert error(mass_matrix(model, np.zeros(1)), np.array([[1.0 + 9.0]])) < 1e-15


def test_planar_body() -> None:
    builder = ModelBuilder("puck")
    builder.add_body("table")
    builder.add_body("puck", mass=2.0, com=[0.1, 0.0, 0.0], inertia=0.3 * np.eye(3))
    builder.add_joint("slide", Planar((0, 0, 1)), "table", "puck")
    turn = 0.7
    found = mass_matrix(builder.build(), np.array([5.0, -3.0, turn]))
    arm = 2.0 * 0.1 * np.array([-np.sin(turn), np.cos(turn)])
    expected = np.block(
        [[2.0 * np.eye(2), arm[:, None]], [arm[None, :], np.array([[0.3 + 2.0 * 0.01]])]]
    )
    assert error(found, expected) < 1e-15


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE, ids=label)
def test_equals_pinocchios(path: Path, base: str) -> None:
    model = loaded(path, base)
    assert pinocchio_counterpart.comparable(model)
    other = pinocchio_counterpart.counterpart(path, model)
    for seed in (1, 2):
        q, _, _ = random_state(model, seed)
        expected = pinocchio_counterpart.mass_matrix(other, model, q)
        assert error(mass_matrix(model, q), expected) < ORACLE


@every_base
def test_batch_rows_equal_single_calls(base: str) -> None:
    model = random_tree(3, base=base)
    q = np.stack([random_state(model, seed)[0] for seed in range(6)]).reshape((2, 3, -1))
    whole = mass_matrix(model, q)
    assert whole.shape == (2, 3, model.nv, model.nv)
    assert np.array_equal(whole, np.swapaxes(whole, -1, -2))
    for index in np.ndindex(2, 3):
        assert error(whole[index], mass_matrix(model, q[index])) < 1e-14


def test_no_coordinates() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    assert mass_matrix(builder.build(), np.zeros((3, 0))).shape == (3, 0, 0)


def test_symbols_equal_floats() -> None:
    model = random_tree(2)
    q, _, _ = random_state(model, 2)
    (found,) = traced(lambda q: mass_matrix(model, q), q)
    assert error(found, mass_matrix(model, q)) < 10 * TRACE_TOLERANCE
