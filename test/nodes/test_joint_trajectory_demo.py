"""joint_trajectory_demo in a process of its own, alone and with state_publisher."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyState, BodyStateArray
from scipy.optimize import least_squares
from sensor_msgs.msg import JointState, MultiDOFJointState
from std_srvs.srv import SetBool, Trigger

from publisher_setup import ARM, xyz
from robodyn_ros import load
from robodyn_ros.ros.demo_motion import SmoothMotion
from robodyn_ros.ros.demo_poses import PoseMotion
from robots import OWN_ROBOTS
from ros_graph import Graph, seconds
from tf2_msgs.msg import TFMessage

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_it_plays_the_motion_that_its_parameters_name(graph: Graph) -> None:
    states = graph.listen(JointState, "joint_states")
    options = {"robot_description_file": ARM, "rate": 100, "seed": 5, "amplitude": 0.3, "period": 3}
    graph.start("joint_trajectory_demo", options)
    graph.wait(lambda: len(states) >= 100, "100 joint states")
    model = load(ARM, compile="off").model
    motion = SmoothMotion(model, amplitude=0.3, period=3.0, seed=5)
    assert tuple(states[0].name) == motion.names
    stamps = np.array([seconds(message.header.stamp) for message in states])
    assert 50.0 < 99 / (stamps[-1] - stamps[0]) < 102.0
    # The motion began at the node's first message, which may have been sent before we listened.
    first = states[0]
    offsets = np.arange(0.0, 30.0, 1e-3)
    errors = [np.abs(motion.at(t).position - first.position).max() for t in offsets]
    start = offsets[int(np.argmin(errors))]
    for message, stamp in zip(states, stamps, strict=True):
        sample = motion.at(start + stamp - stamps[0])
        assert message.position.tolist() == pytest.approx(sample.position.tolist(), abs=5e-3)
        assert message.velocity.tolist() == pytest.approx(sample.velocity.tolist(), abs=2e-2)


@pytest.mark.parametrize(
    "path",
    [
        OWN_ROBOTS / "every_joint.urdf",
        OWN_ROBOTS / "mimic_chain.urdf",
        OWN_ROBOTS / "every_type.yaml",
        EXAMPLES / "five_bodies.yaml",
        EXAMPLES / "universal_joint.yaml",
        EXAMPLES / "gimbal_platform.yaml",
        EXAMPLES / "crane_on_a_ship.yaml",
    ],
    ids=lambda path: path.stem,
)
def test_it_moves_all_joints_of_any_robot_through_state_publisher(graph: Graph, path: Path) -> None:
    model = load(path, compile="off").model
    tf = graph.listen(TFMessage, "/tf")
    bodies = graph.listen(BodyStateArray, "/state_publisher/body_states")
    options = {"robot_description_file": path, "stale_after": 0.0}
    options["publish_base"] = model.base != "fixed"
    publisher = graph.start("state_publisher", options)
    demo = graph.start("joint_trajectory_demo", {"robot_description_file": path, "period": 4.0})
    expected = {model.body_names[b] for b, joint in model.moving if joint.joint.nv}
    if model.base == "prescribed":
        expected.add(model.body_names[1])

    def moved() -> set[str]:
        return {transform.child_frame_id for message in tf for transform in message.transforms}

    graph.wait(lambda: moved() >= expected, "transforms of all joints")
    assert moved() == expected
    graph.wait(lambda: bodies and all(body.valid for body in bodies[-1].bodies), "valid bodies")
    begin = len(bodies)
    graph.wait(lambda: len(bodies) >= begin + 60, "more states")
    later = bodies[begin:]
    assert all(body.valid for message in later for body in message.bodies)
    for k in (model.body_index(name) for name in expected):
        speeds = [speed(message.bodies[k]) for message in later]
        assert 0.0 < max(speeds) < 100.0  # far from singular attitudes nothing is fast
    for process in (publisher, demo):
        assert not process.lines("WARN|ERROR")


def speed(body: BodyState) -> float:
    """Return how fast a body turns or moves."""
    return float(np.abs([*xyz(body.twist.angular), *xyz(body.twist.linear)]).max())


def test_poses_that_it_plays_have_the_twists_that_they_say(graph: Graph) -> None:
    path = EXAMPLES / "five_bodies.yaml"
    model = load(path, compile="off").model
    poses = graph.listen(MultiDOFJointState, "multi_dof_joint_states")
    states = graph.listen(JointState, "joint_states")
    options = {"robot_description_file": path, "amplitude": 0.8, "period": 3.0, "seed": 2}
    graph.start("joint_trajectory_demo", options)
    graph.wait(lambda: len(poses) >= 20 and len(states) >= 20, "poses and joint states")
    plan = PoseMotion(model, amplitude=0.8, period=3.0, seed=2)
    numbers = SmoothMotion(model, amplitude=0.8, period=3.0, seed=2)
    assert "G4/outer_z" in numbers.names
    assert tuple(states[-1].name) == numbers.names
    by_stamp = {seconds(message.header.stamp): message for message in states}
    pairs = [(m, by_stamp[t]) for m in poses if (t := seconds(m.header.stamp)) in by_stamp]
    assert len(pairs) >= 10
    message, beside = pairs[-1]
    # What time it is in the motion is told by the joint states of the same stamp.
    time = instant(numbers, np.array(beside.position))
    assert tuple(message.joint_names) == plan.names == ("root", "G2")
    for pose, transform, twist in zip(
        plan.at(time), message.transforms, message.twist, strict=True
    ):
        assert xyz(transform.translation) == pytest.approx(pose.position, abs=1e-6)
        turn = transform.rotation
        assert abs(np.dot([turn.x, turn.y, turn.z, turn.w], pose.quaternion)) == pytest.approx(1.0)
        assert xyz(twist.linear) == pytest.approx(pose.linear, abs=1e-6)
        assert xyz(twist.angular) == pytest.approx(pose.angular, abs=1e-6)


def instant(motion: SmoothMotion, position: np.ndarray) -> float:
    """Return the time within the first minute at which a motion has a position."""
    times = np.arange(0.0, 60.0, 2e-3)
    near = times[np.argmin([np.abs(motion.at(t).position - position).max() for t in times])]
    found = least_squares(lambda t: motion.at(float(t[0])).position - position, [near], xtol=1e-15)
    assert found.cost < 1e-16
    return float(found.x[0])


def test_it_goes_where_it_is_told_stays_and_plays_again(graph: Graph) -> None:
    states = graph.listen(JointState, "joint_states")
    process = graph.start("joint_trajectory_demo", {"robot_description_file": ARM, "rate": 50})
    command = graph.publisher(JointState, "/joint_trajectory_demo/position_command")
    graph.connect(command)
    command.publish(JointState(name=["joint1", "joint2", "elbow"], position=[0.4, 9.0, 1.0]))

    def joint(name: str) -> tuple[float, float]:
        row = list(states[-1].name).index(name)
        return states[-1].position[row], states[-1].velocity[row]

    graph.wait(lambda: states and joint("joint1") == (0.4, 0.0), "a commanded joint")
    graph.wait(lambda: joint("joint2") == (2.0, 0.0), "a joint at the end of its range")
    graph.wait(lambda: joint("joint3")[1] != 0.0, "the others' motion")
    process.wait_for("'joint2' goes to 2, the end of its range")
    process.wait_for("no coordinate is called 'elbow'.*it is ignored")
    command.publish(JointState(name=["joint1"], position=[]))
    process.wait_for("position_command is refused: position has length 0")
    pause = SetBool.Request(data=True)
    assert graph.call(SetBool, "/joint_trajectory_demo/pause", pause).success
    graph.wait(lambda: not any(states[-1].velocity), "rest")
    command.publish(JointState(name=["joint3"], position=[0.1]))
    graph.wait(lambda: joint("joint3") == (0.1, 0.0), "a commanded joint in a pause")
    assert graph.call(Trigger, "/joint_trajectory_demo/reset", Trigger.Request()).success
    graph.wait(lambda: all(states[-1].velocity), "all in motion")


def test_a_base_that_something_else_moves_can_be_left_alone(graph: Graph) -> None:
    path = EXAMPLES / "gimbal_platform.yaml"
    states = graph.listen(JointState, "joint_states")
    poses = graph.listen(MultiDOFJointState, "multi_dof_joint_states")
    graph.start("joint_trajectory_demo", {"robot_description_file": path, "move_base": False})
    graph.wait(lambda: len(states) >= 20, "joint states")
    assert "gimbal/rx" in states[-1].name
    assert not poses


def test_a_robot_without_joints_is_no_trouble(graph: Graph) -> None:
    states = graph.listen(JointState, "joint_states")
    path = OWN_ROBOTS / "single_link.urdf"
    process = graph.start("joint_trajectory_demo", {"robot_description_file": path})
    graph.start("state_publisher", {"robot_description_file": path})
    graph.wait(lambda: len(states) >= 5, "joint states")
    assert list(states[-1].name) == []
    assert process.stop() == 0
