"""Body motion under the three kinds of base, with and without coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.algorithms import body_motion, center_of_mass_motion, jacobian
from robodyn_ros.joints import Fixed, Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder
from robodyn_ros.spatial import (
    apply,
    cross,
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_to_matrix,
)
from robots import every_base, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

ROUNDING = 1e-13
STILL = np.zeros(3)


def moving_base(seed: int, *lead: int) -> BaseMotion:
    rng = np.random.default_rng(seed)
    p, turn, w, v, dw, dv = rng.normal(size=(6, *lead, 3))
    return BaseMotion(p, quaternion_to_matrix(quaternion_exponential(turn)), w, v, dw, dv)


def with_base(motion: BaseMotion) -> Environment:
    return Environment(base_motion=motion)


@pytest.mark.parametrize("seed", range(3))
def test_a_prescribed_base_moves_like_a_floating_one_in_the_same_state(seed: int) -> None:
    given = moving_base(seed)
    prescribed, floating = (random_tree(seed, base=b) for b in ("prescribed", "floating"))
    q, v, a = random_state(prescribed, seed)
    back = given.rotation.T
    w, velocity = back @ given.angular_velocity, back @ given.linear_velocity
    # d/dt of components in the moving axes; classical becomes the rate of the component vector.
    dw = back @ given.angular_acceleration
    dv = back @ given.linear_acceleration - cross(w, velocity)
    full = (
        np.concatenate([given.position, quaternion_from_matrix(given.rotation), q]),
        np.concatenate([w, velocity, v]),
        np.concatenate([dw, dv, a]),
    )
    one = body_motion(prescribed, q, v, a, environment=with_base(given))
    other = body_motion(floating, *full)
    for x, y in zip(one, other, strict=True):
        assert error(x, y) < ROUNDING


def test_a_prescribed_base_at_rest_at_home_is_a_fixed_one() -> None:
    fixed, prescribed = random_tree(2), random_tree(2, base="prescribed")
    state = random_state(fixed, 2)
    for x, y in zip(body_motion(fixed, *state), body_motion(prescribed, *state), strict=True):
        assert error(y[1:], x) == 0.0
        assert error(y[0], x[0]) == 0.0


def test_a_placed_base_carries_everything_rigidly() -> None:
    fixed, prescribed = random_tree(3), random_tree(3, base="prescribed")
    state = random_state(fixed, 3)
    at = moving_base(3)
    placed = BaseMotion(at.position, at.rotation)
    here = body_motion(fixed, *state)
    there = body_motion(prescribed, *state, environment=with_base(placed))
    assert error(there.position[1:], at.position + apply(at.rotation, here.position)) < ROUNDING
    assert error(there.rotation[1:], at.rotation @ here.rotation) < ROUNDING
    for name in here._fields[2:]:
        turned = apply(at.rotation, getattr(here, name))
        assert error(getattr(there, name)[1:], turned) < ROUNDING


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_a_base_motion_moves_nothing_but_a_prescribed_base(base: str) -> None:
    model = random_tree(4, base=base)
    state = random_state(model, 4)
    moved = body_motion(model, *state, environment=with_base(moving_base(4)))
    for x, y in zip(moved, body_motion(model, *state), strict=True):
        assert np.array_equal(x, y)
    J = jacobian(model, state[0], "tool", environment=with_base(moving_base(4)))
    assert np.array_equal(J, jacobian(model, state[0], "tool"))


def test_the_world_stands_still() -> None:
    for base in ("floating", "prescribed"):
        model = random_tree(5, base=base)
        motion = body_motion(model, *random_state(model, 5), environment=with_base(moving_base(5)))
        assert np.array_equal(motion.rotation[0], np.eye(3))
        for name in ("position", *motion._fields[2:]):
            assert not getattr(motion, name)[0].any()


@pytest.mark.parametrize("lead", [(4,), (2, 3)])
def test_batches_of_base_motions(lead: tuple[int, ...]) -> None:
    model = random_tree(6, base="prescribed")
    many = moving_base(6, *lead)
    assert many.lead == lead
    rng = np.random.default_rng(6)
    q, v, a = random_state(model, 6)
    rates = rng.normal(size=(*lead, model.nv))
    for state in ((q, v, a), (np.broadcast_to(q, (*lead, model.nq)), v, a), (q, rates, a)):
        whole = body_motion(model, *state, environment=with_base(many))
        for index in np.ndindex(lead):
            one = with_base(BaseMotion(*(getattr(many, name)[index] for name in vars(many))))
            single = [x[index] if x.ndim > 1 else x for x in state]
            expected = body_motion(model, *single, environment=one)
            for x, y in zip(whole, expected, strict=True):
                assert error(x[index], y) < ROUNDING


def test_fields_of_a_base_motion_are_broadcast_against_each_other() -> None:
    model = random_tree(6, base="prescribed")
    q, v, a = random_state(model, 6)
    speeds = np.random.default_rng(0).normal(size=(5, 3))
    motion = body_motion(model, q, v, a, environment=with_base(BaseMotion(angular_velocity=speeds)))
    assert motion.position.shape == (5, model.nb, 3)
    assert error(motion.angular_velocity[:, 1], speeds) == 0.0


def stone(base: str) -> Model:
    """Return two links fixed to each other, with a frame: nothing to move."""
    builder = ModelBuilder("stone")
    builder.add_body("base", mass=2.0, com=(0.1, 0.2, 0.3))
    builder.add_body("top", mass=1.0, com=(0.0, 0.0, 0.5))
    builder.add_joint("j", Fixed(), "base", "top", position=(1.0, 2.0, 3.0))
    builder.add_frame("tip", "top", (0.0, 1.0, 0.0))
    return builder.build(base)  # type: ignore[arg-type]


@pytest.mark.parametrize("lead", [(), (3,), (0,)])
def test_a_robot_without_coordinates(lead: tuple[int, ...]) -> None:
    model = stone("fixed")
    q = np.zeros((*lead, 0))
    motion = body_motion(model, q)
    assert motion.position.shape == (*lead, 2, 3)
    assert error(motion.position, np.broadcast_to([STILL, [1, 2, 3]], (*lead, 2, 3))) == 0.0
    assert not motion.linear_acceleration.any()
    assert jacobian(model, q, "tip").shape == (*lead, 6, 0)
    assert center_of_mass_motion(model, q).position.shape == (*lead, 2, 3)


def test_a_robot_without_coordinates_on_a_moving_base() -> None:
    model = stone("prescribed")
    given = moving_base(1)
    motion = body_motion(model, np.zeros(0), environment=with_base(given))
    arm = given.rotation @ np.array([1.0, 2.0, 3.0])
    w = given.angular_velocity
    assert error(motion.position[2], given.position + arm) < ROUNDING
    assert error(motion.linear_velocity[2], given.linear_velocity + cross(w, arm)) < ROUNDING
    assert jacobian(model, np.zeros(0), "tip", environment=with_base(given)).shape == (6, 0)
    many = with_base(moving_base(1, 4))
    assert jacobian(model, np.zeros(0), "tip", environment=many).shape == (4, 6, 0)
    assert body_motion(model, np.zeros(0), environment=many).position.shape == (4, 3, 3)


def test_a_single_floating_link() -> None:
    builder = ModelBuilder("ball")
    builder.add_body("ball", mass=1.0)
    model = builder.build("floating")
    q, v, a = random_state(model, 0)
    motion = body_motion(model, q, v, a)
    R = quaternion_to_matrix(q[3:])
    assert error(motion.linear_velocity[1], R @ v[3:]) < ROUNDING
    acceleration = R @ (a[3:] + cross(v[:3], v[3:]))
    assert error(motion.linear_acceleration[1], acceleration) < ROUNDING


def test_rates_and_accelerations_default_to_zero() -> None:
    model = random_tree(7, base="floating")
    q, v, _ = random_state(model, 7)
    zero = np.zeros(model.nv)
    for x, y in zip(body_motion(model, q), body_motion(model, q, zero, zero), strict=True):
        assert np.array_equal(x, y)
    for x, y in zip(body_motion(model, q, v), body_motion(model, q, v, zero), strict=True):
        assert np.array_equal(x, y)


def test_velocity_is_linear_and_acceleration_affine() -> None:
    model = random_tree(8, base="floating")
    q, v, a = random_state(model, 8)
    _, u, b = random_state(model, 9)
    one, other, both = (body_motion(model, q, x) for x in (v, u, 2.0 * v - 3.0 * u))
    for name in ("angular_velocity", "linear_velocity"):
        mixed = 2.0 * getattr(one, name) - 3.0 * getattr(other, name)
        assert error(getattr(both, name), mixed) < ROUNDING
    at_rest = body_motion(model, q, v, np.zeros(model.nv))
    with_a, with_b, with_both = (body_motion(model, q, v, x) for x in (a, b, a + b))
    for name in ("angular_acceleration", "linear_acceleration"):
        mixed = getattr(with_a, name) + getattr(with_b, name) - getattr(at_rest, name)
        assert error(getattr(with_both, name), mixed) < ROUNDING


@every_base
def test_centres_of_mass_follow_from_the_bodies(base: str) -> None:
    model = random_tree(9, base=base)
    state = random_state(model, 9)
    given = with_base(moving_base(9))
    motion = body_motion(model, *state, environment=given)
    centres = center_of_mass_motion(model, *state, environment=given)
    for i, body in enumerate(model.bodies):
        arm = motion.rotation[i] @ body.com
        w, dw = motion.angular_velocity[i], motion.angular_acceleration[i]
        assert error(centres.position[i], motion.position[i] + arm) < ROUNDING
        assert error(centres.velocity[i], motion.linear_velocity[i] + cross(w, arm)) < ROUNDING
        acceleration = motion.linear_acceleration[i] + cross(dw, arm) + cross(w, cross(w, arm))
        assert error(centres.acceleration[i], acceleration) < ROUNDING


def test_batches_of_centres_of_mass_equal_singles() -> None:
    model = random_tree(10, base="floating")
    states = [random_state(model, seed) for seed in range(3)]
    whole = center_of_mass_motion(model, *(np.stack(x) for x in zip(*states, strict=True)))
    for row, state in enumerate(states):
        for x, y in zip(whole, center_of_mass_motion(model, *state), strict=True):
            assert error(x[row], y) < ROUNDING


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(11, base=base)
    state = random_state(model, 11)
    found = traced(lambda *s: tuple(center_of_mass_motion(model, *s)), *state)
    for x, y in zip(found, center_of_mass_motion(model, *state), strict=True):
        assert error(x, y) < 10 * TRACE_TOLERANCE


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_a_free_base_that_rests_changes_nothing(path) -> None:  # type: ignore[no-untyped-def]
    fixed, floating = loaded(path), loaded(path, "floating")
    q, v, a = random_state(fixed, 1)
    home = np.concatenate([[0.0] * 6, [1.0]])
    rest = np.zeros(6)
    whole = body_motion(floating, *(np.concatenate(x) for x in ((home, q), (rest, v), (rest, a))))
    for x, y in zip(whole, body_motion(fixed, q, v, a), strict=True):
        assert error(x[1:], y) < ROUNDING


def test_a_pendulum_in_closed_form() -> None:
    """One link of length l about y: tangential l a, centripetal l v^2."""
    builder = ModelBuilder("pendulum")
    builder.add_body("pivot")
    builder.add_body("rod", mass=1.0, com=(0.0, 0.0, -2.0))
    builder.add_joint("j", Revolute((0.0, 1.0, 0.0)), "pivot", "rod")
    q, v, a = 0.3, 1.7, -0.6
    centres = center_of_mass_motion(builder.build(), *(np.array([x]) for x in (q, v, a)))
    along = np.array([-np.sin(q), 0.0, -np.cos(q)])
    across = np.array([-np.cos(q), 0.0, np.sin(q)])
    assert error(centres.position[1], 2.0 * along) < 1e-15
    assert error(centres.velocity[1], 2.0 * v * across) < 1e-15
    expected = 2.0 * a * across - 2.0 * v * v * along
    assert error(centres.acceleration[1], expected) < 1e-15
