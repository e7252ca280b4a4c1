"""The Stewart platform beside its closed-form inverse kinematics and Newton and Euler."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from closed import stewart
from differentiation import error

LEGS = [f"leg_{k}" for k in range(1, 7)]
COUNT = 40
ACCURACY = 1e-9


def quaternion(rotation: np.ndarray) -> np.ndarray:
    """Return x, y, z, w of a turn of less than 120 degrees."""
    w = np.sqrt(1 + np.trace(rotation)) / 2
    skew = rotation - rotation.T
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0], 4 * w * w]) / (4 * w)


def turn(vector: np.ndarray) -> np.ndarray:
    angle = np.linalg.norm(vector)
    k = stewart.skew(vector / angle)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def random_motions() -> list[stewart.Motion]:
    rng = np.random.default_rng(31)
    return [
        stewart.Motion(
            np.array([0.0, 0.0, 0.85]) + 0.12 * rng.uniform(-1, 1, size=3),
            turn(0.3 * rng.uniform(-1, 1, size=3)),
            *rng.normal(size=(4, 3)),
        )
        for _ in range(COUNT)
    ]


MOTIONS = random_motions()
ENDS = [stewart.legs(motion) for motion in MOTIONS]


def load(folder: Path, text_of) -> rd.Robot:
    first = MOTIONS[0]
    pose = (first.position, quaternion(first.rotation))
    initial = dict(zip(LEGS, ENDS[0].length, strict=True))
    file = folder / "stewart.yaml"
    file.write_text(text_of(initial, pose), encoding="utf-8")
    return rd.load(str(file))


@pytest.fixture(scope="module")
def rods(tmp_path_factory: pytest.TempPathFactory) -> rd.Robot:
    """Legs without mass: rods whose lengths are controls."""
    return load(tmp_path_factory.mktemp("rods"), stewart.text_of_rods)


@pytest.fixture(scope="module")
def massive(tmp_path_factory: pytest.TempPathFactory) -> rd.Robot:
    """Legs of two bodies with universal, prismatic and ball joints."""
    return load(tmp_path_factory.mktemp("legs"), stewart.text_of_legs)


def platform_slices(robot: rd.Robot) -> tuple[slice, slice]:
    """Return where the platform's pose is in q, its twist in v."""
    own = next(j for j in robot.model.own_joints if j.name == "platform_free")
    return slice(own.q_index, own.q_index + 7), slice(own.v_index, own.v_index + 6)


def leg_entries(robot: rd.Robot) -> list[int]:
    return [robot.model.coordinate_names.index(name) for name in LEGS]


