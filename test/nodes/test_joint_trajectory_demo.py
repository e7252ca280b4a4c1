"""joint_trajectory_demo in a process of its own, alone and with state_publisher."""

from __future__ import annotations

import numpy as np
import pytest
from sensor_msgs.msg import JointState

from publisher_setup import ARM
from robodyn_ros import load
from robodyn_ros.ros.demo_motion import SmoothMotion
from robots import OWN_ROBOTS
from ros_graph import Graph, seconds
from tf2_msgs.msg import TFMessage


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


@pytest.mark.parametrize("name", ["every_joint", "mimic_chain"])
def test_it_moves_any_robot_through_state_publisher(graph: Graph, name: str) -> None:
    path = OWN_ROBOTS / f"{name}.urdf"
    tf = graph.listen(TFMessage, "/tf")
    for node in ("state_publisher", "joint_trajectory_demo"):
        graph.start(node, {"robot_description_file": path})
    graph.wait(lambda: len(tf) >= 20, "transforms")
    model = load(path, compile="off").model
    single = {j.name for j in model.own_joints if j.joint.nv == 1}
    expected = {
        model.body_names[b]
        for b, j in model.moving
        if j.joint.nv and (j.driver or j.name) in single
    }
    assert {t.child_frame_id for t in tf[-1].transforms} == expected


def test_a_robot_without_joints_is_no_trouble(graph: Graph) -> None:
    states = graph.listen(JointState, "joint_states")
    path = OWN_ROBOTS / "single_link.urdf"
    process = graph.start("joint_trajectory_demo", {"robot_description_file": path})
    graph.start("state_publisher", {"robot_description_file": path})
    graph.wait(lambda: len(states) >= 5, "joint states")
    assert list(states[-1].name) == []
    assert process.stop() == 0
