"""A state as messages: what the state path would make of them is that state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState, MultiDOFJointState

from robodyn_ros import load
from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.conditioning.multi_dof_coordinates import joint_coordinates
from robodyn_ros.conditioning.multi_slots import multi_slots
from robodyn_ros.model import BaseMotion
from robodyn_ros.ros.simulator.joint_outputs import JointStateOutput, PoseOutput

ROOT = Path(__file__).parents[3]
OWN = ROOT / "test" / "description" / "robots"
ROBOTS = [
    ROOT / "urdf" / "demo_arm.urdf",
    OWN / "every_joint.urdf",
    OWN / "every_type.yaml",
    OWN / "mimic_chain.urdf",
    ROOT / "examples" / "five_bodies.yaml",
    ROOT / "examples" / "four_bar.yaml",
]
STAMP = 1_500_000_001


def state(path: Path):
    robot = load(path, compile="off")
    rng = np.random.default_rng(1)
    q = robot.random_configuration(rng)
    v, effort = rng.normal(size=(2, robot.model.nv))
    return robot.model, q, v, effort


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_every_coordinate_comes_as_a_number_or_in_a_pose(path: Path) -> None:
    model, q, v, effort = state(path)
    numbers, poses = JointStateOutput(model, passive=True), PoseOutput(model, passive=True)
    message = deserialize_message(numbers.fill(STAMP, q, v, effort), JointState)
    assert tuple(message.name) == numbers.names
    rows = zip(message.position, message.velocity, message.effort, strict=True)
    told = dict(zip(message.name, rows, strict=True))
    found_q, found_v = np.full(model.nq, np.nan), np.full(model.nv, np.nan)
    for joint in model.own_joints:
        for k in range(joint.joint.nv):
            name = model.coordinate_names[joint.v_index + k]
            if name in told:
                found_q[joint.q_index + k], found_v[joint.v_index + k] = told[name][:2]
                assert told[name][2] == effort[joint.v_index + k]
    posed = deserialize_message(poses.fill(STAMP, q, v, BaseMotion()), MultiDOFJointState)
    assert tuple(posed.joint_names) == poses.names
    slots = {slot.name: slot for slot in multi_slots(model)}
    for name, transform, twist in zip(
        posed.joint_names, posed.transforms, posed.twist, strict=True
    ):
        slot = slots[name]
        p, r = transform.translation, transform.rotation
        w, u = twist.angular, twist.linear
        motion = Motion(
            np.array([p.x, p.y, p.z]),
            np.array([r.x, r.y, r.z, r.w]),
            np.array([w.x, w.y, w.z]),
            np.array([u.x, u.y, u.z]),
            np.zeros(3),
            np.zeros(3),
        )
        z, rates, _ = joint_coordinates(slot.joint, motion)
        found_q[slot.q], found_v[slot.v] = z, rates
    same = np.isclose(found_q, q, atol=1e-9) | np.isclose(found_q, -q, atol=1e-9)
    assert same.all()  # quaternions of either sign
    assert found_v == pytest.approx(v, abs=1e-9)


def test_followers_come_with_their_values() -> None:
    model, q, v, effort = state(OWN / "mimic_chain.urdf")
    output = JointStateOutput(model, passive=True)
    message = deserialize_message(output.fill(STAMP, q, v, effort), JointState)
    followers = [joint for _, joint in model.moving if joint.is_follower]
    assert followers
    for joint in followers:
        place = list(message.name).index(joint.name)
        assert message.position[place] == joint.coordinates.position(q)[0]
        assert message.velocity[place] == joint.coordinates.velocity(q, v)[0]
        assert message.effort[place] == 0.0
    assert message.header.stamp.nanosec == 500_000_001


def test_passive_joints_may_be_left_out() -> None:
    model, *_ = state(ROOT / "examples" / "four_bar.yaml")
    assert JointStateOutput(model, passive=False).names == ("motor",)
    assert len(JointStateOutput(model, passive=True).names) > 1
