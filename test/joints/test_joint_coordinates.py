"""Coordinates of a pose, and which of them belong to which rate, for every joint."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from joint_cases import JOINTS, pose_at, state
from robodyn_ros.spatial import rotation_from_rpy

#: A few products of rotations and lengths of order 1.
ROUNDING = 1e-14

every_joint = pytest.mark.parametrize("name", sorted(JOINTS))


@every_joint
@pytest.mark.parametrize("seed", range(2))
def test_coordinates_of_a_pose(name: str, seed: int) -> None:
    """The pose counts: several coordinates may have the same."""
    joint = JOINTS[name]
    many = np.stack([*(state(joint, 2 * seed + k)[0] for k in range(2)), joint.neutral()])
    poses = pose_at(joint, many)
    found = joint.coordinates_at(poses[..., :3], poses[..., 3])
    assert found is not None
    assert found.shape == many.shape
    assert error(pose_at(joint, found), poses) < 100 * ROUNDING
    single = joint.coordinates_at(poses[1, :, :3], poses[1, :, 3])
    assert error(single, found[1]) < ROUNDING


@every_joint
def test_coordinates_of_a_pose_that_is_not_quite_possible(name: str) -> None:
    joint = JOINTS[name]
    q = state(joint, 5)[0]
    R, p = pose_at(joint, q)[:, :3], pose_at(joint, q)[:, 3]
    off = rotation_from_rpy([3e-5, -1e-5, 2e-5])
    found = joint.coordinates_at(R @ off, p + np.array([1e-5, 2e-5, -3e-5]))
    assert error(pose_at(joint, found), pose_at(joint, q)) < 1e-3


@every_joint
def test_coordinates_of_rates(name: str) -> None:
    """Every rate but a quaternion's has an entry of q of its own."""
    joint = JOINTS[name]
    places = joint.rate_coordinates()
    own = [place for place in places if place is not None]
    assert len(places) == joint.nv
    assert len(set(own)) == len(own)
    assert (len(own) == joint.nv) == (joint.quaternion_start is None)
    names = joint.coordinate_axes()
    assert len(names) == (joint.nq if joint.nv > 1 else 0)
    assert [names[place] for place in own if names] == [
        axis for axis, place in zip(joint.axes, places, strict=False) if place is not None
    ]
    if joint.quaternion_start is not None:
        start = joint.quaternion_start
        assert names[start : start + 4] == ("qx", "qy", "qz", "qw")
        assert len(own) == joint.nq - 4
        assert not set(own) & set(range(joint.quaternion_start, joint.quaternion_start + 4))
