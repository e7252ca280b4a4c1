"""Gravity's direction from an IMU's numbers."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.conditioning.base_sources import ImuSample
from robodyn_ros.conditioning.imu_gravity import imu_gravity
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy

G = 9.81
TILT = rotation_from_rpy([0.4, -0.7, 1.3])
DOWN = TILT.T @ np.array([0.0, 0.0, -1.0])  # in sensor axes


def sample(quaternion=None, rate=None, force=None) -> ImuSample:
    given = (None if x is None else np.array(x, dtype=float) for x in (quaternion, rate, force))
    return ImuSample(1, "link", *given)


def test_an_orientation_tells_it_whatever_the_motion() -> None:
    wild = sample(quaternion_from_matrix(TILT), [3.0, 0.0, 0.0], [50.0, 0.0, 0.0])
    found = imu_gravity(wild, G)
    assert found.trouble == ""
    assert found.direction == pytest.approx(DOWN, abs=1e-12)


def test_at_rest_the_acceleration_is_its_reaction() -> None:
    for rate in (None, [0.01, -0.02, 0.0]):
        found = imu_gravity(sample(None, rate, -(G + 0.1) * DOWN), G)
        assert found.trouble == ""
        assert found.direction == pytest.approx(DOWN, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "neither"),
        ({"force": [0.0, 0.0, 12.0]}, "does not rest"),
        ({"force": [0.0, 0.0, 0.0]}, "does not rest"),
        ({"force": [0.0, 0.0, G], "rate": [0.1, 0.0, 0.0]}, "turns by 0.1"),
        ({"force": [0.0, 0.0, G], "rate": [np.nan, 0.0, 0.0]}, "turns by nan"),
        ({"force": [0.0, np.inf, G]}, "not finite"),
        ({"quaternion": [0.0, 0.0, 0.0, 0.0]}, "unit quaternion"),
        ({"quaternion": [np.nan, 0.0, 0.0, 1.0]}, "unit quaternion"),
    ],
)
def test_what_does_not_tell_it_says_why(given: dict, said: str) -> None:
    found = imu_gravity(sample(**given), G)
    assert said in found.trouble
    assert not found.direction.any()


def test_without_gravity_there_is_no_direction() -> None:
    assert imu_gravity(sample(force=[0.0, 0.0, 0.0]), 0.0).trouble
