"""The independent formulations agree with what is published, and with themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from closed import bricard, planar_four_bar, slider_crank, stewart
from closed.benchmarks import Governor, n_four_bar, pendulum

HERE = Path(__file__).parent
PUBLISHED = json.loads((HERE / "published.json").read_text(encoding="utf-8"))

ONE_DEGREE = [
    (planar_four_bar.four_bar, planar_four_bar.CRANK_ROCKER),
    (slider_crank.slider_crank, slider_crank.PARAMETERS),
]


def random_motion(rng: np.random.Generator) -> stewart.Motion:
    rotation = np.linalg.qr(np.eye(3) + 0.2 * rng.normal(size=(3, 3)))[0]
    rotation *= np.sign(np.diag(rotation))
    position = np.array([0.0, 0.0, 0.8]) + 0.1 * rng.normal(size=3)
    return stewart.Motion(position, rotation, *rng.normal(size=(4, 3)))


def test_pendulum_is_the_published_one():
    case = PUBLISHED["simple_pendulum"]
    np.testing.assert_allclose(pendulum(np.array(case["time"])), case["values"], atol=6e-7)


def test_forty_four_bars_are_the_published_ones():
    case = PUBLISHED["forty_four_bars"]
    angle = n_four_bar(40, case["time"])[:, 0]
    computed = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    # ADAMS' own error has grown to 1e-6 after 20 s.
    np.testing.assert_allclose(computed, case["values"], atol=3e-6)


def test_governor_is_the_published_one():
    case = PUBLISHED["flyball_governor"]
    heights = Governor().motion(list(np.linspace(0, 10, 201)), rigid=True)[:, 1]
    assert heights.max() == pytest.approx(case["highest"], abs=2e-3)
    assert heights[-1] == pytest.approx(case["end"], abs=2e-3)


def test_stiff_springs_are_nearly_rods():
    times = [0.1, 0.25]
    stiff, rigid = (Governor().motion(times, rigid=choice) for choice in (False, True))
    np.testing.assert_allclose(stiff, rigid, atol=3e-4)
    assert np.max(np.abs(stiff - rigid)) > 1e-5


def test_bricard_is_the_published_one_and_the_stored_one():
    stored = json.loads((HERE / "bricard.json").read_text(encoding="utf-8"))
    values = dict(zip(stored["time"], stored["values"], strict=True))
    case = PUBLISHED["bricard"]
    for time, value in zip(case["time"], case["values"], strict=True):
        np.testing.assert_allclose(values[time], value, atol=5e-3)
    times = [0.1, 0.25]
    states = bricard.motion(np.array(times))
    computed = [bricard.joints(axes)[2] for axes, _ in states]
    np.testing.assert_allclose(computed, [values[time] for time in times], atol=1e-12)
    kinetic, potential = bricard.energy(*states[-1])
    assert kinetic > 0.5
    at_rest = sum(bricard.energy(bricard.AXES, np.zeros((6, 3))))
    assert kinetic + potential == pytest.approx(at_rest, abs=1e-10)


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize(("mechanism", "parameters"), ONE_DEGREE, ids=["four_bar", "slider_crank"])
def test_lagrangian_conserves_energy(mechanism, parameters, branch):
    oracle, p = mechanism(), {**parameters, "branch": branch}

    def derivative(_, state):
        return [state[1], oracle.forward_dynamics(*state, 0.0, p)]

    found = solve_ivp(derivative, (0, 1), [0.4, 2.0], "DOP853", rtol=1e-12, atol=1e-12)
    energies = [sum(oracle.energy(*state, p)) for state in found.y.T]
    assert np.ptp(energies) < 1e-10
    q, v = found.y[:, -1]
    effort = oracle.inverse_dynamics(q, v, 3.0, p)
    assert oracle.forward_dynamics(q, v, effort, p) == pytest.approx(3.0, rel=1e-12)


@pytest.mark.parametrize("branch", [1, -1])
@pytest.mark.parametrize(("mechanism", "parameters"), ONE_DEGREE, ids=["four_bar", "slider_crank"])
def test_slopes_are_those_of_the_closed_forms(mechanism, parameters, branch):
    oracle, p, step = mechanism(), {**parameters, "branch": branch}, 1e-5
    for q in np.linspace(0.1, 6.3, 7):
        before, here, after = (
            np.array(list(oracle.motion(angle, 1.0, 0.0, p).values())).T
            for angle in (q - step, q, q + step)
        )
        change = (after - before) / (2 * step)
        turned = np.abs(after[0] - before[0]) < 1  # not across the cut of atan2
        np.testing.assert_allclose(change[0][turned], here[1][turned], atol=1e-8)
        np.testing.assert_allclose(change[1], here[2], atol=1e-7)


def test_platform_kinematics_are_those_of_differences():
    motion = random_motion(np.random.default_rng(3))
    ends, step = stewart.legs(motion), 1e-5

    def moved(time: float) -> stewart.Legs:
        # The motion's Taylor series; rotations to second order, made orthogonal again.
        w, spin = stewart.skew(motion.omega), stewart.skew(motion.alpha)
        u, _, v = np.linalg.svd(np.eye(3) + time * w + time**2 / 2 * (w @ w + spin))
        rate = motion.velocity + time * motion.acceleration
        place = motion.position + time * motion.velocity + time**2 / 2 * motion.acceleration
        omega = motion.omega + time * motion.alpha
        zero = np.zeros(3)
        return stewart.legs(stewart.Motion(place, u @ v @ motion.rotation, rate, omega, zero, zero))

    before, after = moved(-step), moved(step)
    np.testing.assert_allclose((after.length - before.length) / (2 * step), ends.rate, atol=1e-8)
    np.testing.assert_allclose(
        (after.rate - before.rate) / (2 * step), ends.acceleration, atol=1e-7
    )
    turned = (after.direction_rate - before.direction_rate) / (2 * step)
    np.testing.assert_allclose(turned, ends.direction_acceleration, atol=1e-7)


def test_platform_dynamics_are_inverse_to_each_other():
    motion = random_motion(np.random.default_rng(4))
    forces = stewart.massless_leg_forces(motion)
    alpha, acceleration = stewart.platform_acceleration(motion, forces)
    np.testing.assert_allclose(alpha, motion.alpha, atol=1e-10)
    np.testing.assert_allclose(acceleration, motion.acceleration, atol=1e-10)
    assert np.max(np.abs(stewart.massive_leg_forces(motion) - forces)) > 1.0
