"""dynamics_server from its start: descriptions, payloads by parameter, changes, bad ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import InverseDynamics, ModelReport, SetPayload
from std_msgs.msg import String

from dynamics_setup import DynamicsSetup
from mini_robot import robot
from publisher_setup import ARM
from ros_graph import LATCHED, Graph

TOLERANCE = 1e-10


def inverse_dynamics(setup: DynamicsSetup, **fields: Any) -> Any:
    request = InverseDynamics.Request(**fields)
    return setup.graph.call(InverseDynamics, f"{setup.node}/inverse_dynamics", request)


def test_payloads_given_at_the_start_are_carried_and_announced(
    graph: Graph, tmp_path: Path
) -> None:
    link = "tool_center_point"
    file = tmp_path / "parameters.yaml"
    file.write_text(
        f"""
/**:
  ros__parameters:
    payloads:
      box: {{frame: {link}, mass: 1.5, com: [0.0, 0.1, 0.2]}}
      camera: {{frame: {link}, mass: 0.3, inertia: [1.0e-3, 0.0, 0.0, 1.0e-3, 0.0, 1.0e-3]}}
"""
    )
    setup = DynamicsSetup(graph, ARM, "--params-file", str(file), listen=False)
    environment = setup.environment_where(lambda x: len(x.payloads) == 2)
    assert [(x.name, x.frame_id, x.mass) for x in environment.payloads] == [
        ("box", link, 1.5),
        ("camera", link, 0.3),
    ]
    setup.robot.set_payload(link, 1.5, (0.0, 0.1, 0.2), name="box")
    setup.robot.set_payload(link, 0.3, inertia=1e-3 * np.eye(3), name="camera")
    q = 0.3 * np.ones(len(setup.joints))
    reply = inverse_dynamics(setup, position=q.tolist())
    expected = setup.robot.effort_terms(q)
    assert reply.payload == pytest.approx(expected.payload, abs=TOLERANCE)
    graph.wait(lambda: setup.values("dynamics")["payloads"] == "2", "the report")


def test_a_payload_on_no_frame_ends_the_start_with_one_line(graph: Graph) -> None:
    payload = ["-p", "payloads.box.frame:=nowhere", "-p", "payloads.box.mass:=1.0"]
    process = graph.start("dynamics_server", {"robot_description_file": ARM}, *payload)
    assert process.finish() == 1
    (line,) = process.lines("FATAL")
    assert "payload 'box': no frame is called 'nowhere'" in line
    assert "Traceback" not in process.output


def test_services_wait_for_a_description_and_follow_another(graph: Graph) -> None:
    process = graph.start("dynamics_server", {"joint_states_reliability": "reliable"})
    name = "/dynamics_server/model_report"
    reply = graph.call(ModelReport, name, ModelReport.Request())
    assert not reply.success
    assert "/robot_description" in reply.message
    description = graph.publisher(String, "/robot_description", LATCHED)
    description.publish(String(data=ARM.read_text()))
    process.wait_for("robot 'demo_arm'")
    assert graph.call(ModelReport, name, ModelReport.Request()).success
    payload = Payload(name="box", frame_id="tool_center_point", mass=1.0)
    service = "/dynamics_server/set_payload"
    request = SetPayload.Request(payload=payload)
    assert graph.call(SetPayload, service, request).success
    description.publish(String(data=robot()))
    process.wait_for("robot 'mini'")
    assert "box" in process.wait_for("payload 'box' is gone")
    reply = graph.call(SetPayload, service, request)
    assert not reply.success
    assert "tool_center_point" in reply.message
    assert process.stop() == 0
    assert "Traceback" not in process.output


def test_what_is_measured_serves_for_the_rest_and_is_refused_where_it_is_not_known(
    graph: Graph,
) -> None:
    setup = DynamicsSetup(graph, stale_after=0.0)
    live = {"rest": InverseDynamics.Request.REST_LIVE}
    q = np.linspace(-0.4, 0.4, len(setup.joints))
    setup.hold(q)
    reply = inverse_dynamics(setup, names=setup.joints[:1], position=[0.1], **live)
    assert reply.success, reply.message
    q[0] = 0.1
    assert reply.gravity == pytest.approx(setup.robot.gravity_force(q)[:1], abs=TOLERANCE)
    setup.answer({setup.joints[1]: float("nan")})
    reply = inverse_dynamics(setup, names=setup.joints[:1], position=[0.1], **live)
    assert not reply.success
    assert setup.joints[1] in reply.message
