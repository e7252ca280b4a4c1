"""Nodes with a joint of several coordinates, each given and asked for by `joint/axis`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, JointDynamics
from robodyn_interfaces.srv import InverseDynamics
from sensor_msgs.msg import JointState

from publisher_setup import xyz
from robodyn_ros import load
from ros_graph import Graph, joint_state
from tf2_msgs.msg import TFMessage

WRIST = """mechanism: 1
name: wrist
bodies:
  base:
  upper: {mass: 1, com: [0, 0, 0.1]}
  hand: {mass: 1, com: [0.05, 0, 0.1], inertia: [0.1, 0, 0, 0.2, 0, 0.3]}
joints:
  elbow: {type: revolute, parent: base, child: upper, axis: [0, 1, 0]}
  wrist:
    type: gimbal
    sequence: "123"
    parent: upper
    child: hand
    on_parent: {position: [0.3, 0, 0]}
"""
NAMES = ["wrist/rz", "elbow", "wrist/rx", "wrist/ry"]
Q = {"elbow": 0.3, "wrist/rx": 0.4, "wrist/ry": -0.5, "wrist/rz": 0.6}
V = {"elbow": 1.0, "wrist/rx": 2.0, "wrist/ry": -3.0, "wrist/rz": 4.0}
EFFORT = {"elbow": 0.1, "wrist/rx": 0.2, "wrist/ry": 0.3, "wrist/rz": 0.4}
EXACT = 1e-12


def test_joint_states_and_services_by_coordinate_names(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "wrist.yaml"
    path.write_text(WRIST)
    robot = load(path, compile="off")
    names = robot.model.coordinate_names
    q, v = (np.array([values[name] for name in names]) for values in (Q, V))
    bodies = graph.listen(BodyStateArray, "/robodyn_node/body_states")
    efforts = graph.listen(JointDynamics, "/robodyn_node/joint_dynamics")
    tf = graph.listen(TFMessage, "/tf")
    parameters = {"robot_description_file": path, "acceleration_source": "none", "stale_after": 0.0}
    graph.start("robodyn_node", parameters)
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def come() -> bool:
        message = joint_state(
            NAMES, [Q[x] for x in NAMES], [V[x] for x in NAMES], stamp=graph.stamp()
        )
        message.effort = [EFFORT[x] for x in NAMES]
        states.publish(message)
        return bool(bodies and efforts and tf)

    graph.wait(come, "bodies, efforts and transforms")
    motion = robot.body_motion(q, v)
    hand = bodies[-1].bodies[2]
    assert hand.valid
    assert xyz(hand.pose.position) == pytest.approx(motion.position[2], abs=EXACT)
    assert xyz(hand.twist.angular) == pytest.approx(motion.angular_velocity[2], abs=EXACT)
    assert {t.child_frame_id for m in tf for t in m.transforms} == {"upper", "hand"}
    told = efforts[-1]
    assert list(told.names) == list(names)
    assert all(told.valid)
    assert list(told.measured) == [EFFORT[name] for name in names]
    expected = robot.inverse_dynamics(q, v, 0.0 * v)
    assert list(told.effort) == pytest.approx(expected, abs=1e-9)
    request = InverseDynamics.Request(
        names=["wrist/ry"], position=[0.7], rest=InverseDynamics.Request.REST_LIVE
    )
    reply = graph.call(InverseDynamics, "/robodyn_node/inverse_dynamics", request)
    assert reply.success, reply.message
    turned = robot.configuration(Q | {"wrist/ry": 0.7})
    weight = robot.gravity_force(turned)[names.index("wrist/ry")]
    assert list(reply.gravity) == pytest.approx([weight], abs=1e-9)


def test_a_live_state_that_lacks_a_coordinate_is_refused_by_its_name(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "wrist.yaml"
    path.write_text(WRIST)
    bodies = graph.listen(BodyStateArray, "/robodyn_node/body_states")
    graph.start("robodyn_node", {"robot_description_file": path})
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def come() -> bool:
        states.publish(joint_state(NAMES[1:], [0.0] * 3, [0.0] * 3, stamp=graph.stamp()))
        return bool(bodies)

    graph.wait(come, "states of bodies")
    assert [body.valid for body in bodies[-1].bodies] == [True, True, False]
    request = InverseDynamics.Request(
        names=["elbow"], position=[0.7], rest=InverseDynamics.Request.REST_LIVE
    )
    reply = graph.call(InverseDynamics, "/robodyn_node/inverse_dynamics", request)
    assert not reply.success
    assert "'wrist': wrist/rz: never received" in reply.message
