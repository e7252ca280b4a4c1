"""The Coriolis matrix: efforts of inverse dynamics, and a skew-symmetric dM/dt - 2 C."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import pinocchio_counterpart
from differentiation import FIRST_TOLERANCE, derivatives, error
from free_trees import busy_environment, uncoupled_tree
from robodyn_ros.algorithms import integrate, inverse_dynamics, mass_matrix
from robodyn_ros.algorithms.coriolis_matrix import coriolis_matrix
from robodyn_ros.joints import Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robots import every_base, label, loaded, own_urdfs, random_state, random_tree, usable_urdfs
from tracing import traced

#: Two recursions over the same numbers; norm-wise.
IDENTITY = 1e-12
#: Of the stencil: chains of many joints turn fast.
STEP = 0.01
#: Norm-wise accuracy against independent oracles.
ORACLE = 1e-10

USABLE = usable_urdfs()


def assert_coriolis_matrix(model: Model, seed: int, environment: Environment) -> None:
    """C v are inverse dynamics' efforts without gravity and acceleration; dM/dt - 2 C is skew."""
    q, v, _ = random_state(model, seed)
    C = coriolis_matrix(model, q, v, environment=environment)
    assert C.shape == (model.nv, model.nv)
    resting = environment.with_base_motion(BaseMotion()).with_gravity(np.zeros(3))
    assert error(C @ v, inverse_dynamics(model, q, v, environment=resting)) < IDENTITY

    def along(t: np.ndarray) -> np.ndarray:
        return mass_matrix(model, integrate(model, q, v * t[:, None]), environment=environment)

    # dM/dt = C + C^T is dM/dt - 2 C = -(dM/dt - 2 C)^T.
    assert error(C + C.T, derivatives(along, STEP)[0]) < FIRST_TOLERANCE


@every_base
@pytest.mark.parametrize("root", [None, "b5", "b11"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("tree", [random_tree, uncoupled_tree], ids=["coupled", "uncoupled"])
def test_random_trees_of_every_joint_type(tree, seed, root, base) -> None:  # type: ignore[no-untyped-def]
    model = tree(seed, base=base, root=root)
    assert_coriolis_matrix(model, seed, busy_environment(model, seed))


@pytest.mark.parametrize("path", USABLE + own_urdfs(), ids=label)
def test_descriptions(path: Path) -> None:
    """With a floating base, in which the fixed one is contained."""
    assert_coriolis_matrix(loaded(path, "floating"), 3, Environment())


@pytest.mark.parametrize("path", USABLE, ids=label)
def test_equals_pinocchios(path: Path) -> None:
    """C is not unique: compared is what must agree, C v and the quadratic form of C + C^T."""
    model = loaded(path)
    other = pinocchio_counterpart.counterpart(path, model)
    q, v, w = random_state(model, 1)
    ours = coriolis_matrix(model, q, v)
    theirs = pin.computeCoriolisMatrix(
        other.model, other.data, pinocchio_counterpart.coordinates(other, model, q), other.rates @ v
    )
    theirs = other.rates.T @ theirs @ other.rates
    assert error(ours @ v, theirs @ v) < ORACLE
    assert error(w @ ours @ w, w @ theirs @ w) < ORACLE


def test_planar_arm_of_two_links() -> None:
    """The textbook's C of two links in a plane, from Christoffel symbols."""
    builder = ModelBuilder("planar")
    builder.add_body("base")
    for name in ("upper", "fore"):
        builder.add_body(name, mass=1.5, com=[0.4, 0.0, 0.0], inertia=0.1 * np.eye(3))
    builder.add_joint("shoulder", Revolute((0, 0, 1)), "base", "upper")
    builder.add_joint("elbow", Revolute((0, 0, 1)), "upper", "fore", position=[0.7, 0.0, 0.0])
    q, v = np.array([0.3, 0.8]), np.array([1.1, -0.6])
    h = -1.5 * 0.7 * 0.4 * np.sin(q[1])
    expected = np.array([[h * v[1], h * (v[0] + v[1])], [-h * v[0], 0.0]])
    assert error(coriolis_matrix(builder.build(), q, v), expected) < 1e-15


def test_a_moving_base_is_left_out() -> None:
    model = uncoupled_tree(1, "prescribed")
    q, v, _ = random_state(model, 1)
    moving = coriolis_matrix(model, q, v, environment=busy_environment(model, 1))
    motion = BaseMotion()
    resting = busy_environment(model, 1).with_base_motion(motion)
    assert np.array_equal(moving, coriolis_matrix(model, q, v, environment=resting))


@every_base
def test_batch_rows_equal_single_calls(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed) for seed in range(6)]
    q, v, _ = (np.stack(column).reshape((2, 3, -1)) for column in zip(*states, strict=True))
    whole = coriolis_matrix(model, q, v)
    assert whole.shape == (2, 3, model.nv, model.nv)
    for index in np.ndindex(2, 3):
        assert error(whole[index], coriolis_matrix(model, q[index], v[index])) < IDENTITY


def test_symbols_equal_floats() -> None:
    model = random_tree(2)
    q, v, _ = random_state(model, 2)
    (found,) = traced(lambda q, v: coriolis_matrix(model, q, v), q, v)
    assert error(found, coriolis_matrix(model, q, v)) < IDENTITY


def test_no_coordinates() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    nothing = np.zeros((3, 0))
    assert coriolis_matrix(builder.build(), nothing, nothing).shape == (3, 0, 0)
