"""Moving on the configuration manifold of a whole model."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from robodyn_ros.algorithms import (
    body_motion,
    difference,
    integrate,
    neutral,
    random_configuration,
)
from robodyn_ros.model import Model
from robots import every_base, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

ROUNDING = 1e-13


def rate(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    parts = [
        j.joint.rate(j.coordinates.position(q), j.coordinates.velocity(q, v))
        for j in model.own_joints
    ]
    return np.concatenate(parts)


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_it_starts_with_the_joints_rates(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    moving, _ = derivatives(lambda t: integrate(model, q, v, t))
    assert error(rate(model, q, v), moving) < FIRST_TOLERANCE


@every_base
@pytest.mark.parametrize("seed", range(3))
def test_difference_inverts_it(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, _ = random_state(model, seed)
    assert error(difference(model, q, integrate(model, q, v)), v) < ROUNDING
    other = random_state(model, seed + 20)[0]
    there = integrate(model, q, difference(model, q, other))
    # A quaternion may come back with the other sign: compare places.
    for a, b in zip(body_motion(model, there), body_motion(model, other), strict=True):
        assert error(a, b) < 10 * ROUNDING


@every_base
def test_time_scales_the_rate(base: str) -> None:
    model = random_tree(1, base=base)
    q, v, _ = random_state(model, 1)
    assert error(integrate(model, q, v, 0.25), integrate(model, q, 0.25 * v)) == 0.0
    assert error(integrate(model, q, v, 0.0), q) < ROUNDING
    forth = integrate(model, q, v, 0.7)
    assert error(integrate(model, forth, v, -0.7), q) < ROUNDING


def test_batches_and_arrays_of_times() -> None:
    model = random_tree(2, base="floating")
    states = [random_state(model, seed) for seed in range(5)]
    q, v = (np.stack([state[k] for state in states]) for k in range(2))
    times = np.linspace(-1.0, 1.0, 5)
    for Q, V, T in (
        (q, v, times),
        (q[0], v, times),
        (q, v[0], times),
        (q[0], v[0], times),
        (q, v, 0.3),
        (q[0], v, 0.3),
        (q, v[0], 0.3),
    ):
        whole = integrate(model, Q, V, T)
        assert whole.shape == (5, model.nq)
        for row in range(5):
            one = (x[row] if np.ndim(x) > 1 else x for x in (Q, V))
            t = T[row] if np.ndim(T) else T
            assert error(whole[row], integrate(model, *one, t)) < ROUNDING
    steps = difference(model, q[0], q)
    assert steps.shape == (5, model.nv)
    for row in range(5):
        assert error(steps[row], difference(model, q[0], q[row])) < ROUNDING
    assert integrate(model, q[:0], v[:0]).shape == (0, model.nq)
    grid = integrate(model, q[0], v[0], times[:4].reshape(2, 2))
    assert grid.shape == (2, 2, model.nq)


def test_symbols_equal_floats() -> None:
    model = random_tree(3, base="floating")
    q, v, _ = random_state(model, 3)
    found = traced(lambda q, v, dt: integrate(model, q, v, dt), q, v, np.array(0.4))[0]
    assert error(found, integrate(model, q, v, 0.4)) < TRACE_TOLERANCE


@every_base
def test_neutral_is_where_every_joints_frames_coincide(base: str) -> None:
    model = random_tree(4, base=base)
    q = neutral(model)
    assert q.shape == (model.nq,)
    motion = body_motion(model, q)
    for i, joint in model.moving:
        if joint.is_follower:
            continue
        parent = motion.rotation[joint.parent]
        assert error(motion.rotation[i], parent @ joint.rotation) < ROUNDING
        place = motion.position[joint.parent] + parent @ joint.position
        assert error(motion.position[i], place) < ROUNDING


def test_neutral_is_fresh() -> None:
    model = random_tree(4)
    neutral(model)[...] = 7.0
    assert not (neutral(model) == 7.0).any()


def test_random_configurations_come_from_the_generator_alone() -> None:
    model = random_tree(5, base="floating")
    first, again, other = (
        random_configuration(model, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("base", ["fixed", "prescribed"])
def test_robots_without_coordinates(base: str) -> None:
    from robodyn_ros.model import ModelBuilder

    builder = ModelBuilder("stone")
    builder.add_body("stone", mass=1.0)
    model = builder.build(base)  # type: ignore[arg-type]
    empty = np.zeros(0)
    assert (model.nq, model.nv) == (0, 0)
    assert neutral(model).shape == (0,)
    assert random_configuration(model, np.random.default_rng(0)).shape == (0,)
    assert integrate(model, empty, empty).shape == (0,)
    assert integrate(model, np.zeros((3, 0)), empty).shape == (3, 0)
    assert integrate(model, empty, empty, np.ones(4)).shape == (4, 0)
    assert difference(model, empty, np.zeros((2, 0))).shape == (2, 0)