def states_of_rods(robot: rd.Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, v and a of the mechanism of rods at all motions."""
    places, rates = platform_slices(robot)
    q, v, a = np.zeros((COUNT, robot.model.nq)), *np.zeros((2, COUNT, robot.model.nv))
    positions = [next(j.q_index for j in robot.model.own_joints if j.name == leg) for leg in LEGS]
    for k, (motion, ends) in enumerate(zip(MOTIONS, ENDS, strict=True)):
        R = motion.rotation.T
        q[k, places] = np.concatenate([motion.position, quaternion(motion.rotation)])
        v[k, rates] = np.concatenate([R @ motion.omega, R @ motion.velocity])
        # Rates are in child axes, which turn: d/dt (R^T v) = R^T (v' - omega x v).
        turning = np.cross(motion.omega, motion.velocity)
        a[k, rates] = np.concatenate([R @ motion.alpha, R @ (motion.acceleration - turning)])
        q[k, positions], v[k, leg_entries(robot)], a[k, leg_entries(robot)] = (
            ends.length,
            ends.rate,
            ends.acceleration,
        )
    return q, v, a


def test_platform_goes_where_its_legs_want(rods):
    places, _ = platform_slices(rods)
    guess = rods.initial_state[0]
    for motion, ends in zip(MOTIONS[:12], ENDS[:12], strict=True):
        found = rods.assemble(guess, **dict(zip(LEGS, map(float, ends.length), strict=True)))
        expected = np.concatenate([motion.position, quaternion(motion.rotation)])
        computed = found.q[places]
        computed[3:] *= np.sign(computed[6])
        assert error(computed, expected) < ACCURACY
        assert found.mobility == 6
        guess = found.q


def test_legs_go_where_the_platform_wants(massive):
    # Given the legs, as the platform's pose is not a number; their closed form is the inverse.
    places, _ = platform_slices(massive)
    guess = massive.initial_state[0]
    for motion, ends in zip(MOTIONS[:4], ENDS[:4], strict=True):
        found = massive.assemble(guess, **dict(zip(LEGS, map(float, ends.length), strict=True)))
        expected = np.concatenate([motion.position, quaternion(motion.rotation)])
        computed = found.q[places]
        computed[3:] *= np.sign(computed[6])
        assert error(computed, expected) < ACCURACY
        guess = found.q


def test_rates_and_accelerations_follow_the_legs(rods):
    q, v, a = states_of_rods(rods)
    given = np.zeros(rods.model.nv)
    given[leg_entries(rods)] = 1.0
    computed = rods.complete(q, v * given, a * given)
    assert error(computed.v, v) < ACCURACY
    assert error(computed.a, a) < ACCURACY


def test_forces_of_massless_legs(rods):
    q, v, a = states_of_rods(rods)
    computed = rods.inverse_dynamics(q, v, a)
    expected = np.array([stewart.massless_leg_forces(motion) for motion in MOTIONS])
    assert error(computed[:, leg_entries(rods)], expected) < ACCURACY
    assert error(rods.forward_dynamics(q, v, computed), a) < ACCURACY


def test_platform_falls_as_newton_and_euler_say(rods):
    q, v, _ = states_of_rods(rods)
    _, rates = platform_slices(rods)
    forces = 30 * np.random.default_rng(32).normal(size=(COUNT, 6))
    tau = np.zeros_like(v)
    tau[:, leg_entries(rods)] = forces
    computed = rods.forward_dynamics(q, v, tau)[:, rates]
    for k, motion in enumerate(MOTIONS):
        alpha, acceleration = stewart.platform_acceleration(motion, forces[k])
        turning = np.cross(motion.omega, motion.velocity)
        R = motion.rotation.T
        expected = np.concatenate([R @ alpha, R @ (acceleration - turning)])
        assert error(computed[k], expected) < ACCURACY


def test_forces_of_massive_legs(massive):
    legs = leg_entries(massive)
    positions, rates, seconds, expected = [], [], [], []
    guess = massive.initial_state[0]
    for motion, ends in zip(MOTIONS[:4], ENDS[:4], strict=True):
        guess = massive.assemble(guess, **dict(zip(LEGS, map(float, ends.length), strict=True))).q
        v, a = np.zeros((2, massive.model.nv))
        v[legs], a[legs] = ends.rate, ends.acceleration
        positions.append(guess)
        rates.append(v)
        seconds.append(a)
        expected.append(stewart.massive_leg_forces(motion))
    q = np.array(positions)
    motion = massive.complete(q, np.array(rates), np.array(seconds))
    computed = massive.inverse_dynamics(q, motion.v, motion.a)
    assert error(computed[:, legs], np.array(expected)) < ACCURACY
    assert error(massive.forward_dynamics(q, motion.v, computed), motion.a) < ACCURACY


def test_weight_of_a_resting_platform_is_carried(rods):
    q, v, a = states_of_rods(rods)
    forces = rods.inverse_dynamics(q, 0 * v, 0 * a)[:, leg_entries(rods)]
    for motion, ends, pushed in zip(MOTIONS, ENDS, forces, strict=True):
        zero = np.zeros(3)
        at_rest = replace(motion, velocity=zero, omega=zero, acceleration=zero, alpha=zero)
        assert error(pushed, stewart.massless_leg_forces(at_rest)) < ACCURACY
        np.testing.assert_allclose(
            ends.direction.T @ pushed, [0, 0, 9.81 * stewart.MASS], atol=1e-8
        )
