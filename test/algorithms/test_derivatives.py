"""Derivatives of inverse dynamics against differentiation everywhere, and Pinocchio's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pinocchio_counterpart
from differentiation import derivatives, error
from free_trees import busy_environment, uncoupled_tree
from robodyn_ros.algorithms import integrate, inverse_dynamics, mass_matrix
from robodyn_ros.algorithms.derivatives import inverse_dynamics_derivatives
from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints import Revolute
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.model.coordinates import JointCoordinates
from robots import every_base, label, loaded, own_urdfs, random_state, random_tree, usable_urdfs
from tracing import traced
from trees import tree_of

#: Norm-wise, against differentiation and against Pinocchio.
TOLERANCE = 1e-8
#: Two recursions over the same numbers.
IDENTITY = 1e-12
#: Of a stencil of order eight, for functions that turn as fast as chains of many joints do.
STEP = 0.01

USABLE = usable_urdfs()


def along_tangent(
    model: Model, q: np.ndarray, function: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return (..., nv): the derivatives of function(q) along each unit rate."""
    units = np.eye(model.nv)

    def curve(t: np.ndarray) -> np.ndarray:
        return function(integrate(model, q, units * t[:, None, None]))

    return np.moveaxis(derivatives(curve, STEP)[0], 0, -1)


def assert_derivatives_of_inverse_dynamics(
    model: Model, seed: int, environment: Environment
) -> None:
    q, v, a = random_state(model, seed)
    dq, dv, da = inverse_dynamics_derivatives(model, q, v, a, environment=environment)

    def tau(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        return inverse_dynamics(model, q, v, a, environment=environment)

    assert error(dq, along_tangent(model, q, lambda q: tau(q, v, a))) < TOLERANCE
    # Quadratic in v and linear in a, so that these differences are exact.
    units = np.eye(model.nv)
    central = 0.5 * (tau(q, v + units, a) - tau(q, v - units, a))
    assert error(dv, central.T) < TOLERANCE
    assert error(da, (tau(q, v, a + units) - tau(q, v, a)).T) < TOLERANCE
    assert np.array_equal(da, da.T)
    assert error(da, mass_matrix(model, q, environment=environment)) < IDENTITY


@every_base
@pytest.mark.parametrize("root", [None, "b5", "b11"])
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_of_every_joint_type(seed: int, root: str | None, base: str) -> None:
    for tree in (random_tree, uncoupled_tree):
        model = tree(seed, base=base, root=root)
        assert_derivatives_of_inverse_dynamics(model, seed, busy_environment(model, seed))


@pytest.mark.parametrize("path", USABLE + own_urdfs(), ids=label)
def test_descriptions(path: Path) -> None:
    """With a floating base, in which the fixed one is contained."""
    assert_derivatives_of_inverse_dynamics(loaded(path, "floating"), 3, Environment())


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("path", USABLE, ids=label)
def test_equals_pinocchios(path: Path, base: str) -> None:
    model = loaded(path, base)
    other = pinocchio_counterpart.counterpart(path, model)
    states = [random_state(model, seed) for seed in (1, 2, 3)]
    ours = inverse_dynamics_derivatives(model, *map(np.stack, zip(*states, strict=True)))
    for row, state in enumerate(states):
        theirs = pinocchio_counterpart.inverse_dynamics_derivatives(other, model, *state)
        for mine, their in zip(ours, theirs, strict=True):
            assert error(mine[row], their) < TOLERANCE


def test_pinocchio_represents_every_real_robot() -> None:
    """Affine followers by projection; a planar joint, which it does not mean alike, is in none."""
    assert len(USABLE) == 67
    assert all(pinocchio_counterpart.comparable(loaded(path)) for path in USABLE)


def test_one_link_under_gravity() -> None:
    """Tau = m g l sin q, so that dtau/dq = m g l cos q; turning costs nothing."""
    builder = ModelBuilder("pendulum")
    builder.add_body("base")
    builder.add_body("bob", mass=2.0, com=[0.0, 0.0, -0.5])
    builder.add_joint("hinge", Revolute((0, 1, 0)), "base", "bob", armature=0.1)
    q = np.array([0.3])
    dq, dv, da = inverse_dynamics_derivatives(builder.build(), q, np.array([2.0]))
    assert error(dq, np.array([[2.0 * 9.81 * 0.5 * np.cos(0.3)]])) < 1e-14
    assert error(dv, np.zeros((1, 1))) < 1e-14
    assert error(da, np.array([[2.0 * 0.25 + 0.1]])) < 1e-14


@every_base
def test_batch_rows_equal_single_calls(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed) for seed in range(6)]
    q, v, a = (np.stack(column).reshape((2, 3, -1)) for column in zip(*states, strict=True))
    whole = inverse_dynamics_derivatives(model, q, v, a)
    for index in np.ndindex(2, 3):
        single = inverse_dynamics_derivatives(model, q[index], v[index], a[index])
        for many, one in zip(whole, single, strict=True):
            assert many.shape == (2, 3, model.nv, model.nv)
            assert error(many[index], one) < IDENTITY


def test_rates_and_accelerations_are_zero_where_not_given() -> None:
    model = uncoupled_tree(0)
    q, _, _ = random_state(model, 0)
    zero = np.zeros(model.nv)
    for found, expected in zip(
        inverse_dynamics_derivatives(model, q),
        inverse_dynamics_derivatives(model, q, zero, zero),
        strict=True,
    ):
        assert np.array_equal(found, expected)


@pytest.mark.parametrize("tree", [random_tree, uncoupled_tree], ids=["coupled", "uncoupled"])
def test_symbols_equal_floats(tree) -> None:  # type: ignore[no-untyped-def]
    model = tree(2)
    state = random_state(model, 2)
    found = traced(lambda q, v, a: inverse_dynamics_derivatives(model, q, v, a), *state)
    for array, expected in zip(found, inverse_dynamics_derivatives(model, *state), strict=True):
        assert error(array, expected) < IDENTITY


class Curved(JointCoordinates):
    """z = q^2 of the first coordinate: a coupling with a curvature of its own."""

    q_index, v_index = 0, 0

    def position(self, q: np.ndarray) -> np.ndarray:
        """Return z."""
        return q[..., :1] ** 2

    def velocity(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return dz/dt."""
        return 2.0 * q[..., :1] * v[..., :1]

    def acceleration(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return d2z/dt2."""
        return 2.0 * (q[..., :1] * a[..., :1] + v[..., :1] ** 2)

    def columns(self) -> tuple[int, ...]:
        """Return the driver's rate."""
        return (0,)

    def velocity_map(self, q: np.ndarray) -> np.ndarray:
        """Return dz/dq."""
        return 2.0 * q[..., :1, None]


def test_a_curved_coupling_is_refused() -> None:
    """It would need the coupling's second derivatives."""
    straight = tree_of([0, 1])
    follower = replace(straight.joints[2], coordinates=Curved(), driver="j1")
    model = replace(straight, joints=(*straight.joints[:2], follower))
    with pytest.raises(ArgumentError, match="'j2' follows by a coupling that is not affine"):
        inverse_dynamics_derivatives(model, np.ones(1))


def test_no_coordinates() -> None:
    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    for matrix in inverse_dynamics_derivatives(builder.build(), np.zeros((3, 0))):
        assert matrix.shape == (3, 0, 0)
