"""Identification of real robots from simulated recordings, whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from recorded_motion import Motion, fourier, set_friction, windows_of, with_efforts
from robodyn_ros.analysis.identification import Identification, held_out, identify
from robodyn_ros.analysis.pseudo_inertia import (
    is_consistent,
    parameters_from,
    pseudo_inertia,
    triangle,
)
from robodyn_ros.analysis.unknowns import Unknowns, unknowns_of
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.robot import Robot, find_robot, load

COULOMB = np.array([5.0, 6.0, 4.0, 2.0, 1.5, 1.0])
VISCOUS = np.array([3.0, 4.0, 2.0, 1.0, 0.8, 0.5])
EFFORT_NOISE, RATE_NOISE = 0.3, 1e-3


def ur5() -> Robot:
    return load(find_robot("ur5"), compile="off")


def rubbing() -> Robot:
    robot = ur5()
    set_friction(robot, COULOMB, VISCOUS)
    return robot


def other_bodies(unknowns: Unknowns, seed: int = 0) -> np.ndarray:
    """Return possible bodies (k, 10) that are not those described."""
    assert unknowns.base is not None
    described = unknowns.base.parameters.nominal.reshape(-1, 10)
    L = np.linalg.cholesky(pseudo_inertia(described))
    numbers = 0.15 * np.random.default_rng(seed).normal(size=described.shape)
    whole = L @ triangle(numbers)
    return parameters_from(whole @ np.swapaxes(whole, 1, 2))


@pytest.fixture(scope="module")
def both() -> Unknowns:
    return unknowns_of(ur5(), ("friction", "base"))


@pytest.fixture(scope="module")
def motion() -> Motion:
    return fourier(rubbing())


@pytest.fixture(scope="module")
def truth(both: Unknowns) -> np.ndarray:
    """The base parameters of other bodies, and friction without offset."""
    assert both.base is not None
    friction = np.column_stack([COULOMB, VISCOUS, np.zeros(6)]).ravel()
    return np.concatenate([both.base.grouping @ other_bodies(both).ravel(), friction])


@pytest.fixture(scope="module")
def found(both: Unknowns, motion: Motion, truth: np.ndarray) -> Identification:
    efforts = both.columns(motion.q, motion.v, motion.a) @ truth
    exact = Motion(motion.t, motion.q, motion.v, motion.a, efforts)
    noisy = exact.noisy(np.random.default_rng(1), effort=EFFORT_NOISE, rate=RATE_NOISE)
    return identify(both, windows_of(both, noisy))


def test_friction_is_found_to_five_percent(found: Identification) -> None:
    curves = [one.curve for one in found.friction]
    assert [one.coulomb for one in curves] == pytest.approx(COULOMB, rel=0.05)
    assert [one.viscous for one in curves] == pytest.approx(VISCOUS, rel=0.05)
    assert len(curves) == 6


def test_what_is_left_is_the_noise_on_what_was_not_fitted_too(found: Identification) -> None:
    for one in found.residuals:
        assert one.after_held < 1.5 * EFFORT_NOISE / np.sqrt(10.0) + 0.05 * one.before_held
        assert one.after_held < 0.1 * one.before_held
        assert one.after == pytest.approx(one.after_held, rel=0.4)
    assert found.held == 120
    assert found.windows == 480


def test_errors_are_those_that_are_told(found: Identification, truth: np.ndarray) -> None:
    plain = (found.fit.change + found.unknowns.nominal - truth) / found.fit.deviation
    assert np.sqrt(np.mean(plain**2)) < 1.6
    assert np.abs(plain).max() < 5.0


def test_bodies_are_possible_and_give_the_change(found: Identification) -> None:
    assert found.bodies is not None
    assert is_consistent(found.bodies)
    base = found.unknowns.base
    assert base is not None
    values = found.values[found.unknowns.places["base"]]
    assert base.grouping @ found.bodies.ravel() == pytest.approx(values, abs=1e-9)


def test_parts_add_up_to_what_was_changed(found: Identification) -> None:
    assert set(found.residuals[0].by_part) == {"base", "friction"}
    assert found.residuals[0].by_part["friction"] > 1.0


def test_exact_recordings_are_met_exactly(both: Unknowns, motion: Motion) -> None:
    result = identify(both, windows_of(both, motion), hold_out=0.0)
    for one in result.residuals:
        assert one.after < 1e-5 * one.measured
        assert np.isnan(one.after_held)


def test_outliers_hardly_matter(both: Unknowns, motion: Motion, truth: np.ndarray) -> None:
    efforts = both.columns(motion.q, motion.v, motion.a) @ truth
    rng = np.random.default_rng(2)
    wild = rng.random(efforts.shape[0] // 10) < 0.05
    efforts[np.repeat(wild, 10)] += 100.0
    windows = windows_of(both, Motion(motion.t, motion.q, motion.v, motion.a, efforts))
    result = identify(both, windows)
    assert [one.curve.coulomb for one in result.friction] == pytest.approx(COULOMB, rel=0.05)
    assert all(0.01 < one.outliers < 0.1 for one in result.residuals)


def test_friction_alone_and_armature(motion: Motion) -> None:
    only = unknowns_of(ur5(), ("friction",))
    result = identify(only, windows_of(only, motion))
    assert [one.curve.coulomb for one in result.friction] == pytest.approx(COULOMB, rel=1e-3)
    assert result.bodies is None
    geared = rubbing()
    for name in geared.model.joint_names:
        geared.set_joint_parameters(name, armature=1.5)
    with_rotors = unknowns_of(ur5(), ("base", "friction"), armature=True)
    result = identify(with_rotors, windows_of(with_rotors, with_efforts(geared, motion)))
    assert result.armature is not None
    assert result.armature[1:] == pytest.approx(1.5, rel=0.2)
    assert all(one.after < 1e-3 * one.measured for one in result.residuals)


def test_seven_joints_and_a_follower() -> None:
    robot = load(find_robot("panda"), compile="off")
    heavier = load(find_robot("panda"), compile="off")
    set_friction(heavier, np.full(8, 1.0), np.full(8, 0.5))
    unknowns = unknowns_of(robot, ("base", "friction"))
    motion = with_efforts(heavier, fourier(robot, duration=40.0, step=0.02))
    result = identify(unknowns, windows_of(unknowns, motion))
    assert result.bodies is not None
    assert is_consistent(result.bodies)
    assert all(one.after < 1e-3 * max(one.before, 0.1) for one in result.residuals)


def test_a_joint_that_rests_is_told(both: Unknowns, motion: Motion) -> None:
    v, a, q = motion.v.copy(), motion.a.copy(), motion.q.copy()
    v[:, 2:], a[:, 2:], q[:, 2:] = 0.0, 0.0, 0.3
    efforts = rubbing().inverse_dynamics(q, v, a, friction=True)
    resting = Motion(motion.t, q, v, a, efforts)
    result = identify(both, windows_of(both, resting))
    assert {one.name for one in result.friction} == set(both.robot.model.coordinate_names[:2])
    seen = result.excitation
    assert seen.condition == np.inf
    assert any("Coulomb elbow_joint" in one.name for one in seen.poor)
    assert any(line.startswith("move 'elbow_joint' faster") for line in seen.advice)


def test_a_joint_that_creeps_is_told(both: Unknowns, motion: Motion) -> None:
    slow = 0.04
    v, a, q = motion.v.copy(), motion.a.copy(), motion.q.copy()
    scale = slow / np.max(np.abs(v[:, 2]))
    v[:, 2], a[:, 2], q[:, 2] = v[:, 2] * scale, a[:, 2] * scale, 0.3 + q[:, 2] * scale
    creeping = Motion(motion.t, q, v, a, rubbing().inverse_dynamics(q, v, a, friction=True))
    advice = identify(both, windows_of(both, creeping)).excitation.advice
    (told,) = [line for line in advice if "creeps" in line]
    assert told.startswith("move 'elbow_joint' faster: it creeps")


def test_good_excitation_has_a_small_condition_number(found: Identification) -> None:
    assert 1.0 < found.excitation.condition < 200.0
    assert found.excitation.count == 54
    assert found.excitation.still == ()


def test_what_cannot_be_identified_says_why(both: Unknowns, motion: Motion) -> None:
    def part(stop: int, efforts: np.ndarray) -> Motion:
        rows = (x[:stop] for x in (motion.t, motion.q, motion.v, motion.a))
        return Motion(*rows, efforts[:stop])

    with pytest.raises(ArgumentError, match="no measured efforts"):
        identify(both, windows_of(both, part(1000, np.full_like(motion.efforts, np.nan))))
    with pytest.raises(ArgumentError, match="too short: the recording has 10 windows"):
        identify(both, windows_of(both, part(100, motion.efforts)))
    with pytest.raises(ArgumentError, match=r"too short: .* unknowns; record more motion"):
        identify(both, windows_of(both, part(200, motion.efforts)))
    still = Motion(motion.t, motion.q, 0.0 * motion.v, 0.0 * motion.a, motion.efforts)
    with pytest.raises(ArgumentError, match=r"not excited: none of the joints .* moves"):
        identify(both, windows_of(both, still))
    with pytest.raises(ArgumentError, match="hold_out must be a share"):
        identify(both, windows_of(both, motion), hold_out=1.0)


@pytest.mark.parametrize(
    ("parts", "more", "text"),
    [
        (("mass",), {}, "what is identified is base, friction, payload, not 'mass'"),
        ((), {}, "nothing is to be identified"),
        (("base", "payload"), {"frame": "tool0"}, "cannot be told from"),
        (("payload",), {}, "needs the frame"),
        (("friction",), {"frame": "tool0"}, "a frame is for a payload"),
        (("friction",), {"armature": True}, "armature is identified with base"),
        (("payload",), {"frame": "world"}, "does not move"),
    ],
)
def test_what_makes_no_sense_is_refused(parts: tuple, more: dict, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        unknowns_of(ur5(), parts, **more)


def test_an_unknown_frame_is_told() -> None:
    with pytest.raises(UnknownNameError, match="tool9"):
        unknowns_of(ur5(), ("payload",), frame="tool9")


def test_stretches_are_held_out_evenly() -> None:
    for share in (0.0, 0.1, 0.2, 0.5):
        held = held_out(1000, share)
        assert held.mean() == pytest.approx(share, abs=0.03)
    held = held_out(1000, 0.2)
    assert np.abs(np.diff(held.astype(int))).sum() in (7, 8)  # four stretches
