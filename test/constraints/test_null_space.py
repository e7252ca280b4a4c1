"""Motions and dynamics by singular values, against those by elimination and at dead centres."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import mechanisms
import platforms
from robodyn_ros.algorithms.inverse_dynamics import efforts
from robodyn_ros.algorithms.mass_matrix import inertia_matrix
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.dynamics import closed_accelerations, closed_efforts
from robodyn_ros.constraints.elimination import completed
from robodyn_ros.constraints.jacobian import all_equations, jacobian
from robodyn_ros.constraints.null_space import (
    closed_accelerations_by_motions,
    closed_efforts_by_motions,
    completed_by_motions,
    motions_of,
)
from robodyn_ros.model import Environment, Model

#: Norm-wise; both ways solve systems whose condition is some 1e3.
TOLERANCE = 1e-9


def four_bar() -> Model:
    model = mechanisms.four_bar()
    return mechanisms.closed(model, mechanisms.four_bar_state(model, 0.7, 1))


def mixed() -> Model:
    model = platforms.mixed_platform()
    return mechanisms.closed(model, platforms.mixed_guess(model))


def stewart() -> Model:
    model = platforms.stewart()
    return mechanisms.closed(model, platforms.stewart_guess(model))


def chain() -> Model:
    return mechanisms.closed(mechanisms.pendulum_on_ball())


def bennett() -> Model:
    return mechanisms.closed(mechanisms.bennett())


MODELS = [four_bar, mixed, stewart, chain, bennett]


def error(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.max(np.abs(x - y), initial=0.0) / max(1.0, np.max(np.abs(y), initial=0.0)))


def surroundings_of(model: Model) -> Surroundings:
    """Return gravity across all axes."""
    return Surroundings.of(model, Environment(gravity=np.array([3.0, -8.0, 4.0])))


@pytest.mark.parametrize("make", MODELS)
def test_motions_are_all_that_the_constraints_allow(make: Callable[[], Model]) -> None:
    model = make()
    N = motions_of(model, model.defaults.q)
    G = jacobian(model, model.defaults.q)
    assert model.closure.partition is not None
    assert N.shape == (model.nv, len(model.closure.partition.independent))
    assert np.linalg.matrix_rank(N) == N.shape[1]
    assert error(G @ N, np.zeros(())) < 1e-12


@pytest.mark.parametrize("make", MODELS)
def test_rates_and_accelerations_are_those_of_the_elimination(make: Callable[[], Model]) -> None:
    model, rng = make(), np.random.default_rng(1)
    q = model.defaults.q
    v, a = rng.normal(size=(2, 3, model.nv))
    expected = completed(model, q, v, a)
    found = completed_by_motions(model, q, v, a)
    assert error(found[0], expected[0]) < TOLERANCE
    assert error(found[1], expected[1]) < TOLERANCE
    assert np.all(found[2] == 0.0)


@pytest.mark.parametrize("make", MODELS)
def test_forward_dynamics_is_that_of_the_elimination(make: Callable[[], Model]) -> None:
    model, rng = make(), np.random.default_rng(2)
    q, around = model.defaults.q, surroundings_of(model)
    v, tau = rng.normal(size=(2, 3, model.nv))
    expected, _, _ = closed_accelerations(model, q, v, tau, around)
    a, forces, verdict = closed_accelerations_by_motions(model, q, v, tau, around)
    assert np.all(verdict == 0.0)
    assert error(a, expected) < TOLERANCE
    v = completed(model, q, v, a)[0]
    G, M = jacobian(model, q), inertia_matrix(model, q, around)
    h = efforts(model, q, v, np.zeros(model.nv), around)
    missing = a @ M.T + h - tau - forces @ G
    assert error(missing, np.zeros(())) < TOLERANCE * np.max(np.abs(h))


@pytest.mark.parametrize("make", MODELS)
def test_inverse_dynamics_is_that_of_the_elimination(make: Callable[[], Model]) -> None:
    model, rng = make(), np.random.default_rng(3)
    q, around = model.defaults.q, surroundings_of(model)
    v, a = rng.normal(size=(2, 3, model.nv))
    expected, _, _ = closed_efforts(model, q, v, a, around)
    tau, _, verdict = closed_efforts_by_motions(model, q, v, a, around)
    assert np.all(verdict == 0.0)
    assert error(tau, expected) < TOLERANCE


def test_multipliers_share_a_force_among_redundant_equations() -> None:
    model = four_bar()
    q, around = model.defaults.q, surroundings_of(model)
    v, tau = np.zeros(model.nv), np.zeros(model.nv)
    _, chosen, _ = closed_accelerations(model, q, v, tau, around)
    _, least, _ = closed_accelerations_by_motions(model, q, v, tau, around)
    G = jacobian(model, q)
    assert error(least @ G, chosen @ G) < TOLERANCE
    assert np.linalg.norm(least) <= np.linalg.norm(chosen) + 1e-12


def test_a_slider_crank_falls_through_its_dead_centre_though_its_slider_is_chosen() -> None:
    """At the dead centre the slider stands still: crank and rod move, and inertia resists."""
    model = mechanisms.slider_crank(actuated=("slider",))
    model = mechanisms.closed(model, np.array([0.5, -0.7, 0.6, -0.2]))
    assert model.closure.partition is not None
    assert [model.coordinate_names[k] for k in model.closure.partition.independent] == ["slider"]
    q, around = np.array([0.0, 0.0, 0.7, 0.0]), surroundings_of(model)
    v = motions_of(model, q)[:, 0]
    v = v / v[0]
    a, _, verdict = closed_accelerations_by_motions(model, q, v, np.zeros(4), around)
    assert verdict == 0.0
    assert np.all(np.isfinite(a))
    equations = all_equations(model, q, v)
    assert error(equations.jacobian @ a, -equations.bias) < 1e-10
    assert v[2] == pytest.approx(0.0, abs=1e-12)
    # The crank's end moves on a circle about the origin, the slider on one line.
    assert a[2] == pytest.approx(-0.2 - 0.04 / 0.5, abs=1e-12)


def test_a_motor_that_does_not_reach_the_motion_is_told() -> None:
    model = mechanisms.slider_crank(actuated=("slider",))
    model = mechanisms.closed(model, np.array([0.5, -0.7, 0.6, -0.2]))
    q, zero = np.array([0.0, 0.0, 0.7, 0.0]), np.zeros(4)
    _, _, verdict = closed_efforts_by_motions(model, q, zero, zero, surroundings_of(model))
    assert verdict == 1.0


def test_rates_that_lead_to_no_motion_at_a_change_point_are_told() -> None:
    """Flat, a parallelogram may turn on or change over; half of both is neither."""
    lengths = mechanisms.PARALLELOGRAM
    model = mechanisms.four_bar(lengths)
    model = mechanisms.closed(model, mechanisms.four_bar_state(model, 0.9, 1, lengths))
    q = np.zeros(4)
    N = motions_of(model, q)
    assert N.shape[1] == 2
    zero = np.zeros(4)
    parallel = np.array([1.0, -1.0, 1.0, -1.0])
    v, _, verdict = completed_by_motions(model, q, parallel, zero)
    assert verdict == 0.0
    assert error(v, parallel) < 1e-12
    _, _, verdict = completed_by_motions(model, q, np.array([1.0, 0.0, 0.0, 0.0]), zero)
    assert verdict == 1.0


def test_a_batch_may_hold_generic_and_singular_configurations() -> None:
    model = mechanisms.slider_crank(actuated=("slider",))
    model = mechanisms.closed(model, np.array([0.5, -0.7, 0.6, -0.2]))
    around = surroundings_of(model)
    q = np.array([model.defaults.q, [0.0, 0.0, 0.7, 0.0]])
    v, tau = np.zeros((2, 4)), np.ones((2, 4))
    together, forces, _ = closed_accelerations_by_motions(model, q, v, tau, around)
    for k in range(2):
        a, own, _ = closed_accelerations_by_motions(model, q[k], v[k], tau[k], around)
        assert error(together[k], a) < 1e-12
        assert error(forces[k], own) < 1e-12
