"""Trajectories out of their bytes: as rclpy reads them, bounded, refused where they are none."""

from __future__ import annotations

import random
import struct

import pytest
from rclpy.serialization import serialize_message
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.cdr.trajectory_reader import read_trajectory


def message(rng: random.Random) -> JointTrajectory:
    """Return a trajectory of any number of joints and points, its arrays of any length."""
    made = JointTrajectory()
    made.header.frame_id = "f" * rng.randrange(9)
    made.header.stamp.sec, made.header.stamp.nanosec = rng.randrange(2**31), rng.randrange(10**9)
    made.joint_names = ["j" * rng.randrange(1, 12) + "ö" for _ in range(rng.randrange(5))]
    for _ in range(rng.randrange(6)):
        point = JointTrajectoryPoint()
        for field in ("positions", "velocities", "accelerations", "effort"):
            setattr(point, field, [rng.gauss(0.0, 9.0) for _ in range(rng.randrange(5))])
        point.time_from_start.sec = rng.randrange(-3, 9)
        point.time_from_start.nanosec = rng.randrange(10**9)
        made.points.append(point)
    return made


@pytest.mark.parametrize("seed", range(40))
def test_it_is_what_was_sent(seed: int) -> None:
    sent = message(random.Random(seed))
    read = read_trajectory(bytes(serialize_message(sent)))
    assert read.stamp == sent.header.stamp.sec * 10**9 + sent.header.stamp.nanosec
    assert list(read.names) == sent.joint_names
    assert len(read.times) == len(sent.points)
    for k, point in enumerate(sent.points):
        time = point.time_from_start
        assert read.times[k] == pytest.approx(time.sec + time.nanosec * 1e-9, abs=1e-9)
        assert read.positions[k] == tuple(point.positions)
        assert read.velocities[k] == tuple(point.velocities)
        assert read.accelerations[k] == tuple(point.accelerations)


def test_bytes_that_end_early_or_lie_are_refused() -> None:
    data = bytes(serialize_message(message(random.Random(3))))
    rng = random.Random(5)
    for length in range(0, len(data) - 16, 3):
        with pytest.raises(ArgumentError, match="its bytes cannot be read"):
            read_trajectory(data[:length])
    for _ in range(300):
        spoilt = bytearray(data)
        for _ in range(3):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        try:
            read_trajectory(bytes(spoilt))
        except ArgumentError as error:
            assert "\n" not in str(error)  # noqa: PT017 - spoilt bytes may still be a trajectory


def test_of_too_many_points_none_is_read() -> None:
    head = bytes(serialize_message(JointTrajectory()))[:-4]
    with pytest.raises(ArgumentError, match="1 to 10000 points, got 20000"):
        read_trajectory(head + struct.pack("<I", 20000) + bytes(30000))
