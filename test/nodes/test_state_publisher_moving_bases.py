"""state_publisher with joints and bases that whole poses move: multi-DOF states, odometry, IMU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import Quaternion, Transform, Twist, Vector3
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Imu, MultiDOFJointState

from publisher_setup import Setup, matrix_of, received_pose, xyz
from robodyn_ros.spatial import axis_rotation, quaternion_from_matrix, rotation_from_rpy
from robots import OWN_ROBOTS
from ros_graph import Graph, seconds, time_message

EVERY_JOINT = OWN_ROBOTS / "every_joint.urdf"
TURN = rotation_from_rpy([0.3, -0.4, 1.2])
PLACE = np.array([0.4, -0.7, 0.2])
TWIST = np.array([0.3, -0.2, 0.5, 0.7, 0.1, -0.6])
EXACT = 1e-9


def vector(values) -> Vector3:
    return Vector3(**dict(zip("xyz", map(float, values), strict=True)))


def quaternion(rotation: np.ndarray) -> Quaternion:
    values = quaternion_from_matrix(rotation).tolist()
    return Quaternion(**dict(zip("xyzw", values, strict=True)))


def multi_dof(stamp: float, **poses: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Any:
    """Return a message with position, rotation and twist [angular; linear] of joints."""
    message = MultiDOFJointState(joint_names=list(poses))
    message.header.stamp = time_message(stamp)
    for position, rotation, twist in poses.values():
        pose = Transform(translation=vector(position), rotation=quaternion(rotation))
        message.transforms.append(pose)
        message.twist.append(Twist(angular=vector(twist[:3]), linear=vector(twist[3:])))
    return message


def odometry(stamp: float, child: str, twist: np.ndarray, frame: str = "world") -> Odometry:
    """Return a message of `PLACE` and `TURN` and a twist in the child's axes."""
    message = Odometry(child_frame_id=child)
    message.header.stamp, message.header.frame_id = time_message(stamp), frame
    position = message.pose.pose.position
    position.x, position.y, position.z = PLACE.tolist()
    message.pose.pose.orientation = quaternion(TURN)
    message.twist.twist = Twist(angular=vector(twist[:3]), linear=vector(twist[3:]))
    return message


def sender(setup: Setup, kind: type, topic: str) -> Any:
    publisher = setup.graph.publisher(kind, f"{setup.place}/{topic}")
    setup.graph.connect(publisher)
    return publisher


def states_for(setup: Setup, publisher: Any, message: Any) -> dict[str, Any]:
    """Publish a message and return the bodies, by name, that come for it."""
    publisher.publish(message)
    stamp = seconds(message.header.stamp)
    setup.graph.wait(lambda: setup.states_at(stamp), f"body states at {stamp}")
    return {body.name: body for body in setup.states_at(stamp)[-1].bodies}


def test_planar_and_floating_joints_are_moved_by_multi_dof_joint_states_alone(
    graph: Graph,
) -> None:
    setup = Setup(graph, EVERY_JOINT, bodies=True)
    names = ["left_wrist", "right_shoulder", "string"]
    for k in range(3):
        setup.show(names, [0.0, 0.2, 0.3], stamp=setup.time(0.01 * k))
    graph.wait(lambda: bool(setup.static), "static transforms")
    shown = {child for _, child in setup.transforms()}
    shown |= {t.child_frame_id for m in setup.static for t in m.transforms}
    assert shown.isdisjoint({"right_arm", "float"})
    for joint in names[1:]:
        (line,) = setup.process.lines(f"'{joint}'")
        assert "WARN" in line
        assert "give it on multi_dof_joint_states" in line
    publisher = sender(setup, MultiDOFJointState, "multi_dof_joint_states")
    setup.tf.clear()
    message = multi_dof(setup.time(1), string=(PLACE, TURN, TWIST))
    bodies = states_for(setup, publisher, message)
    (transform,) = setup.tf[-1].transforms
    assert (transform.header.frame_id, transform.child_frame_id) == ("left_hand", "float")
    model = setup.robot.model
    joint = next(j for _, j in model.moving if j.name == "string")
    R, p = joint.rotation, joint.position
    expected = np.column_stack([R @ TURN, p + R @ PLACE])
    assert received_pose(transform) == pytest.approx(expected, abs=EXACT)
    hand = matrix_of(bodies["left_hand"].pose.orientation) @ R
    assert xyz(bodies["float"].twist.angular) == pytest.approx(hand @ TWIST[:3], abs=EXACT)
    assert xyz(bodies["float"].twist.linear) == pytest.approx(hand @ TWIST[3:], abs=EXACT)
    assert not bodies["right_arm"].valid, "nothing moved it yet"


def test_a_planar_joint_keeps_to_its_plane(graph: Graph) -> None:
    """About -y: a turn about that axis and a step in the x-z plane; what is off it is told."""
    setup = Setup(graph, EVERY_JOINT, bodies=True)
    publisher = sender(setup, MultiDOFJointState, "multi_dof_joint_states")
    turn = axis_rotation(np.array([0.0, -1.0, 0.0]), 0.7)
    step, rates = np.array([0.3, 0.0, -0.2]), np.array([0.0, -0.9, 0.0, 0.4, 0.0, 0.1])
    message = multi_dof(setup.time(1), right_shoulder=(step, turn, rates))
    bodies = states_for(setup, publisher, message)
    joint = next(j for _, j in setup.robot.model.moving if j.name == "right_shoulder")
    R, p = joint.rotation, joint.position
    body = bodies["right_arm"]
    assert xyz(body.pose.position) == pytest.approx(p + R @ step, abs=EXACT)
    assert matrix_of(body.pose.orientation) == pytest.approx(R @ turn, abs=EXACT)
    assert xyz(body.twist.angular) == pytest.approx(R @ rates[:3], abs=EXACT)
    assert xyz(body.twist.linear) == pytest.approx(R @ rates[3:], abs=EXACT)
    assert body.valid
    off = multi_dof(setup.time(1.01), right_shoulder=(np.array([0.3, 0.1, -0.2]), turn, rates))
    bodies = states_for(setup, publisher, off)
    assert xyz(bodies["right_arm"].pose.position) == pytest.approx(p + R @ step, abs=EXACT)
    setup.process.wait_for("its pose is 0.1 m off its plane")
    assert len(setup.lines("its pose is 0.1 m off its plane")) == 1


