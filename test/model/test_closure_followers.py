"""Joints that formulas move: exact derivatives, and the dynamics of trees with such joints.

The tree with all joints free, moved as the formulas say, is the same robot: rates are G v, so that
efforts are G^T tau and the mass matrix is G^T M G.
"""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from environments import random_base
from mixed_trees import BASES
from random_closures import grown
from robodyn_ros import algorithms
from robodyn_ros.expressions import parse
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.coordinates import FunctionFollower
from robodyn_ros.model.functions import Argument, CoordinateFunction

#: Sums over a dozen bodies of products of order 1 to 100.
ROUNDING = 1e-12
#: Second derivatives with eps / h^2.
SECOND_TOLERANCE = 1e-9
STEP = 1e-2

FORMULAS = ("sin(x*y) + y^2", "exp(0.3*x) * z", "2*y - 0.5", "pow(2 + cos(z), 1.5) / (2 + x^2)")


def follower() -> FunctionFollower:
    """Return four coordinates as functions of x, y and z, entries 1, 3 and 4 of q, 0, 2, 3 of v."""
    known = {"x": (1, 0), "y": (3, 2), "z": (4, 3)}
    functions = []
    for text in FORMULAS:
        formula = parse(text)
        arguments = tuple(Argument(name, *known[name]) for name in formula.names)
        functions.append(CoordinateFunction(0.0, formula, arguments))
    return FunctionFollower(1, 0, tuple(functions))


