"""A payload of a known robot: its mass, centre and inertia, and when these are not told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from recorded_motion import Motion, fourier, set_friction, windows_of, with_efforts
from robodyn_ros.analysis.friction_of_joints import rubbing
from robodyn_ros.analysis.payload_estimate import PayloadEstimate, estimate_payload
from robodyn_ros.analysis.pseudo_inertia import is_consistent
from robodyn_ros.analysis.unknowns import unknowns_of
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model.inertia import parameters_of
from robodyn_ros.robot import Robot, find_robot, load

MASS, COM = 1.8, (0.02, -0.01, 0.08)
INERTIA = np.diag([4e-3, 5e-3, 3e-3])


def robot_of(name: str, *, loaded: str = "") -> Robot:
    robot = load(find_robot(name), compile="off")
    if loaded:
        robot.set_payload(loaded, MASS, COM, INERTIA)
    return robot


def estimate(name: str, frame: str, motion: Motion, *parts: str, **more: float) -> PayloadEstimate:
    unknowns = unknowns_of(robot_of(name), ("payload", *parts), frame=frame)
    return estimate_payload(unknowns, windows_of(unknowns, motion), **more)


@pytest.mark.parametrize(("name", "frame"), [("ur5", "tool0"), ("panda", "panda_hand")])
def test_mass_is_found_to_two_percent_in_noise(name: str, frame: str) -> None:
    motion = fourier(robot_of(name, loaded=frame), duration=30.0)
    noisy = motion.noisy(np.random.default_rng(0), effort=0.3, rate=1e-3)
    found = estimate(name, frame, noisy)
    assert found.mass == pytest.approx(MASS, rel=0.02)
    assert found.com == pytest.approx(COM, abs=0.005)
    assert abs(found.mass - MASS) < 5.0 * found.mass_deviation
    assert np.abs(found.com - COM).max() < 5.0 * found.com_deviation.max()
    assert found.is_there
    assert is_consistent(parameters_of(found.mass, found.com, found.inertia))
    assert all(one.after_held < 0.2 for one in found.residuals)


def test_fast_exact_motion_tells_the_inertia() -> None:
    motion = fourier(robot_of("ur5", loaded="tool0"), duration=30.0)
    found = estimate("ur5", "tool0", motion)
    assert found.inertia_told
    assert found.inertia == pytest.approx(INERTIA, abs=2e-5)
    assert found.mass == pytest.approx(MASS, rel=1e-6)


def test_poses_at_rest_tell_the_mass_but_not_the_inertia() -> None:
    motion = fourier(robot_of("ur5"), duration=30.0)
    poses = replace(
        motion, q=np.repeat(motion.q[::50], 50, axis=0), v=0.0 * motion.v, a=0.0 * motion.a
    )
    loaded = with_efforts(robot_of("ur5", loaded="tool0"), poses)
    found = estimate("ur5", "tool0", loaded.noisy(np.random.default_rng(1), effort=0.2))
    assert found.mass == pytest.approx(MASS, rel=0.02)
    assert found.com == pytest.approx(COM, abs=0.01)
    assert not found.inertia_told
    assert is_consistent(parameters_of(found.mass, found.com, found.inertia))


def test_friction_that_is_not_described_is_found_beside_it() -> None:
    robot = robot_of("ur5", loaded="tool0")
    set_friction(robot, np.full(6, 3.0), np.full(6, 1.0))
    noisy = fourier(robot, duration=40.0).noisy(np.random.default_rng(2), effort=0.3)
    found = estimate("ur5", "tool0", noisy, "friction")
    assert found.mass == pytest.approx(MASS, rel=0.02)
    assert [one.curve.coulomb for one in found.friction] == pytest.approx([3.0] * 6, rel=0.05)


def test_friction_that_is_left_is_told() -> None:
    robot = robot_of("ur5", loaded="tool0")
    quiet = fourier(robot, duration=20.0)
    set_friction(robot, np.full(6, 3.0), np.full(6, 1.0))
    for motion, told in ((quiet, 0), (with_efforts(robot, quiet), 5)):
        unknowns = unknowns_of(robot_of("ur5"), ("payload",), frame="tool0")
        windows = windows_of(unknowns, motion)
        found = estimate_payload(unknowns, windows)
        assert len(rubbing(unknowns, windows, found.change)) >= told
        assert told or not rubbing(unknowns, windows, found.change)


def test_where_there_is_no_payload_none_is_found() -> None:
    motion = fourier(robot_of("ur5"), duration=30.0)
    found = estimate("ur5", "tool0", motion.noisy(np.random.default_rng(5), effort=0.3))
    assert found.mass < 0.05
    assert found.mass_deviation < 0.05


def test_a_payload_that_is_known_is_not_found_again() -> None:
    known = robot_of("ur5", loaded="tool0")
    motion = fourier(known, duration=20.0)
    unknowns = unknowns_of(known, ("payload",), frame="tool0")
    found = estimate_payload(unknowns, windows_of(unknowns, motion))
    assert found.mass < 0.01
    assert not found.is_there


def test_joints_that_do_not_feel_it_do_not_tell_it() -> None:
    motion = fourier(robot_of("ur5", loaded="tool0"), duration=20.0)
    efforts = motion.efforts.copy()
    efforts[:, 1:] = np.nan  # the first joint is upright, and here it rests
    still = replace(motion, v=0.0 * motion.v, a=0.0 * motion.a, efforts=efforts)
    with pytest.raises(ArgumentError, match=r"not excited: no joint .* feels a weight at 'tool0'"):
        estimate("ur5", "tool0", still)