def test_repeated_bad_and_unstamped_multi_dof_states_do_no_harm(graph: Graph) -> None:
    setup = Setup(graph, EVERY_JOINT, bodies=True)
    publisher = sender(setup, MultiDOFJointState, "multi_dof_joint_states")
    good = multi_dof(setup.time(1), string=(PLACE, TURN, TWIST))
    bad = multi_dof(setup.time(1.1), string=(PLACE * np.nan, TURN, TWIST))
    long = multi_dof(setup.time(1.2), string=(PLACE, TURN, TWIST))
    long.transforms.append(Transform())
    for message in (good, good, bad, long):
        publisher.publish(message)
    before = setup.graph.stamp()
    publisher.publish(multi_dof(0.0, string=(PLACE, TURN, TWIST)))
    graph.wait(lambda: max(setup.stamps(), default=0.0) >= before, "a state with the node's time")
    assert setup.transforms()[0] == (setup.time(1), "float")
    assert len(setup.transforms()) == 2
    setup.process.wait_for("without a stamp")  # what is wrong is said after what is published
    for text in ("transforms has 2 entries for 1 names", "not finite", "without a stamp"):
        assert len(setup.lines(text)) == 1, text


def test_without_a_clock_yet_poses_without_a_stamp_are_dropped(graph: Graph) -> None:
    setup = Setup(graph, EVERY_JOINT, bodies=True, use_sim_time=True)
    publisher = sender(setup, MultiDOFJointState, "multi_dof_joint_states")
    publisher.publish(multi_dof(0.0, string=(PLACE, TURN, TWIST)))
    states_for(setup, publisher, multi_dof(setup.time(1), string=(PLACE, TURN, TWIST)))
    assert setup.transforms() == [(setup.time(1), "float")]
    setup.process.wait_for("nothing came on /clock yet$")
    assert len(setup.lines("nothing came on /clock yet$")) == 1


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_odometry_moves_the_whole_robot(graph: Graph, base: str) -> None:
    setup = Setup(graph, bodies=True, base=base, base_input="odometry", publish_base=True)
    publisher = sender(setup, Odometry, "odom")
    count, root = len(setup.joints), setup.robot.model.body_names[1]
    setup.show(setup.joints, [0.0] * count, [0.0] * count, stamp=setup.time(0))
    bodies = states_for(setup, publisher, odometry(setup.time(0.01), root, TWIST))
    (transform,) = setup.tf[-1].transforms
    assert (transform.header.frame_id, transform.child_frame_id) == ("world", root)
    pose = np.column_stack([TURN, PLACE])
    assert received_pose(transform) == pytest.approx(pose, abs=EXACT)
    w, v = TURN @ TWIST[:3], TURN @ TWIST[3:]
    for body in setup.robot.model.body_names[1:]:
        state = bodies[body]
        arm = np.array(xyz(state.pose.position)) - PLACE
        assert state.valid
        assert xyz(state.twist.angular) == pytest.approx(w, abs=EXACT)
        assert xyz(state.twist.linear) == pytest.approx(v + np.cross(w, arm), abs=EXACT)
    graph.wait(lambda: setup.status("base").level == b"\0" and setup.values("base"), "base")


def test_an_imu_gives_attitude_rate_and_the_acceleration_without_gravity(graph: Graph) -> None:
    setup = Setup(graph, bodies=True, base="floating", base_input="imu")
    publisher = sender(setup, Imu, "imu")
    root = setup.robot.model.body_names[1]
    felt = TURN.T @ np.array([0.5, -0.25, 1.0 + 9.81])
    for k in range(3):
        message = Imu(orientation=quaternion(TURN), angular_velocity=vector(TWIST[:3]))
        message.linear_acceleration = vector(felt)
        message.header.stamp = time_message(setup.time(0.01 * k))
        message.header.frame_id = root
        state = states_for(setup, publisher, message)[root]
    assert matrix_of(state.pose.orientation) == pytest.approx(TURN, abs=EXACT)
    assert xyz(state.pose.position) == [0.0, 0.0, 0.0]
    assert xyz(state.twist.angular) == pytest.approx(TURN @ TWIST[:3], abs=EXACT)
    assert xyz(state.acceleration.linear) == pytest.approx([0.5, -0.25, 1.0], abs=EXACT)
    assert root not in {child for _, child in setup.transforms()}, "publish_base is off"


def test_odometry_of_a_frame_that_is_not_on_the_root_link_is_told_in_log_and_report(
    graph: Graph,
) -> None:
    setup = Setup(graph, bodies=True, base="floating", base_input="odometry")
    publisher = sender(setup, Odometry, "odom")
    publisher.publish(odometry(setup.time(1), "caster", TWIST, "map"))
    said = rf"odometry on {setup.place}/odom is dropped: its child_frame_id is 'caster'"
    graph.wait(lambda: setup.lines(said), "the warning")
    graph.wait(lambda: "'caster'" in setup.status("base").message, "the report")
    assert setup.status("base").level == b"\x01"
    assert setup.lines("given in frame 'map', which is taken for world_frame 'world'")
