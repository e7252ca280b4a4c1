"""Velocities and accelerations against independent differentiation of position and attitude."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, SECOND_TOLERANCE, derivatives, error, vee
from robodyn_ros.algorithms import body_motion, center_of_mass_motion, integrate
from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix
from robots import every_base, loaded, own_urdfs, random_state, random_tree, usable_urdfs

DESCRIPTIONS = usable_urdfs() + own_urdfs()


def assert_motion_is_derivative(model: Model, seed: int) -> None:
    """The curve integrate(q, v t + a t^2 / 2) has rates v and their derivative a at t = 0."""
    q, v, a = random_state(model, seed)

    def at(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        return integrate(model, q, v * t + 0.5 * a * t * t)

    motion = body_motion(model, q, v, a)
    velocity, acceleration = derivatives(lambda t: body_motion(model, at(t)).position)
    assert error(motion.linear_velocity, velocity) < FIRST_TOLERANCE
    assert error(motion.linear_acceleration, acceleration) < SECOND_TOLERANCE

    back = np.swapaxes(motion.rotation, -1, -2)
    rate, second = derivatives(lambda t: body_motion(model, at(t)).rotation)
    assert error(motion.angular_velocity, vee(rate @ back)) < FIRST_TOLERANCE
    # The skew part of R'' R^T is the angular acceleration: (omega~)^2 is symmetric.
    assert error(motion.angular_acceleration, vee(second @ back)) < SECOND_TOLERANCE

    centres = center_of_mass_motion(model, q, v, a)
    velocity, acceleration = derivatives(lambda t: center_of_mass_motion(model, at(t)).position)
    assert error(centres.velocity, velocity) < FIRST_TOLERANCE
    assert error(centres.acceleration, acceleration) < SECOND_TOLERANCE


@pytest.mark.parametrize("path", DESCRIPTIONS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_descriptions(path) -> None:  # type: ignore[no-untyped-def]
    assert_motion_is_derivative(loaded(path), seed=3)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("root", [None, "b5", "b11"])
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_of_every_joint_type(seed: int, root: str | None, base: str) -> None:
    assert_motion_is_derivative(random_tree(seed, base=base, root=root), seed)


def test_prescribed_base_carries_everything() -> None:
    """Document A: the root's position, attitude, velocities and accelerations are given."""
    model = random_tree(7, base="prescribed")
    q, v, a = random_state(model, 7)
    rng = np.random.default_rng(8)
    p, dp, ddp, turn, w, dw = rng.normal(size=(6, 3))
    R = quaternion_to_matrix(quaternion_exponential(turn))

    def given(t: np.ndarray) -> Environment:
        t = t[:, None]
        # Small-angle composition whose rates at t = 0 are w and dw in world axes.
        spin = quaternion_to_matrix(quaternion_exponential(w * t + 0.5 * dw * t * t))
        return Environment(
            base_motion=BaseMotion(p + dp * t + 0.5 * ddp * t * t, spin @ R, w, dp, dw, ddp)
        )

    def at(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        return integrate(model, q, v * t + 0.5 * a * t * t)

    motion = body_motion(model, q, v, a, environment=given(np.zeros(1)))
    velocity, acceleration = derivatives(
        lambda t: body_motion(model, at(t), environment=given(t)).position
    )
    assert error(motion.linear_velocity[0], velocity) < FIRST_TOLERANCE
    assert error(motion.linear_acceleration[0], acceleration) < SECOND_TOLERANCE
    assert error(motion.position[0, 1], p) == 0.0
    assert error(motion.linear_acceleration[0, 1], ddp) == 0.0


@every_base
def test_batch_rows_equal_single_calls(base: str) -> None:
    model = random_tree(3, base=base)
    states = [random_state(model, seed) for seed in range(5)]
    batch = body_motion(model, *(np.stack(column) for column in zip(*states, strict=True)))
    for row, state in enumerate(states):
        single = body_motion(model, *state)
        for whole, part in zip(batch, single, strict=True):
            assert error(whole[row], part) < 1e-14


def test_rerooting_leaves_relative_poses_alone() -> None:
    original = random_tree(5)
    turned = random_tree(5, root="b9")
    rng = np.random.default_rng(1)
    values = {j.name: j.joint.random(rng, j.limits) for j in original.own_joints}
    motions = {}
    for model in (original, turned):
        q = np.concatenate([values[j.name] for j in model.own_joints])
        motion = body_motion(model, q)
        i = model.body_index("b2")
        R, p = motion.rotation[i], motion.position[i]
        motions[model] = {
            name: (R.T @ motion.rotation[k], R.T @ (motion.position[k] - p))
            for k, name in enumerate(model.body_names)
        }
    assert set(original.joint_names) == set(turned.joint_names)
    for name, (R, p) in motions[original].items():
        assert error(motions[turned][name][0], R) < 1e-13
        assert error(motions[turned][name][1], p) < 1e-13
    assert turned.body_names[0] == "b9"
