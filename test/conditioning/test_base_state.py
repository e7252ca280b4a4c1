"""The motion of a moving base from odometry and IMU, against frames that move analytically."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from base_rig import (
    GRAVITY,
    PLACES,
    PLAIN,
    check_root,
    imu,
    odometry,
    setup,
    stamp,
    times,
)
from moving_frame import flight
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_to_matrix, rotation_from_rpy

ROUNDING = 1e-12
DIFFERENCE = 5e-3
"""Backward differences 1 ms apart of motions of order 1 lag by half a step each."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_odometry_of_a_frame_on_the_root_link_moves_the_root_link(base, place) -> None:
    rig = setup("odometry", base)
    for t in times():
        step = rig.odometry(odometry(t, place))
        assert step.complaints == ()
        assert step.moved.tolist() == [2]
    check_root(rig.bodies(), flight(times()[-1]), DIFFERENCE)
    assert rig.states.usable().tolist() == [True]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("heading", [0.0, 2.1])
def test_an_imu_adds_accelerations_to_odometry_whatever_its_north(place, heading) -> None:
    rig = setup("odometry_and_imu")
    for t in times():
        rig.odometry(odometry(t))
        assert rig.imu(imu(t, place, heading)).complaints == ()
    # Only the filtered angular acceleration lags.
    check_root(rig.bodies(), flight(times()[-1]), 1e-3)


@pytest.mark.parametrize("base", ["floating", "prescribed"])
@pytest.mark.parametrize("source", ["odometry", "imu", "odometry_and_imu"])
def test_both_kinds_of_base_move_every_body_alike(base, source) -> None:
    floating, other = setup(source, "floating"), setup(source, base)
    for rig in (floating, other):
        for t in times(5):
            if source != "imu":
                rig.odometry(odometry(t, "mast"))
            if source != "odometry":
                rig.imu(imu(t + 4e-4, "camera", 0.4))
        check_root(rig.bodies(), rig.base.motion, ROUNDING)
    for x, y in zip(floating.bodies(), other.bodies(), strict=True):
        assert x == pytest.approx(y, abs=1e-11)


@pytest.mark.parametrize("place", PLACES)
def test_an_imu_alone_gives_attitude_rates_and_acceleration_in_place(place) -> None:
    rig = setup("imu")
    for t in times():
        assert rig.imu(imu(t, place)).moved.tolist() == [2]
    truth = flight(times()[-1])
    still = np.zeros(3)
    check_root(rig.bodies(), truth._replace(position=still, linear_velocity=still), 1e-3)
    assert rig.states.usable().tolist() == [True]


def test_an_imu_at_rest_feels_gravity_and_shows_no_acceleration() -> None:
    rig = setup("imu")
    tilt = quaternion_from_matrix(rotation_from_rpy([0.4, -0.9, 2.0]))
    force = quaternion_to_matrix(tilt).T @ np.array([0.0, 0.0, 9.81])
    rig.imu(ImuSample(1, "rover", tilt, np.zeros(3), force))
    assert rig.base.motion.linear_acceleration == pytest.approx(np.zeros(3), abs=ROUNDING)


def test_another_gravity_is_the_one_that_is_added() -> None:
    rig = setup("imu")
    rig.base.gravity = np.array([0.0, 0.0, -1.62])
    rig.imu(ImuSample(1, "rover", np.array([0, 0, 0, 1.0]), np.zeros(3), np.zeros(3)))
    assert rig.base.motion.linear_acceleration.tolist() == [0.0, 0.0, -1.62]


