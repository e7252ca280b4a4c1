"""The services of the real executables: live state, payloads, parameters, a late description."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from robodyn_interfaces.msg import Payload
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from checked_answers import Answers
from differentiation import error
from dynamics_requests import wrench
from dynamics_rig import KINDS, Host
from dynamics_setup import DynamicsSetup
from fuzzed_requests import Fate, Fuzzer
from node_process import DEADLINE
from publisher_setup import ARM
from robodyn_ros import load
from robodyn_ros.ros.client import DynamicsClient
from robots import loaded
from ros_graph import LATCHED, Graph, joint_state, time_message

ROUNDING = 1e-9
LIVE = 1
FUZZED = 300


@pytest.fixture(scope="module", params=["dynamics_server", "robodyn_node"])
def running(request: pytest.FixtureRequest) -> Iterator[DynamicsSetup]:
    """Both executables with the demo arm, for the tests that leave them as they were."""
    with closing(Graph()) as graph:
        yield DynamicsSetup(
            graph, executable=request.param, listen=False, frame_prefix="r1/", stale_after=5.0
        )


def ask(setup: DynamicsSetup, service: str, **fields: Any) -> Any:
    """Return the reply of a service."""
    request = KINDS[service].Request(**fields)
    return setup.graph.call(KINDS[service], f"{setup.node}/{service}", request)


def measured(setup: DynamicsSetup, joints: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Move some joints and return q and v as they are known then."""
    model = setup.robot.model
    q, v = setup.robot.neutral(), np.zeros(model.nv)
    for k, name in enumerate(joints):
        joint = model.own_joint(name)
        q[joint.q_index], v[joint.v_index] = 0.1 * k - 0.3, 0.2 * k
    sent = {name: float(q[model.own_joint(name).q_index]) for name in joints}
    rates = [float(v[model.own_joint(name).v_index]) for name in joints]
    for _ in range(3):
        setup.send(sent, rates)
    return q, v


def live_reply(setup: DynamicsSetup, success: bool, **fields: Any) -> Any:
    """Ask until the state that was sent has come in, which is seen by what is answered."""
    replies: list[Any] = []

    def come() -> bool:
        replies.append(ask(setup, "inverse_dynamics", rest=LIVE, **fields))
        return replies[-1].success is success

    setup.graph.wait(come, f"a reply with success {success}")
    return replies[-1]


def test_the_others_take_what_was_measured(running: DynamicsSetup) -> None:
    model = running.robot.model
    q, v = measured(running, running.joints)
    first, last = model.coordinate_names[0], model.coordinate_names[-1]
    fields = {"names": [last, first], "position": [0.01, 0.4], "velocity": [0.1, 0.5]}
    live_reply(running, True, **fields)
    q[0], q[-1], v[0], v[-1] = 0.4, 0.01, 0.5, 0.1
    expected = running.robot.inverse_dynamics(q, v)[[-1, 0]]

    def right() -> bool:
        reply = ask(running, "inverse_dynamics", rest=LIVE, **fields)
        return reply.success and error(reply.effort, expected) < ROUNDING

    running.graph.wait(right, "efforts of the state that was sent")


def test_wrenches_frames_and_bodies_know_the_prefix(running: DynamicsSetup) -> None:
    nv = running.robot.model.nv
    pull = wrench("r1/tool_center_point", force=(0, 0, -10))
    reply = ask(running, "inverse_dynamics", position=[0.1] * nv, external_wrenches=[pull])
    assert reply.success
    expected = running.robot.inverse_dynamics(
        np.full(nv, 0.1),
        external_wrenches={"tool_center_point": [0, 0, 0, 0, 0, -10]},
        wrench_axes="local",
    )
    assert error(reply.effort, expected) < ROUNDING
    bodies = ask(running, "body_motion", position=[0.1] * nv).bodies
    assert bodies.header.frame_id == "r1/base_link"
    assert bodies.bodies[0].name == "base_link"


def test_a_payload_is_announced_and_taken_off_without_a_trace(running: DynamicsSetup) -> None:
    nv = running.robot.model.nv

    def efforts() -> bytes:
        return bytes(ask(running, "inverse_dynamics", position=[0.3] * nv).effort.tobytes())

    bare = efforts()
    load = Payload(frame_id="r1/gripper_link", mass=1.5)
    assert ask(running, "set_payload", payload=load).success
    running.environment_where(lambda x: [p.frame_id for p in x.payloads] == ["gripper_link"])
    assert efforts() != bare
    assert ask(running, "set_payload", payload=load, remove=True).success
    running.environment_where(lambda x: not x.payloads)
    assert efforts() == bare


def test_a_driver_that_compensates_gravity(running: DynamicsSetup) -> None:
    nv = running.robot.model.nv
    running.graph.set_parameters(running.node, driver_compensates_gravity=True)
    try:
        reply = ask(running, "inverse_dynamics", position=[0.3] * nv)
        assert error(reply.effort, np.zeros(nv)) < ROUNDING
        assert error(reply.gravity, running.robot.gravity_force(np.full(nv, 0.3))) < ROUNDING
    finally:
        running.graph.set_parameters(running.node, driver_compensates_gravity=False)


