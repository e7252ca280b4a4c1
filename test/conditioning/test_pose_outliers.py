"""Poses and twists that do not follow from those before: flagged, not spread, believed in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from base_rig import odometry, setup, stamp
from moving_frame import X, Y, Z, drive, flight
from multi_dof_rig import PLAIN, Setup, check_body, kinds, one_joint
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.joints import Floating, Planar
from robodyn_ros.spatial import quaternion_exponential, quaternion_product

STEP = 5
"""Milliseconds between two samples."""
LAG = 0.03
"""Backward differences 5 ms apart of motions of order 1 lag by half a step each, twice."""
BRIDGE = 0.4
"""A difference across the gap that an outlier leaves is that much off in acceleration; one with the
outlier in it would be off by 60 in velocity."""
TURN = quaternion_exponential(np.array([0.0, 0.0, 0.5]))


def shifted(motion: Motion) -> Motion:
    return motion._replace(position=motion.position + 0.3 * X)


def turned(motion: Motion) -> Motion:
    return motion._replace(quaternion=quaternion_product(TURN, motion.quaternion))


def rushed(motion: Motion) -> Motion:
    return motion._replace(linear_velocity=motion.linear_velocity + 20.0 * X)


def spun(motion: Motion) -> Motion:
    return motion._replace(angular_velocity=motion.angular_velocity - 20.0 * Z)


def run(fault, faulty: set[int], *, twist: bool, joint=None, path=flight, settings=PLAIN):
    """Feed 100 samples, some of them faulty; return the rig, and what was told of each sample."""
    rig = Setup(one_joint(joint or Floating()), settings=settings)
    told = []
    for k in range(100):
        motion = path(1e-3 * STEP * k)
        motion = fault(motion) if k in faulty else motion
        step = rig.give("j", motion, at=STEP * k + 1, twist=twist)
        told.append((kinds(step.complaints), rig.states.usable()[0], step.moved.size))
    return rig, told


@pytest.mark.parametrize("twist", [True, False])
@pytest.mark.parametrize("fault", [shifted, turned])
@pytest.mark.parametrize(("joint", "path"), [(Floating(), flight), (Planar(), drive)])
def test_one_pose_off_is_flagged_and_leaves_no_trace(fault, twist, joint, path) -> None:
    rig, told = run(fault, {98}, twist=twist, joint=joint, path=path)
    assert told[98] == (["outliers"], False, 1)
    flagged = [k for k, (said, _, _) in enumerate(told) if said]
    assert flagged == [98]
    assert told[99][1]
    check_body(rig, path(1e-3 * STEP * 99), BRIDGE)


@pytest.mark.parametrize("fault", [rushed, spun])
def test_one_twist_off_is_flagged_and_never_reaches_the_acceleration(fault) -> None:
    rig, told = run(fault, {98}, twist=True)
    assert told[98] == (["outliers"], False, 1)
    assert rig.states.position_valid.all()
    assert [k for k, (said, _, _) in enumerate(told) if said] == [98]
    check_body(rig, flight(1e-3 * STEP * 99), LAG)


@pytest.mark.parametrize("fault", [shifted, turned])
@pytest.mark.parametrize("twist", [True, False])
def test_a_jump_that_stays_is_believed_from_the_second_sample_on(fault, twist: bool) -> None:
    _, told = run(fault, set(range(60, 100)), twist=twist)
    assert [k for k, (said, _, _) in enumerate(told) if said] == [60]
    assert all(usable for k, (_, usable, _) in enumerate(told) if k > 61)


def test_rates_do_not_spike_at_a_jump_that_stays() -> None:
    rig, _ = run(shifted, set(range(90, 100)), twist=False)
    check_body(rig, shifted(flight(1e-3 * STEP * 99)), LAG)


def test_an_outlier_at_the_very_start_is_overcome() -> None:
    for at in range(4):
        rig, told = run(shifted, {at}, twist=False)
        assert all(usable for _, usable, _ in told[10:])
        check_body(rig, flight(1e-3 * STEP * 99), LAG)


def test_poses_that_nothing_explains_are_taken_as_they_come() -> None:
    rng = np.random.default_rng(4)

    def lost(motion: Motion) -> Motion:
        return motion._replace(position=rng.uniform(-100.0, 100.0, 3))

    _, told = run(lost, set(range(50, 80)), twist=True)
    assert all(usable for _, usable, _ in told[85:])
    assert 10 <= sum(bool(said) for said, _, _ in told) <= 31


@pytest.mark.parametrize(("fault", "twist"), [(shifted, False), (rushed, True)])
def test_nothing_is_flagged_where_that_is_switched_off(fault, twist) -> None:
    settings = replace(PLAIN, choices=Choices(filter_time_constant=0.0, outlier_rejection=False))
    _, told = run(fault, {50, 70}, twist=twist, settings=settings)
    assert not any(said for said, _, _ in told)


def test_flagged_poses_are_published_unless_that_is_switched_off() -> None:
    for publish in (True, False):
        _, told = run(shifted, {70}, twist=True, settings=replace(PLAIN, publish_outliers=publish))
        assert [moved for _, _, moved in told].count(0) == (0 if publish else 1)


def test_a_noisy_sensor_is_not_full_of_outliers() -> None:
    rng = np.random.default_rng(5)

    def noisy(motion: Motion) -> Motion:
        turn = quaternion_exponential(rng.normal(scale=0.003, size=3))
        return motion._replace(
            position=motion.position + rng.normal(scale=0.003, size=3),
            quaternion=quaternion_product(motion.quaternion, turn),
        )

    _, told = run(noisy, set(range(100)), twist=True)
    assert not any(said for said, _, _ in told)


@pytest.mark.parametrize("base_input", ["odometry", "odometry_and_imu"])
def test_an_odometry_off_is_flagged_and_leaves_no_trace(base_input: str) -> None:
    rig = setup(base_input)
    for k in range(60):
        t = 1.0 + 1e-3 * STEP * k
        sample = odometry(t, "mast")
        if k == 50:
            sample = replace(sample, position=sample.position + Y)
        if k == 55:
            sample = replace(sample, twist=sample.twist + 30.0)
        step = rig.odometry(sample)
        assert step.moved.size == 1
        assert [c.kind for c in step.complaints] == (["outliers"] if k in (50, 55) else [])
        assert rig.states.usable()[0] == (k not in (50, 55))
        assert bool(rig.states.reasons[0]) == (k in (50, 55))
    truth = flight(t)
    assert rig.states.stamp.tolist() == [stamp(t)]
    for name in ("linear_velocity", "linear_acceleration", "angular_acceleration"):
        assert getattr(rig.base.motion, name) == pytest.approx(getattr(truth, name), abs=LAG)
