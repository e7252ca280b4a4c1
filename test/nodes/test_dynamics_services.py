"""The services in a node, asked over DDS, and their handlers when something fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import BodyMotion, InverseDynamics, MassMatrix, ModelReport, SetPayload

from differentiation import error
from dynamics_rig import KINDS, Host, ServiceNode
from robots import example, loaded
from ros_graph import Graph
from spinning import Spinning

ROUNDING = 1e-12
Q = [0.3, -1.1, 0.9, -0.4, 0.8, 0.2]


class Served:
    """A graph with a node that serves a UR5."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.host = Host(loaded(example("ur5_robot.urdf")))
        self.spinning = Spinning(lambda context: ServiceNode(self.host, context=context))
        self.node: ServiceNode = self.spinning.node

    def close(self) -> None:
        """End both."""
        self.spinning.close()
        self.graph.close()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """One for all tests; each leaves its host as it was."""
    made = Served()
    yield made
    made.close()


def test_all_services_have_their_names_and_types(served: Served) -> None:
    expected = {
        (f"/dynamics_server/{name}", f"robodyn_interfaces/srv/{kind.__name__}")
        for name, kind in KINDS.items()
    }

    names = served.graph.node.get_node_names
    served.graph.wait(lambda: "dynamics_server" in names(), "the node")

    def found() -> set[tuple[str, str]]:
        listed = served.graph.node.get_service_names_and_types_by_node("dynamics_server", "/")
        return {(name, kinds[0]) for name, kinds in listed}

    served.graph.wait(lambda: expected <= found(), "the services")


def test_inverse_dynamics_over_dds(served: Served) -> None:
    request = InverseDynamics.Request(position=Q, velocity=[0.5] * 6, acceleration=[0.7] * 6)
    reply = served.graph.call(InverseDynamics, "/dynamics_server/inverse_dynamics", request)
    assert reply.success
    assert reply.message == ""
    assert served.host.robot is not None
    expected = served.host.robot.inverse_dynamics(np.array(Q), np.full(6, 0.5), np.full(6, 0.7))
    assert error(reply.effort, expected) < ROUNDING


def test_bodies_over_dds_have_the_nodes_time(served: Served) -> None:
    before = served.node.get_clock().now().nanoseconds
    request = BodyMotion.Request(position=Q)
    reply = served.graph.call(BodyMotion, "/dynamics_server/body_motion", request)
    assert reply.success
    stamp = reply.bodies.header.stamp
    assert before <= stamp.sec * 10**9 + stamp.nanosec <= served.node.get_clock().now().nanoseconds
    assert len(reply.bodies.bodies) == served.host.model.nb


def test_a_payload_over_dds_changes_the_efforts_and_is_taken_off(served: Served) -> None:
    def effort() -> bytes:
        reply = served.graph.call(
            InverseDynamics,
            "/dynamics_server/inverse_dynamics",
            InverseDynamics.Request(position=Q),
        )
        return bytes(reply.effort.tobytes())

    bare = effort()
    load = Payload(frame_id="tool0", mass=2.0)
    assert served.graph.call(
        SetPayload, "/dynamics_server/set_payload", SetPayload.Request(payload=load)
    ).success
    assert effort() != bare
    assert served.graph.call(
        SetPayload, "/dynamics_server/set_payload", SetPayload.Request(payload=load, remove=True)
    ).success
    assert effort() == bare


def test_a_refused_request_says_why_and_carries_nothing(served: Served) -> None:
    request = MassMatrix.Request(names=["elbow"], position=[0.0])
    reply = served.graph.call(MassMatrix, "/dynamics_server/mass_matrix", request)
    assert not reply.success
    assert "no coordinate is called 'elbow'; available: elbow_joint" in reply.message
    assert reply.names == []
    assert list(reply.matrix) == []


def test_without_a_model_every_service_names_the_topic(served: Served) -> None:
    robot, served.host.robot = served.host.robot, None
    try:
        for name, kind in KINDS.items():
            reply = served.node.answer(name, kind.Request())
            assert not reply.success
            assert "no model yet" in reply.message
            assert "/somewhere/robot_description" in reply.message
    finally:
        served.host.robot = robot
    assert served.node.answer("model_report", ModelReport.Request()).success


def test_a_fault_of_ours_is_answered_too(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("line one\nline two")

    monkeypatch.setattr(served.host.robot, "mass_matrix", fail)
    request = MassMatrix.Request(position=Q)
    reply = served.graph.call(MassMatrix, "/dynamics_server/mass_matrix", request)
    assert not reply.success
    assert reply.message.startswith("a fault of the server, please report it: RuntimeError: line")
    assert "\n" not in reply.message
    monkeypatch.undo()
    assert served.graph.call(MassMatrix, "/dynamics_server/mass_matrix", request).success


def test_handlers_and_a_change_of_the_robot_do_not_mix(served: Served) -> None:
    """A request sees one robot from beginning to end, whatever is swapped meanwhile."""
    first, second = served.host.robot, Host(loaded(example("panda.urdf"))).robot
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            served.host.robot = second
            served.host.robot = first

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        answers = [
            served.node.answer("inverse_dynamics", InverseDynamics.Request(position=Q))
            for _ in range(100)
        ]
    finally:
        done.set()
        thread.join()
        served.host.robot = first
    for reply in answers:
        assert reply.success or "position has length 6, but there are 8" in reply.message
        assert len(reply.effort) == (6 if reply.success else 0)