def test_fuzzed_requests_to_the_process(running: DynamicsSetup) -> None:
    host = Host(loaded(ARM))
    fuzzer = Fuzzer(host.model, seed=7)
    clients = {
        name: running.graph.node.create_client(kind, f"{running.node}/{name}")
        for name, kind in KINDS.items()
    }
    for name, client in clients.items():
        running.graph.wait(client.service_is_ready, f"service {name}")
    for _ in range(FUZZED):
        service, request, fate = fuzzer.next()
        if service == "set_payload" or getattr(request, "rest", 0) == LIVE:
            continue  # what they do depends on the node, not on the request alone
        future = clients[service].call_async(request)
        running.graph.wait(future.done, f"the reply of {service}")
        reply = future.result()
        assert not reply.message.startswith("a fault"), reply.message
        assert reply.success is not (fate is Fate.REFUSED) or fate is Fate.EITHER, request
        if reply.success:
            Answers(host).require_right(service, request, reply)
    assert running.process.process.poll() is None
    assert "Traceback" not in running.process.output


def test_joints_that_do_not_come_are_named() -> None:
    graph = Graph()
    try:
        setup = DynamicsSetup(graph, listen=False)
        *some, missing = setup.joints
        measured(setup, some)
        first = setup.joints[0]
        wanted = f"REST_LIVE needs the measured state of joint {missing!r}"

        def named() -> bool:
            fields = {"names": [first], "position": [0.0]}
            reply = ask(setup, "inverse_dynamics", rest=LIVE, **fields)
            return not reply.success and wanted in reply.message

        graph.wait(named, f"joint {missing!r} to be named alone")
        with_it = [first, missing]
        assert live_reply(setup, True, names=with_it, position=[0.0, 0.0]).success
        assert setup.process.stop(signal.SIGTERM) == 0
    finally:
        graph.close()


@pytest.mark.parametrize("base", ["floating", "prescribed"])
def test_a_base_is_where_odometry_has_it(base: str) -> None:
    """Turned onto its side: the arm's efforts are those of a wall mount."""
    graph = Graph()
    try:
        setup = DynamicsSetup(graph, listen=False, base=base, base_input="odometry")
        odometry = graph.publisher(Odometry, f"{setup.place}/odom")
        graph.connect(odometry)
        joints = [n for n in setup.robot.model.coordinate_names if "/" not in n]
        one, others = joints[0], joints[1:]
        still = [0.0] * len(others)
        half = float(np.sqrt(0.5))
        wall = load(ARM, compile="off")
        wall.gravity = (0.0, -9.81, 0.0)  # seen from the base, which is rolled by a right angle
        expected = wall.gravity_force(np.full(wall.model.nv, 0.2))[0]

        def right() -> bool:
            message = Odometry()
            message.header.frame_id, message.child_frame_id = "world", "base_link"
            message.header.stamp = time_message(setup.send(dict.fromkeys(others, 0.2), still))
            turn = message.pose.pose.orientation
            turn.x, turn.w = half, half
            odometry.publish(message)
            reply = ask(setup, "inverse_dynamics", names=[one], position=[0.2], rest=LIVE)
            return reply.success and abs(reply.effort[0] - expected) < 1e-6

        graph.wait(right, "the effort of a robot on its side")
    finally:
        graph.close()


def test_before_and_after_the_description_comes() -> None:
    graph = Graph()
    try:
        process = graph.start("dynamics_server", None, "-r", "__ns:=/late")
        for name, kind in KINDS.items():
            reply = graph.call(kind, f"/late/dynamics_server/{name}", kind.Request())
            assert not reply.success
            assert "no model yet" in reply.message, name
            assert "/late/robot_description" in reply.message, name
        publisher = graph.publisher(String, "/late/robot_description", LATCHED)
        publisher.publish(String(data=ARM.read_text()))

        def answered() -> bool:
            kind = KINDS["model_report"]
            return bool(
                graph.call(kind, "/late/dynamics_server/model_report", kind.Request()).success
            )

        graph.wait(answered, "an answer after the description")
        assert process.stop() == 0
    finally:
        graph.close()


def test_a_client_is_served_through_a_flood_of_joint_states() -> None:
    """Answers keep coming, and are right, while states come without a pause."""
    graph = Graph()
    try:
        setup = DynamicsSetup(graph, listen=False, executable="robodyn_node")
        names = setup.joints
        publisher = graph.publisher(JointState, f"{setup.place}/joint_states")
        graph.connect(publisher)
        expected = setup.robot.gravity_force(np.full(setup.robot.model.nv, 0.2))
        with DynamicsClient(graph.node, setup.node, timeout=DEADLINE) as client:
            for k in range(200):
                for j in range(5):
                    stamp = 5000.0 + 0.01 * k + 0.002 * j
                    publisher.publish(joint_state(names, [0.1] * len(names), stamp=stamp))
                efforts = client.inverse_dynamics([0.2] * setup.robot.model.nv)
                assert error(efforts.effort, expected) < ROUNDING
        assert setup.process.stop() == 0
    finally:
        graph.close()
