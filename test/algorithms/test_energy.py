"""Energies: sums over bodies, power balance, the place of payloads and rotors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from environments import random_environment
from robodyn_ros.algorithms import (
    body_motion,
    center_of_mass_motion,
    integrate,
    inverse_dynamics,
)
from robodyn_ros.algorithms.energy import energy
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import apply, quaternion_from_matrix, transpose
from robots import every_base, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-13


def sums_over_bodies(model: Model, environment: Environment, *state: np.ndarray) -> np.ndarray:
    """Return both energies of the bodies, each taken by itself in world axes."""
    motion = body_motion(model, *state, environment=environment)
    centers = center_of_mass_motion(model, *state, environment=environment)
    spin = apply(transpose(motion.rotation), motion.angular_velocity)
    kinetic, potential = 0.0, 0.0
    for i, body in enumerate(model.bodies):
        c, dc = centers.position[i], centers.velocity[i]
        kinetic += 0.5 * (body.mass * dc @ dc + spin[i] @ body.inertia @ spin[i])
        potential -= body.mass * environment.gravity @ c
    return np.array([kinetic, potential])


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_energies_are_sums_over_all_bodies(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    bare = random_environment(model, seed).with_joint_parameters(None)
    assert error(energy(model, q, v, environment=bare), sums_over_bodies(model, bare, q, v)) < (
        ROUNDING
    )


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_our_own_descriptions(path) -> None:  # type: ignore[no-untyped-def]
    model = loaded(path)
    q, v, _ = random_state(model, 5)
    parameters = np.zeros((model.lumped.rates, 3))
    given = Environment().with_joint_parameters(parameters)
    found = energy(model, q, v, environment=given)
    assert error(found, sums_over_bodies(model, given, q, v)) < ROUNDING


@pytest.mark.parametrize("seed", range(3))
def test_rotors_move_with_every_joint_rate_followers_included(seed: int) -> None:
    model = random_tree(seed)
    q, v, _ = random_state(model, seed)
    given = random_environment(model, seed)
    bare = energy(model, q, v, environment=given.with_joint_parameters(None))
    geared = energy(model, q, v, environment=given)
    rotors = given.joint_parameters[:, 0]
    rates = np.concatenate([x.joint.coordinates.velocity(q, v) for x in model.lumped.lumps])
    assert len(rates) > model.nv
    assert error(geared.kinetic - bare.kinetic, 0.5 * rotors @ rates**2) < ROUNDING
    assert geared.potential == bare.potential


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", range(3))
def test_power_of_the_efforts_is_the_rate_of_energy(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, a = random_state(model, seed)
    given = random_environment(model, seed, "tool", "b2")

    def along(t: np.ndarray) -> np.ndarray:
        rates = v + a * t[:, None]
        # To first order in t, and only that counts at 0, the rates on the way are v.
        return sum(energy(model, integrate(model, q, v * t[:, None]), rates, environment=given))

    power = inverse_dynamics(model, q, v, a, environment=given) @ v
    assert error(derivatives(along)[0], power) < FIRST_TOLERANCE


def test_a_moving_base_does_work_too() -> None:
    """A prescribed robot has the energies of a floating one in the same state."""
    given = random_environment(random_tree(1), 1, "tool")
    base = given.base_motion
    prescribed, floating = (random_tree(1, base=b) for b in ("prescribed", "floating"))
    q, v, _ = random_state(floating, 1)
    own_q, own_v = q[7:], v[6:]
    turn = base.rotation
    moving = replace(
        base, angular_velocity=turn @ v[:3], linear_velocity=turn @ v[3:6], position=q[:3]
    )
    q = q.copy()
    q[3:7] = quaternion_from_matrix(turn)
    given = given.with_joint_parameters(None)
    one = energy(prescribed, own_q, own_v, environment=given.with_base_motion(moving))
    assert error(one, energy(floating, q, v, environment=given)) < ROUNDING


@every_base
def test_batches_equal_singles(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed)[:2] for seed in range(4)]
    q, v = (np.stack(rows) for rows in zip(*states, strict=True))
    given = random_environment(model, 3, "tool")
    whole = energy(model, q, v, environment=given)
    for row, state in enumerate(states):
        one = energy(model, *state, environment=given)
        assert error([x[row] for x in whole], one) < ROUNDING
    assert whole.kinetic.shape == whole.potential.shape == (4,)
    resting = energy(model, q[0], environment=given)
    assert error(resting, energy(model, q[0], 0.0 * v[0], environment=given)) == 0.0


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, base=base)
    q, v, _ = random_state(model, 4)
    given = random_environment(model, 4, "tool")
    found = traced(lambda q, v: tuple(energy(model, q, v, environment=given)), q, v)
    assert error(found, energy(model, q, v, environment=given)) < 10 * TRACE_TOLERANCE
