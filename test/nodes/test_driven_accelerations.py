"""acceleration_source forward_dynamics over DDS: state_publisher, dynamics_server, robodyn_node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, Environment, Payload
from robodyn_interfaces.srv import SetPayload

from differentiation import error
from dynamics_setup import DynamicsSetup, column
from publisher_setup import Setup, xyz
from ros_graph import LATCHED, Graph, seconds

TOLERANCE = 1e-10  # norm-wise
EXACT = 1e-9


def accelerations(states: BodyStateArray) -> np.ndarray:
    """Return (nb, 6) [linear; angular] accelerations of the bodies."""
    rows = [[*xyz(x.acceleration.linear), *xyz(x.acceleration.angular)] for x in states.bodies]
    return np.array(rows)


def expected(setup: Any, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """Return what the library makes of a state and efforts."""
    a = setup.robot.forward_dynamics(q, v, tau, friction=True)
    motion = setup.robot.body_motion(q, v, a)
    return np.hstack([motion.linear_acceleration, motion.angular_acceleration])


class Publisher:
    """A state publisher with a state and efforts of its own."""

    def __init__(self, graph: Graph, **parameters: object) -> None:
        self.setup = Setup(graph, bodies=True, acceleration_source="forward_dynamics", **parameters)
        n = len(self.setup.joints)
        rng = np.random.default_rng(3)
        self.q, self.v = rng.uniform(-0.5, 0.5, (2, n))
        self.tau = np.linspace(-3.0, 4.0, n)
        self._at = 1.0

    def states(self) -> BodyStateArray:
        """Publish the state, as one that follows from those before, and return what comes."""
        setup = self.setup
        for _ in range(2):
            self._at = round(self._at + 1.0, 3)
            stamp = setup.time(self._at)
            sent = self.q.tolist(), self.v.tolist()
            setup.send(setup.joints, *sent, stamp=stamp, effort=self.tau.tolist())
        setup.graph.wait(lambda: setup.states_at(stamp), f"body states at {stamp}")
        return setup.states_at(stamp)[-1]

    def error(self) -> float:
        """Return how far accelerations are from those of the library."""
        found = accelerations(self.states())
        return error(found, expected(self.setup, self.q, self.v, self.tau))


def test_a_state_publisher_shows_what_efforts_cause(graph: Graph) -> None:
    publisher = Publisher(graph)
    setup, robot = publisher.setup, publisher.setup.robot
    assert publisher.error() <= TOLERANCE
    graph.wait(lambda: setup.values("accelerations").get("joints without") == "0", "the source")
    assert setup.values("accelerations")["source"] == "forward_dynamics"
    assert "forward dynamics" in setup.status("accelerations").message
    joint = setup.joints[1]
    changed = {"gravity": [0.0, 9.81, 0.0], f"joints.{joint}.damping": 2.0}
    assert all(done for done, _ in graph.set_parameters(setup.node, **changed))
    robot.gravity = (0.0, 9.81, 0.0)
    robot.set_joint_parameters(joint, damping=2.0)
    assert publisher.error() <= TOLERANCE
    gain = {f"joints.{joint}.effort_unit": "A", f"joints.{joint}.effort_gain": 0.5}
    assert all(done for done, _ in graph.set_parameters(setup.node, **gain))
    found = accelerations(publisher.states())
    tau = publisher.tau.copy()
    tau[1] *= 0.5
    assert error(found, expected(setup, publisher.q, publisher.v, tau)) <= TOLERANCE
    assert graph.set_parameters(setup.node, driver_compensates_gravity=True)[0][0]
    found = accelerations(publisher.states())
    tau = tau + robot.gravity_force(publisher.q)
    assert error(found, expected(setup, publisher.q, publisher.v, tau)) <= TOLERANCE


def test_what_is_not_known_is_told_and_the_node_lives(graph: Graph) -> None:
    publisher = Publisher(graph)
    setup = publisher.setup
    first, second = setup.joints[:2]
    publisher.tau[1] = np.nan
    publisher.states()
    assert graph.set_parameters(setup.node, **{f"joints.{first}.effort_unit": "unknown"})[0][0]

    def told(joint: str) -> str:
        publisher.states()
        return setup.values("accelerations").get(f"joint '{joint}'", "")

    graph.wait(lambda: "set joints" in told(first) and "not finite" in told(second), "the reasons")
    assert setup.status("accelerations").level == b"\x01"
    assert graph.set_parameters(setup.node, acceleration_source="none")[0][0]
    graph.wait(lambda: setup.values("accelerations").get("source") == "none", "the other source")
    assert np.isfinite(accelerations(publisher.states())).all()


def test_robodyn_node_has_motion_and_efforts_of_the_same_accelerations(graph: Graph) -> None:
    setup = DynamicsSetup(graph, executable="robodyn_node", acceleration_source="forward_dynamics")
    bodies = graph.listen(BodyStateArray, f"{setup.node}/body_states")
    n = len(setup.joints)
    q, tau = 0.3 * np.ones(n), np.linspace(-3.0, 4.0, n)
    graph.wait(lambda: setup.hold(q, tau.tolist()) and bool(bodies), "body states")
    frame = setup.robot.model.body_names[-1]
    payload = Payload(name="box", frame_id=frame, mass=2.0)
    request = SetPayload.Request(payload=payload)
    for loaded in (False, True):
        if loaded:
            assert graph.call(SetPayload, f"{setup.node}/set_payload", request).success
            setup.environment_where(lambda x: x.payloads)
            setup.robot.set_payload(frame, 2.0, name="box")
        message = setup.hold(q, tau.tolist())
        assert all(message.valid)
        a = setup.robot.forward_dynamics(q, np.zeros(n), tau, friction=True)
        assert error(column(message, "acceleration"), a) <= TOLERANCE
        assert error(column(message, "effort"), tau) <= TOLERANCE
        assert np.abs(column(message, "residual")).max() <= EXACT
        stamp = seconds(message.header.stamp)
        shown = lambda at=stamp: [m for m in bodies if seconds(m.header.stamp) == at]  # noqa: E731
        graph.wait(shown, "the body states")
        assert error(accelerations(shown()[-1]), expected(setup, q, np.zeros(n), tau)) <= TOLERANCE
    short = dict(zip(setup.joints, q.tolist(), strict=True))
    message = setup.answer(short, [0.0] * n, after=5.0)
    assert not any(message.valid)  # the efforts are old by now


def environment(setup: Setup, *loads: Payload, **more: Any) -> Environment:
    message = Environment(payloads=list(loads), **more)
    message.header.frame_id = setup.robot.model.body_names[0]
    if "gravity" not in more:
        message.gravity.z = -9.81
    return message


def test_the_environment_of_another_node_is_followed_by_who_comes_late(graph: Graph) -> None:
    topic = "/elsewhere/environment"
    publisher_of_environment = graph.publisher(Environment, topic, LATCHED)
    frame = "tool_center_point"
    probe = Payload(name="box", frame_id=frame, mass=2.0)
    probe.com.z = 0.1
    first = Environment(payloads=[probe])
    first.header.frame_id = "base_link"
    first.gravity.x = 4.0
    publisher_of_environment.publish(first)
    publisher = Publisher(graph, environment_topic=topic)
    setup, robot = publisher.setup, publisher.setup.robot
    assert robot.model.body_names[0] == "base_link"
    graph.wait(lambda: setup.values("environment").get("payloads") == "1", "the environment")
    robot.gravity = (4.0, 0.0, 0.0)
    robot.set_payload(frame, 2.0, (0.0, 0.0, 0.1), name="box")
    assert publisher.error() <= TOLERANCE

    refused = {
        "no_such_link": environment(setup, Payload(name="x", frame_id="no_such_link", mass=1.0)),
        "mass must be >= 0": environment(setup, Payload(name="x", frame_id=frame, mass=-1.0)),
        "finite": environment(setup, Payload(name="x", frame_id=frame, mass=float("nan"))),
        "two payloads": environment(setup, probe, probe),
    }
    other_world = environment(setup)
    other_world.header.frame_id = "map"
    refused["'map'"] = other_world
    endless = environment(setup)
    endless.gravity.y = float("inf")
    refused["gravity must be finite"] = endless
    for text, message in refused.items():
        publisher_of_environment.publish(message)
        graph.wait(lambda text=text: text in setup.status("environment").message, f"refusal {text}")
        status = setup.status("environment")
        assert "robot 'demo_arm'" in status.message
        assert "the one before holds on" in status.message
        assert publisher.error() <= TOLERANCE
    assert setup.lines("WARN.*is refused, the one before holds on")

    publisher_of_environment.publish(environment(setup, driver_compensates_gravity=True))
    graph.wait(lambda: setup.values("environment").get("payloads") == "0", "the last one")
    assert setup.status("environment").level == b"\x00"
    robot.clear_payload()
    robot.gravity = (0.0, 0.0, -9.81)
    found = accelerations(publisher.states())
    tau = publisher.tau + robot.gravity_force(publisher.q)
    assert error(found, expected(setup, publisher.q, publisher.v, tau)) <= TOLERANCE


def test_a_state_publisher_follows_a_dynamics_server(graph: Graph) -> None:
    server = DynamicsSetup(graph, listen=False, gravity=[1.0, 2.0, -9.0])
    publisher = Publisher(graph, environment_topic=f"{server.node}/environment")
    setup, robot = publisher.setup, publisher.setup.robot
    robot.gravity = (1.0, 2.0, -9.0)
    graph.wait(lambda: publisher.error() <= TOLERANCE, "the server's gravity")
    payload = Payload(name="box", frame_id="tool_center_point", mass=1.5)
    request = SetPayload.Request(payload=payload)
    assert graph.call(SetPayload, f"{server.node}/set_payload", request).success
    graph.wait(lambda: setup.values("environment").get("payloads") == "1", "the payload")
    robot.set_payload("tool_center_point", 1.5, name="box")
    assert publisher.error() <= TOLERANCE


def test_until_an_environment_comes_nothing_follows_from_efforts(graph: Graph) -> None:
    publisher = Publisher(graph, environment_topic="nobody/environment")
    setup = publisher.setup

    def why() -> str:
        publisher.states()
        return setup.values("accelerations").get(f"joint '{setup.joints[0]}'", "")

    topic = f"{setup.place}/nobody/environment"
    graph.wait(lambda: f"no environment known from {topic}: start" in why(), "the reason")
    assert setup.status("environment").message == f"no environment yet on {topic}"


def test_a_topic_that_is_none_ends_the_start_in_one_line(graph: Graph) -> None:
    options = {"environment_topic": "no topic!", "robot_description_file": "x.urdf"}
    process = graph.start("state_publisher", options)
    assert process.finish() == 1
    assert "environment_topic 'no topic!' is no name of a topic" in process.output


@pytest.mark.parametrize("name", ["body_states"])
def test_efforts_alone_bring_new_accelerations_and_no_transform(graph: Graph, name: str) -> None:
    publisher = Publisher(graph)
    setup = publisher.setup
    before = accelerations(publisher.states())
    setup.tf.clear()
    stamp = round(seconds(setup.bodies[-1].header.stamp) + 0.1, 3)
    tau = publisher.tau + 5.0
    setup.send(setup.joints, stamp=stamp, effort=tau.tolist())
    graph.wait(lambda: setup.states_at(stamp), name)
    after = setup.states_at(stamp)[-1]
    found = accelerations(after)
    assert error(found, before) > 0.1
    assert error(found, expected(setup, publisher.q, publisher.v, tau)) <= TOLERANCE
    assert after.bodies[-1].valid
    assert after.bodies[-1].age == pytest.approx(0.1, abs=1e-6)
    assert not setup.tf