def test_planar_odometry_on_a_slope_lets_no_gravity_into_the_acceleration() -> None:
    """The odometry knows the heading only, the IMU the true tilt and another north."""
    rig = setup("odometry_and_imu")
    heading = quaternion_from_matrix(rotation_from_rpy([0.0, 0.0, 0.9]))
    tilted = quaternion_from_matrix(
        rotation_from_rpy([0.0, 0.0, 2.0]) @ rotation_from_rpy([0.0, 0.3, 0.0])
    )
    along = np.array([0.5, 0.0, 0.0])
    force = along - quaternion_to_matrix(tilted).T @ GRAVITY
    rig.odometry(OdometrySample(1, "world", "rover", np.zeros(3), heading, np.zeros(6)))
    rig.imu(ImuSample(1, "rover", tilted, np.zeros(3), force))
    slope = rotation_from_rpy([0.0, 0.0, 0.9]) @ rotation_from_rpy([0.0, 0.3, 0.0])
    assert rig.base.motion.linear_acceleration == pytest.approx(slope @ along, abs=1e-9)
    assert rig.base.motion.quaternion == pytest.approx(heading, abs=ROUNDING)


def test_a_newer_imu_carries_attitude_and_rate_on_but_moves_no_frame() -> None:
    rig = setup("odometry_and_imu")
    rig.imu(imu(1.0, "mast", 0.7))
    rig.odometry(odometry(1.0))
    step = rig.imu(imu(1.1, "mast", 0.7))
    assert step.moved.size == 0
    now, then = flight(1.1), flight(1.0)
    assert abs(rig.base.motion.quaternion @ now.quaternion) == pytest.approx(1.0, abs=1e-9)
    assert rig.base.motion.angular_velocity == pytest.approx(now.angular_velocity, abs=1e-6)
    assert rig.base.motion.position == pytest.approx(then.position)
    assert rig.states.stamp.tolist() == [stamp(1.0)]
    rig.odometry(odometry(1.2))
    assert abs(rig.base.motion.quaternion @ flight(1.2).quaternion) == pytest.approx(1.0)


def test_an_imu_without_orientation_uses_the_odometrys_attitude() -> None:
    rig = setup("odometry_and_imu")
    for t in times():
        rig.odometry(odometry(t))
        rig.imu(imu(t, "camera", quaternion=None))
    check_root(rig.bodies(), flight(times()[-1]), 1e-3)


def test_a_stale_imu_gives_way_to_filtered_odometry_and_diagnostics_say_so() -> None:
    rig = setup("odometry_and_imu", settings=replace(PLAIN, stale_after=0.01))
    rig.imu(imu(1.0, linear_acceleration=np.array([50.0, 0.0, 0.0])))
    for t in times():
        rig.odometry(odometry(t))
    check_root(rig.bodies(), flight(times()[-1]), DIFFERENCE)
    told = {source.name: source.trouble for source in rig.base.sources}
    assert told["odometry"] == ""
    assert "IMU on /r1/imu older than stale_after" in told["IMU"]
    assert rig.states.reasons == [""]
    rig.imu(imu(1.04))
    assert rig.base.sources[1].trouble == ""


def test_nothing_is_valid_before_the_first_message_and_the_reason_names_the_topic() -> None:
    for source, text in (
        ("odometry", "no odometry yet on /r1/odom"),
        ("imu", "no IMU yet on /r1/imu"),
        ("odometry_and_imu", "no odometry yet on /r1/odom"),
    ):
        rig = setup(source)
        assert rig.states.reasons == [text]
        assert rig.states.stamp.tolist() == [NEVER]
        assert not rig.states.usable().any()
    rig.imu(imu(1.0))
    assert rig.states.reasons == ["no odometry yet on /r1/odom"]
    assert [source.stamp for source in rig.base.sources] == [NEVER, stamp(1.0)]


@pytest.mark.parametrize(
    ("missing", "text"),
    [("quaternion", "gives no orientation"), ("angular_velocity", "gives no angular velocity")],
)
def test_an_imu_alone_that_lacks_something_is_not_valid(missing: str, text: str) -> None:
    rig = setup("imu")
    rig.imu(imu(1.0, **{missing: None}))
    assert not rig.states.usable().any()
    assert text in rig.states.reasons[0]
    rig.imu(imu(1.1))
    assert rig.states.usable().all()