def by_hand(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.stack(
        [
            np.sin(x * y) + y**2,
            np.exp(0.3 * x) * z,
            2 * y - 0.5,
            (2 + np.cos(z)) ** 1.5 / (2 + x**2),
        ],
        axis=-1,
    )


@pytest.mark.parametrize("seed", range(3))
def test_position_velocity_and_acceleration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    v, a = np.zeros((2, 4))
    x, dx, ddx = rng.uniform(-1.0, 1.0, (3, 3))
    q = np.array([9.0, x[0], 9.0, x[1], x[2]])
    v[[0, 2, 3]], a[[0, 2, 3]] = dx, ddx
    v[1] = a[1] = 9.0  # of no meaning here
    coordinates = follower()
    first, second = derivatives(
        lambda t: by_hand(*(x[:, None] + dx[:, None] * t + 0.5 * ddx[:, None] * t**2)), STEP
    )
    assert error(coordinates.position(q), by_hand(*x)) < 1e-15
    assert error(coordinates.velocity(q, v), first) < FIRST_TOLERANCE
    assert error(coordinates.acceleration(q, v, a), second) < SECOND_TOLERANCE
    columns = list(coordinates.columns())
    assert sorted(columns) == [0, 2, 3]
    found = coordinates.velocity_map(q) @ v[columns]
    assert error(found, coordinates.velocity(q, v)) < 1e-15


def test_batches_equal_single_rows() -> None:
    q = np.random.default_rng(3).uniform(-1.0, 1.0, (2, 3, 5))
    v, a = np.random.default_rng(4).uniform(-1.0, 1.0, (2, 2, 3, 4))
    coordinates = follower()
    whole = [
        coordinates.position(q),
        coordinates.velocity(q, v),
        coordinates.acceleration(q, v, a),
        coordinates.velocity_map(q),
    ]
    assert [rows.shape for rows in whole] == [(2, 3, 4)] * 3 + [(2, 3, 4, 3)]
    at = (1, 2)
    single = [
        coordinates.position(q[at]),
        coordinates.velocity(q[at], v[at]),
        coordinates.acceleration(q[at], v[at], a[at]),
        coordinates.velocity_map(q[at]),
    ]
    for rows, row in zip(whole, single, strict=True):
        assert error(rows[at], row) < 1e-15
    assert coordinates.acceleration(q[0, 0], v, a).shape == (2, 3, 4)


def test_a_constant_has_no_derivatives() -> None:
    number = CoordinateFunction(0.7)
    q, v = np.zeros(2), np.ones(2)
    assert number.value(q) == 0.7
    assert number.gradient(q) == number.columns == ()
    assert number.rate(q, v) == number.bias(q, v) == 0.0


def pair(seed: int, base: str) -> tuple[Model, Model]:
    """Return a tree with followers, and the same with all joints free."""
    return tuple(grown(seed, free=free).build(base) for free in (False, True))  # type: ignore[arg-type, return-value]


def freed(
    model: Model, free: Model, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Return the state of the free tree, and G, its rates by those of the other."""
    state = (np.zeros(free.nq), np.zeros(free.nv), np.zeros(free.nv))
    G = np.zeros((free.nv, model.nv))
    for joint in free.own_joints:
        at = model.joint(joint.name).coordinates
        places = slice(joint.q_index, joint.q_index + joint.joint.nq)
        rates = slice(joint.v_index, joint.v_index + joint.joint.nv)
        state[0][places] = at.position(q)
        state[1][rates] = at.velocity(q, v)
        state[2][rates] = at.acceleration(q, v, a)
        G[rates, list(at.columns())] = at.velocity_map(q)
    return state, G


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(4))
def test_dynamics_are_those_of_the_free_tree(seed: int, base: str) -> None:
    model, free = pair(seed, base)
    rng = np.random.default_rng([58, seed])
    q = algorithms.random_configuration(model, rng)
    v, a = rng.uniform(-1.0, 1.0, (2, model.nv))
    state, G = freed(model, free, q, v, a)
    here = Environment(gravity=np.array([1.0, -2.0, -9.0]))
    if base == "prescribed":
        here = here.with_base_motion(random_base(seed))

    ours = algorithms.body_motion(model, q, v, a, environment=here)
    theirs = algorithms.body_motion(free, *state, environment=here)
    seen = [i for i, body in enumerate(model.bodies) if not body.auxiliary]
    for one, other in zip(ours, theirs, strict=True):
        assert error(one[seen], other) < ROUNDING

    M = algorithms.mass_matrix(model, q, environment=here)
    free_M = algorithms.mass_matrix(free, state[0], environment=here)
    assert error(M, G.T @ free_M @ G) < ROUNDING
    tau = algorithms.inverse_dynamics(model, q, v, a, environment=here, friction=True)
    free_tau = algorithms.inverse_dynamics(free, *state, environment=here, friction=True)
    assert error(tau, G.T @ free_tau) < ROUNDING
    bias = algorithms.bias_force(model, q, v, environment=here)
    without = algorithms.inverse_dynamics(model, q, v, a, environment=here)
    assert error(M @ a + bias, without) < ROUNDING
    energy = algorithms.energy(model, q, v, environment=here)
    assert (
        error(np.array(energy), np.array(algorithms.energy(free, *state[:2], environment=here)))
        < ROUNDING
    )


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(4))
def test_forward_dynamics_and_the_balance_of_power(seed: int, base: str) -> None:
    model, _ = pair(seed, base)
    rng = np.random.default_rng([59, seed])
    q = algorithms.random_configuration(model, rng)
    v, tau = rng.uniform(-1.0, 1.0, (2, model.nv))
    a = algorithms.forward_dynamics(model, q, v, tau)
    assert error(algorithms.inverse_dynamics(model, q, v, a), tau) < 1e-9
    assert error(algorithms.forward_dynamics_by_mass_matrix(model, q, v, tau), a) < 1e-8

    def energy(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        along = algorithms.integrate(model, q, v * t)
        found = algorithms.energy(model, along, v + a * t)
        return np.asarray(found.kinetic + found.potential)

    growth, _ = derivatives(energy, 1e-3)
    scale = max(1.0, abs(energy(np.zeros(1))[0]), np.max(np.abs(a)))
    assert abs(growth - tau @ v) < FIRST_TOLERANCE * scale
