"""A node without kernels: services answer amid a flood of joint states, and no joint is lost."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from robodyn_interfaces.srv import BodyMotion, InverseDynamics
from sensor_msgs.msg import JointState

from node_process import node_command
from publisher_setup import ARM, newest_status
from robodyn_ros import load
from ros_graph import Graph, joint_state
from tf2_msgs.msg import TFMessage

FLOOD = 40
"""Messages between two looks for an answer: more than are taken one by one."""


def test_services_answer_while_plain_functions_serve_a_flood(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "casadi.py").write_text("raise ImportError('broken for a test')\n")
    options = {"robot_description_file": ARM, "diagnostics_period": 0.2}
    command = node_command("robodyn_node", options | {"joint_states_reliability": "reliable"})
    process = graph.run(command, XDG_CACHE_HOME=str(tmp_path), PYTHONPATH=str(tmp_path))
    process.wait_for("no kernels to be had")
    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    transforms = graph.listen(TFMessage, "/tf")
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)
    robot = load(ARM, compile="off")
    joints = [joint.name for joint in robot.model.own_joints]
    arm, gripper = joints[:-1], joints[-1:]
    clients = {
        kind: graph.node.create_client(kind, f"/robodyn_node/{name}")
        for kind, name in ((InverseDynamics, "inverse_dynamics"), (BodyMotion, "body_motion"))
    }
    for client in clients.values():
        graph.wait(client.service_is_ready, "the service")
    stamps = itertools.count(1000.0, 0.001)

    def flood() -> None:
        for k in range(FLOOD):
            states.publish(joint_state(arm, [0.1] * len(arm), [0.0] * len(arm), stamp=next(stamps)))
            if k == FLOOD // 2:
                states.publish(joint_state(gripper, [0.01], [0.0], stamp=next(stamps)))
        graph.spin(0.05)

    neutral = InverseDynamics.Request(names=joints, position=[0.1] * len(joints))
    for _ in range(5):
        answer = clients[InverseDynamics].call_async(neutral)
        graph.wait(lambda: flood() or answer.done(), "an answer amid the flood")  # noqa: B023
        assert answer.result().success
    graph.wait(
        lambda: (
            "left out, no kernel"
            in {x.key for x in newest_status(diagnostics, "joint states").values}
        ),
        "the count of what was left out",
    )
    flood()
    live = BodyMotion.Request(names=arm[:1], position=[0.1], rest=BodyMotion.Request.REST_LIVE)
    reply = graph.call(BodyMotion, "/robodyn_node/body_motion", live)
    assert reply.success, reply.message
    q = robot.configuration({**dict.fromkeys(arm, 0.1), gripper[0]: 0.01})
    expected = robot.body_motion(q).position
    found = {body.name: body.pose.position for body in reply.bodies.bodies}
    for name, position in zip(robot.model.body_names, expected, strict=True):
        at = found[name]
        assert [at.x, at.y, at.z] == pytest.approx(position, abs=1e-9), name
    assert transforms
    assert process.stop() == 0
