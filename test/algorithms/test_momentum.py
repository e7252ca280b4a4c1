"""Momentum: sums over bodies, the laws of Newton and Euler for the whole robot, conservation."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from environments import random_environment
from robodyn_ros.algorithms import (
    body_motion,
    center_of_mass_motion,
    centroidal_momentum,
    centroidal_momentum_matrix,
    integrate,
    inverse_dynamics,
    momentum,
    robot_center_of_mass,
)
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.spatial import cross
from robots import every_base, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-13


def sum_over_bodies(model: Model, environment: Environment, *state: np.ndarray) -> np.ndarray:
    """Return the momentum about the world's origin, body by body in world axes."""
    motion = body_motion(model, *state, environment=environment)
    centers = center_of_mass_motion(model, *state, environment=environment)
    total = np.zeros(6)
    for i, body in enumerate(model.bodies):
        R, linear = motion.rotation[i], body.mass * centers.velocity[i]
        spin = R @ body.inertia @ R.T @ motion.angular_velocity[i]
        total += [*(spin + cross(centers.position[i], linear)), *linear]
    return total


def about_center(model: Model, environment: Environment, *state: np.ndarray) -> np.ndarray:
    total = sum_over_bodies(model, environment, *state)
    center = robot_center_of_mass(model, *state, environment=environment).position
    return np.concatenate([total[:3] - cross(center, total[3:]), total[3:]])


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_momenta_are_sums_over_all_bodies(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    given = random_environment(model, seed)
    found = momentum(model, q, v, environment=given)
    assert error(found, sum_over_bodies(model, given, q, v)) < ROUNDING
    found = centroidal_momentum(model, q, v, environment=given)
    assert error(found, about_center(model, given, q, v)) < ROUNDING


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_our_own_descriptions(path) -> None:  # type: ignore[no-untyped-def]
    model = loaded(path)
    q, v, _ = random_state(model, 5)
    found = momentum(model, q, v)
    assert error(found, sum_over_bodies(model, Environment(), q, v)) < ROUNDING


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_the_matrix_gives_what_the_rates_contribute(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    given = random_environment(model, seed, "tool", "b2")
    A = centroidal_momentum_matrix(model, q, environment=given)
    assert A.shape == (6, model.nv)
    whole = centroidal_momentum(model, q, v, environment=given)
    carried = centroidal_momentum(model, q, environment=given)
    assert error(A @ v + carried, whole) < ROUNDING
    assert (base == "prescribed") == bool(carried.any())


@pytest.mark.parametrize("seed", range(3))
def test_a_fixed_root_link_counts_for_the_center_alone(seed: int) -> None:
    """The moments differ from those about the moving links' own centre by the shift."""
    model = random_tree(seed)
    q, v, _ = random_state(model, seed)
    total, found = momentum(model, q, v), centroidal_momentum(model, q, v)
    centers = center_of_mass_motion(model, q)
    masses = np.array([body.mass for body in model.bodies])
    center = masses @ centers.position / masses.sum()
    assert masses[0] > 0.0
    assert np.array_equal(found[3:], total[3:])
    assert error(found[:3], total[:3] - cross(center, total[3:])) < ROUNDING


@pytest.mark.parametrize("seed", range(3))
def test_momentum_changes_by_what_acts_from_outside(seed: int) -> None:
    """Weight, and the wrench of the floating root's own coordinates; nothing from inside."""
    model = random_tree(seed, base="floating")
    q, v, a = random_state(model, seed)
    given = random_environment(model, seed, "tool", "b2")
    # Rotors turn against the body that carries them in a way that is not known.
    given = given.with_joint_parameters(None)

    def along(t: np.ndarray) -> np.ndarray:
        here, rates = integrate(model, q, v * t[:, None]), v + a * t[:, None]
        return momentum(model, here, rates, environment=given)

    motion = body_motion(model, q)
    R, p = motion.rotation[1], motion.position[1]
    efforts = inverse_dynamics(model, q, v, a, environment=given)
    moment, force = R @ efforts[:3], R @ efforts[3:6]
    mass = model.mass + sum(payload.mass for payload in given.payloads)
    weight = mass * given.gravity
    center = robot_center_of_mass(model, q, environment=given).position
    outside = [*(moment + cross(p, force) + cross(center, weight)), *(force + weight)]
    assert error(derivatives(along)[0], np.array(outside)) < FIRST_TOLERANCE


def accelerations(model: Model, q: np.ndarray, v: np.ndarray, efforts: np.ndarray) -> np.ndarray:
    """Return the accelerations in weightlessness, from inverse dynamics of unit accelerations."""
    weightless = Environment().with_gravity(np.zeros(3))
    M = inverse_dynamics(model, q, None, np.eye(model.nv), environment=weightless)
    return np.linalg.solve(M, efforts - inverse_dynamics(model, q, v, environment=weightless))


@pytest.mark.parametrize("seed", range(2))
def test_a_free_robot_keeps_its_momentum_whatever_its_joints_do(seed: int) -> None:
    """Integrated by Runge and Kutta's fourth order, from the root at rest at first."""
    model = random_tree(seed, bodies=7, base="floating")
    q, v, _ = random_state(model, seed)
    v = 0.2 * v
    efforts = np.concatenate([np.zeros(6), np.random.default_rng(seed).normal(size=model.nv - 6)])
    before = momentum(model, q, v), centroidal_momentum(model, q, v)
    step = 1e-3
    for _ in range(50):
        rates, slopes = [v], [accelerations(model, q, v, efforts)]
        for share in (0.5, 0.5, 1.0):
            here = integrate(model, q, share * step * rates[-1])
            rates.append(v + share * step * slopes[-1])
            slopes.append(accelerations(model, here, rates[-1], efforts))
        weights = np.array([1.0, 2.0, 2.0, 1.0]) / 6.0
        # Of second order on a rotation, of fourth where v = dq/dt: the step is small enough.
        q = integrate(model, q, step * weights @ np.stack(rates))
        v = v + step * weights @ np.stack(slopes)
    after = momentum(model, q, v), centroidal_momentum(model, q, v)
    assert error(after[0], before[0]) < 1e-6
    assert error(after[1], before[1]) < 1e-6


def test_a_far_away_robot_has_the_same_centroidal_momentum() -> None:
    model = random_tree(2, base="prescribed")
    q, v, _ = random_state(model, 2)
    near = BaseMotion()
    far = BaseMotion(position=np.array([1e4, -2e4, 500.0]))
    found = [
        centroidal_momentum(model, q, v, environment=Environment(base_motion=base))
        for base in (near, far)
    ]
    matrices = [
        centroidal_momentum_matrix(model, q, environment=Environment(base_motion=base))
        for base in (near, far)
    ]
    # Coordinates of 2e4 m round at 4e-12 m.
    assert error(found[1], found[0]) < 1e-9
    assert error(matrices[1], matrices[0]) < 1e-9


@every_base
def test_batches_equal_singles(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed)[:2] for seed in range(4)]
    q, v = (np.stack(rows) for rows in zip(*states, strict=True))
    given = random_environment(model, 3, "tool")
    whole = [f(model, q, v, environment=given) for f in (momentum, centroidal_momentum)]
    matrix = centroidal_momentum_matrix(model, q, environment=given)
    assert matrix.shape == (4, 6, model.nv)
    for row, (one_q, one_v) in enumerate(states):
        assert error(whole[0][row], momentum(model, one_q, one_v, environment=given)) < ROUNDING
        one = centroidal_momentum(model, one_q, one_v, environment=given)
        assert error(whole[1][row], one) < ROUNDING
        one = centroidal_momentum_matrix(model, one_q, environment=given)
        assert error(matrix[row], one) < ROUNDING


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, base=base)
    q, v, _ = random_state(model, 4)
    given = random_environment(model, 4, "tool")

    def all_three(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
        return (
            momentum(model, q, v, environment=given),
            centroidal_momentum(model, q, v, environment=given),
            centroidal_momentum_matrix(model, q, environment=given),
        )

    for found, truth in zip(traced(all_three, q, v), all_three(q, v), strict=True):
        assert error(found, truth) < 10 * TRACE_TOLERANCE
