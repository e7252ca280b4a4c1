"""Derivatives of forward dynamics: differentiation, identities with inverse dynamics, oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pinocchio_counterpart
from differentiation import derivatives, error
from free_trees import busy_environment, uncoupled_tree
from robodyn_ros.algorithms import integrate, mass_matrix
from robodyn_ros.algorithms.derivatives import inverse_dynamics_derivatives
from robodyn_ros.algorithms.forward_derivatives import (
    acceleration_derivatives,
    forward_dynamics_derivatives,
)
from robodyn_ros.algorithms.forward_dynamics import forward_dynamics
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import SingularMassMatrixError
from robodyn_ros.joints import Revolute
from robodyn_ros.model import Environment, Model, ModelBuilder
from robots import every_base, label, loaded, random_state, random_tree, usable_urdfs
from tracing import traced

#: Norm-wise, against differentiation and against Pinocchio.
TOLERANCE = 1e-8
#: M times its inverse, and what is multiplied back by M.
IDENTITY = 1e-9
STEP = 0.01

USABLE = usable_urdfs()
#: With mimic joints, which Pinocchio refuses in these derivatives.
COUPLED = {
    "baxter.urdf",
    "panda.urdf",
    "panda_collision.urdf",
    "pr2.urdf",
    "romeo.urdf",
    "talos_full_v2.urdf",
    "talos_full_v2_box.urdf",
    "tiago_pro.urdf",
}
#: With massless links behind joints, where Pinocchio divides by zero.
SINGULAR = {"romeo_laas_small.urdf"}


def with_rotors(model: Model) -> Environment:
    """Return rotors everywhere: accelerations stay of order 1, and no joint is singular."""
    parameters = np.array(model.lumped.joint_parameters)
    parameters[:, 0] = 1.0
    return Environment().with_joint_parameters(parameters)


@every_base
@pytest.mark.parametrize("root", [None, "b5"])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("tree", [random_tree, uncoupled_tree], ids=["coupled", "uncoupled"])
def test_random_trees_against_differentiation(tree, seed, root, base) -> None:  # type: ignore[no-untyped-def]
    model = tree(seed, base=base, root=root)
    rotors = with_rotors(model).joint_parameters
    environment = busy_environment(model, seed).with_joint_parameters(rotors)
    q, v, tau = random_state(model, seed)
    units = np.eye(model.nv)

    def a(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return forward_dynamics(model, q, v, tau, environment=environment)

    def along(t: np.ndarray) -> np.ndarray:
        return a(integrate(model, q, units * t[:, None, None]), v, tau)

    dq, dv, dtau = forward_dynamics_derivatives(model, q, v, tau, environment=environment)
    assert error(dq, derivatives(along, STEP)[0].T) < TOLERANCE
    # Quadratic in v and linear in tau, so that these differences are exact.
    central = 0.5 * (a(q, v + units, tau) - a(q, v - units, tau))
    assert error(dv, central.T) < TOLERANCE
    assert error(dtau, (a(q, v, tau + units) - a(q, v, tau)).T) < TOLERANCE
    assert np.array_equal(dtau, dtau.T)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE, ids=label)
def test_identities_with_inverse_dynamics(path: Path, base: str) -> None:
    """M da/dq = -dtau/dq at the accelerations, and M M^-1 = 1."""
    model = loaded(path, base)
    environment = with_rotors(model)
    q, v, tau = random_state(model, 3)
    a = forward_dynamics(model, q, v, tau, environment=environment)
    dq, dv, dtau = forward_dynamics_derivatives(model, q, v, tau, environment=environment)
    dtau_dq, dtau_dv, M = inverse_dynamics_derivatives(model, q, v, a, environment=environment)
    assert error(M @ dq, -dtau_dq) < IDENTITY
    assert error(M @ dv, -dtau_dv) < IDENTITY
    assert error(M @ dtau, np.eye(model.nv)) < IDENTITY


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE, ids=label)
def test_equals_pinocchios(path: Path, base: str) -> None:
    """Followers: Pinocchio refuses them here. Singular: it divides by zero, ours says so."""
    model = loaded(path, base)
    other = pinocchio_counterpart.counterpart(path, model)
    assert other.coupled == any(joint.is_follower for _, joint in model.moving)
    around = Surroundings.of(model, Environment())
    states = [random_state(model, seed) for seed in (1, 2)]
    q, v, tau = map(np.stack, zip(*states, strict=True))
    *ours, verdicts = acceleration_derivatives(model, q, v, tau, around)
    assert all(np.isfinite(array).all() for array in ours)
    matrices = mass_matrix(model, q)
    for row, state in enumerate(states):
        sound = model.nv == 0 or np.linalg.matrix_rank(matrices[row], hermitian=True) == model.nv
        assert (np.broadcast_to(verdicts, 2)[row] == 0.0) == sound
        if other.coupled or not sound:
            continue
        theirs = pinocchio_counterpart.forward_dynamics_derivatives(other, model, *state)
        for mine, their in zip(ours, theirs, strict=True):
            assert error(mine[row], their) < TOLERANCE


def test_what_pinocchio_does_not_answer() -> None:
    """Named, so that an exclusion cannot grow unseen."""
    coupled, singular = set(), set()
    for path in USABLE:
        model = loaded(path)
        if any(joint.is_follower for _, joint in model.moving):
            coupled.add(path.name)
        elif model.nv:
            M = mass_matrix(model, random_state(model, 1)[0])
            if np.linalg.matrix_rank(M, hermitian=True) < model.nv:
                singular.add(path.name)
    assert coupled == COUPLED
    assert singular == SINGULAR


def test_a_singular_mass_matrix_is_named() -> None:
    builder = ModelBuilder("arm")
    builder.add_body("base")
    builder.add_body("link", mass=1.0, com=[0.1, 0.2, 0.3])
    builder.add_body("flange")
    builder.add_joint("shoulder", Revolute((0, 0, 1)), "base", "link")
    builder.add_joint("wrist", Revolute((1, 0, 0)), "link", "flange")
    model = builder.build()
    with pytest.raises(SingularMassMatrixError, match="at joint 'wrist'"):
        forward_dynamics_derivatives(model, np.zeros(2), None, np.ones(2))


@every_base
def test_batch_rows_equal_single_calls(base: str) -> None:
    model = random_tree(3, base=base)
    environment = with_rotors(model)
    states = [random_state(model, seed) for seed in range(4)]
    q, v, tau = (np.stack(column).reshape((2, 2, -1)) for column in zip(*states, strict=True))
    whole = forward_dynamics_derivatives(model, q, v, tau, environment=environment)
    for index in np.ndindex(2, 2):
        single = forward_dynamics_derivatives(
            model, q[index], v[index], tau[index], environment=environment
        )
        for many, one in zip(whole, single, strict=True):
            assert many.shape == (2, 2, model.nv, model.nv)
            assert error(many[index], one) < IDENTITY


def test_symbols_equal_floats() -> None:
    model = uncoupled_tree(2)
    around = Surroundings.of(model, with_rotors(model))
    state = random_state(model, 2)

    def function(q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, ...]:
        *matrices, verdict = acceleration_derivatives(model, q, v, tau, around)
        return (*matrices, np.asarray(verdict))

    for found, expected in zip(traced(function, *state), function(*state), strict=True):
        assert error(found, expected) < IDENTITY


def test_no_coordinates() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    nothing = np.zeros((3, 0))
    for matrix in forward_dynamics_derivatives(builder.build(), nothing, None, nothing):
        assert matrix.shape == (3, 0, 0)
