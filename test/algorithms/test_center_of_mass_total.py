"""The whole robot's centre of mass: where it is, how it moves, what moves it."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error
from environments import random_environment
from robodyn_ros.algorithms import (
    center_of_mass_jacobian,
    center_of_mass_motion,
    integrate,
    inverse_dynamics,
    momentum,
    robot_center_of_mass,
)
from robodyn_ros.joints import Revolute
from robodyn_ros.model import Environment, ModelBuilder, Payload
from robots import every_base, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-13


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_mean_of_all_bodies_by_mass(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    state = random_state(model, seed)
    given = random_environment(model, seed)
    masses = np.array([body.mass for body in model.bodies])
    bodies = center_of_mass_motion(model, *state, environment=given)
    found = robot_center_of_mass(model, *state, environment=given)
    for ours, rows in zip(found, bodies, strict=True):
        assert error(ours, masses @ rows / masses.sum()) < ROUNDING


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_the_root_link_is_part_of_it(path) -> None:  # type: ignore[no-untyped-def]
    model = loaded(path)
    q, _, _ = random_state(model, 5)
    masses = np.array([body.mass for body in model.bodies])
    truth = masses @ center_of_mass_motion(model, q).position / max(masses.sum(), 1e-300)
    assert error(robot_center_of_mass(model, q).position, truth) < ROUNDING


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_velocity_and_acceleration_are_derivatives(base: str) -> None:
    model = random_tree(1, base=base)
    q, v, _ = random_state(model, 1)
    given = random_environment(model, 1, "tool", "b3")

    def along(t: np.ndarray) -> np.ndarray:
        here = integrate(model, q, v * t[:, None])
        return robot_center_of_mass(model, here, environment=given).position

    first, second = derivatives(along)
    found = robot_center_of_mass(model, q, v, environment=given)
    assert error(found.velocity, first) < FIRST_TOLERANCE
    assert error(found.acceleration, second) < SECOND_TOLERANCE


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_the_jacobian_gives_what_the_rates_contribute(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    given = random_environment(model, seed, "tool")
    J = center_of_mass_jacobian(model, q, environment=given)
    assert J.shape == (3, model.nv)
    carried = robot_center_of_mass(model, q, environment=given).velocity
    found = robot_center_of_mass(model, q, v, environment=given).velocity
    assert error(J @ v + carried, found) < ROUNDING


@every_base
def test_mass_times_its_velocity_is_the_momentum(base: str) -> None:
    model = random_tree(2, base=base)
    q, v, _ = random_state(model, 2)
    given = random_environment(model, 2, "tool", "b3")
    mass = model.mass + sum(payload.mass for payload in given.payloads)
    velocity = robot_center_of_mass(model, q, v, environment=given).velocity
    assert error(mass * velocity, momentum(model, q, v, environment=given)[3:]) < ROUNDING


def test_a_floating_robots_weight_hangs_on_it() -> None:
    """Efforts against gravity are -m J^T g."""
    model = random_tree(0, base="floating")
    q, _, _ = random_state(model, 0)
    given = random_environment(model, 0, "tool")
    mass = model.mass + given.payloads[0].mass
    weight = -mass * center_of_mass_jacobian(model, q, environment=given).T @ given.gravity
    assert error(inverse_dynamics(model, q, environment=given), weight) < ROUNDING


def test_a_payload_pulls_it_over() -> None:
    model = random_tree(0)
    q, _, _ = random_state(model, 0)
    payload = Payload("load", "b0", model.mass, np.array([1.0, 2.0, 3.0]), np.eye(3))
    bare = robot_center_of_mass(model, q).position
    found = robot_center_of_mass(model, q, environment=Environment().with_payload(payload))
    assert error(found.position, 0.5 * (bare + payload.com)) < ROUNDING


def test_a_robot_without_mass_has_it_at_the_origin() -> None:
    builder = ModelBuilder("nothing")
    builder.add_body("base")
    builder.add_body("link")
    builder.add_joint("turn", Revolute((0.0, 0.0, 1.0)), "base", "link", position=[1.0, 0.0, 0.0])
    model = builder.build()
    q, v, a = random_state(model, 0)
    for found in robot_center_of_mass(model, q, v, a):
        assert np.array_equal(found, np.zeros(3))
    assert np.array_equal(center_of_mass_jacobian(model, q), np.zeros((3, 1)))


@every_base
def test_batches_equal_singles(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed) for seed in range(4)]
    q, v, a = (np.stack(rows) for rows in zip(*states, strict=True))
    given = random_environment(model, 3, "tool")
    whole = robot_center_of_mass(model, q, v, a, environment=given)
    J = center_of_mass_jacobian(model, q, environment=given)
    for row, state in enumerate(states):
        one = robot_center_of_mass(model, *state, environment=given)
        assert error([rows[row] for rows in whole], one) < ROUNDING
        single = center_of_mass_jacobian(model, state[0], environment=given)
        assert error(J[row], single) < ROUNDING


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, base=base)
    state = random_state(model, 4)
    given = random_environment(model, 4, "tool")

    def both(q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, ...]:
        motion = robot_center_of_mass(model, q, v, a, environment=given)
        return (*motion, center_of_mass_jacobian(model, q, environment=given))

    for found, truth in zip(traced(both, *state), both(*state), strict=True):
        assert error(found, truth) < 10 * TRACE_TOLERANCE
