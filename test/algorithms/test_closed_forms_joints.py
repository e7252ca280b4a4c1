"""Friction, damping and armature of joints: each a term of its own, on followers too."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.algorithms import (
    COULOMB_SPEED,
    bias_force,
    effort_terms,
    energy,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
)
from robodyn_ros.algorithms.joint_friction import friction_effort
from robodyn_ros.model import Environment, Model
from robots import example, loaded, random_state, random_tree
from tracing import scalar_derivatives
from urdf_text import joint, link, robot

DAMPING, FRICTION = 0.7, 0.3
#: Of sums of a few products of order 10.
ROUNDING = 1e-14

DYNAMICS = f'<dynamics damping="{DAMPING}" friction="{FRICTION}"/>'


def rubbing(kind: str = "continuous", inside: str = DYNAMICS) -> Model:
    """Return a link on one joint with friction."""
    return robot(
        link("base"),
        link("arm", 1.2, (0.5, 0.0, 0.0)),
        joint("turn", "base", "arm", kind, inside=inside),
    )


@pytest.mark.parametrize("kind", ["continuous", "revolute", "prismatic"])
@pytest.mark.parametrize("speed", [COULOMB_SPEED, 0.5, -COULOMB_SPEED, -2.0])
def test_damping_and_coulomb_friction_in_full(kind: str, speed: float) -> None:
    model = rubbing(kind)
    q, v, a = np.array([[0.4], [speed], [0.9]])
    without = inverse_dynamics(model, q, v, a)
    truth = np.array([DAMPING * speed + FRICTION * np.sign(speed)])
    assert error(inverse_dynamics(model, q, v, a, friction=True) - without, truth) < ROUNDING
    assert error(bias_force(model, q, v, friction=True) - bias_force(model, q, v), truth) < ROUNDING
    terms = effort_terms(model, q, v, a)
    assert error(terms.friction, truth) < ROUNDING
    assert error(terms.total, without + truth) < ROUNDING


def test_a_resting_joint_needs_none_and_friction_is_off_unless_asked_for() -> None:
    rubbed, smooth = rubbing(), rubbing(inside="")
    q, v, a = np.array([[0.4], [0.0], [0.9]])
    still = inverse_dynamics(rubbed, q, v, a, friction=True)
    assert np.array_equal(still, inverse_dynamics(rubbed, q, v, a))
    moving = inverse_dynamics(rubbed, q, v + 1.0, a)
    assert np.array_equal(moving, inverse_dynamics(smooth, q, v + 1.0, a))


def test_friction_is_odd_and_rises_with_speed() -> None:
    rates = np.linspace(-2.0 * COULOMB_SPEED, 2.0 * COULOMB_SPEED, 801)
    efforts = friction_effort(rates, np.array(0.0), np.array(FRICTION))
    assert np.array_equal(friction_effort(-rates, np.array(0.0), np.array(FRICTION)), -efforts)
    assert np.all(np.diff(efforts) >= 0.0)
    assert np.max(np.abs(efforts)) == FRICTION


def test_friction_has_two_continuous_derivatives() -> None:
    """Just inside and outside the speed from which it acts in full, and at rest."""
    step = 1e-9 * COULOMB_SPEED
    at = [side * COULOMB_SPEED + d for side in (-1.0, 0.0, 1.0) for d in (-step, step)]
    found = scalar_derivatives(lambda x: friction_effort(x, DAMPING, FRICTION), at)
    jumps = np.abs(found[:, 1::2] - found[:, ::2])
    # In units of the speed at hand, so that a jump would be of order 1.
    scale = COULOMB_SPEED ** np.array([0, 1, 2])[:, None]
    assert np.max(jumps * scale) < 1e-6
    slopes = found[1]
    assert slopes[2] > FRICTION / COULOMB_SPEED
    assert error(slopes[[0, -1]], np.full(2, DAMPING)) < 1e-6


@pytest.mark.parametrize("speed", [0.4, -0.4])
def test_a_followers_friction_is_on_its_driver(speed: float) -> None:
    """By virtual work: the driver's own, and ratio times the follower's at ratio times the rate."""
    ratio = -2.0
    mimic = f'<mimic joint="j0" multiplier="{ratio}"/><dynamics damping="0.2" friction="0.1"/>'
    model = robot(
        link("base"),
        link("l0", 1.0),
        link("l1", 1.0),
        joint("j0", "base", "l0", "continuous", inside=DYNAMICS),
        joint("j1", "base", "l1", "continuous", inside=mimic),
    )
    own = DAMPING * speed + FRICTION * np.sign(speed)
    follower = 0.2 * ratio * speed + 0.1 * np.sign(ratio * speed)
    found = effort_terms(model, np.zeros(1), np.array([speed])).friction
    assert error(found, np.array([own + ratio * follower])) < ROUNDING


def test_a_gears_rotor_is_on_the_diagonal() -> None:
    """Rotor inertia 1e-5 kg m^2 behind a gear of 100 is 0.1 at the joint, given as that."""
    model = loaded(example("ur5_robot.urdf"))
    q, v, a = random_state(model, 1)
    armature = 1e-5 * 100.0**2
    parameters = np.zeros((model.nv, 3))
    parameters[2, 0] = armature
    geared = Environment().with_joint_parameters(parameters)
    bare = Environment().with_joint_parameters(0.0 * parameters)
    diagonal = np.diag(armature * (np.arange(model.nv) == 2))
    M = mass_matrix(model, q, environment=geared)
    assert error(M - mass_matrix(model, q, environment=bare), diagonal) < ROUNDING
    efforts = inverse_dynamics(model, q, v, a, environment=geared)
    more = efforts - inverse_dynamics(model, q, v, a, environment=bare)
    assert error(more, diagonal @ a) < 1e-13
    terms = effort_terms(model, q, v, a, environment=geared)
    assert np.array_equal(terms.armature, diagonal @ a)
    assert error(forward_dynamics(model, q, v, efforts, environment=geared), a) < 1e-12
    kinetic = energy(model, q, v, environment=geared).kinetic
    assert error(np.array(kinetic), np.array(0.5 * v @ M @ v)) < 1e-13


@pytest.mark.parametrize("seed", range(3))
def test_a_followers_rotor_is_on_its_driver(seed: int) -> None:
    """G^T diag(armature) G, followers chained."""
    model = random_tree(seed)
    q, v, a = random_state(model, seed)
    rotors = np.random.default_rng(seed).uniform(0.1, 1.0, model.lumped.rates)
    parameters = np.zeros((len(rotors), 3))
    bare = Environment().with_joint_parameters(parameters)
    geared = Environment().with_joint_parameters(
        np.concatenate([rotors[:, None], parameters[:, 1:]], axis=1)
    )
    G = np.zeros((len(rotors), model.nv))
    for lump in model.lumped.lumps:
        coordinates = lump.joint.coordinates
        G[lump.rates, list(coordinates.columns())] = coordinates.velocity_map(q)
    extra = G.T @ np.diag(rotors) @ G
    more = inverse_dynamics(model, q, v, a, environment=geared)
    more = more - inverse_dynamics(model, q, v, a, environment=bare)
    assert error(more, extra @ a) < 1e-12
    M = mass_matrix(model, q, environment=geared) - mass_matrix(model, q, environment=bare)
    assert error(M, extra) < 1e-12
