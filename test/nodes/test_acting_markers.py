"""What acts on a robot, on ~/visualization over DDS: of nodes with dynamics, and without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import SetPayload
from visualization_msgs.msg import Marker, MarkerArray

from dynamics_setup import DynamicsSetup
from marker_rules import Viewer, check_rules, decoded, xyz
from publisher_setup import Setup
from ros_graph import RELIABLE, Graph, joint_state, time_message

FOUR_BAR = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
NOT_LOOKED_AT = "not looked at"


class Screen:
    """What a viewer has on its screen of one node's markers."""

    def __init__(self, graph: Graph, node: str) -> None:
        self.graph = graph
        self.messages: list[bytes] = []
        self._viewer = Viewer()
        topic = f"{node}/visualization"
        self._subscription = graph.node.create_subscription(
            MarkerArray, topic, self._look, RELIABLE, raw=True
        )

    def _look(self, data: bytes) -> None:
        self.messages.append(data)
        self._viewer.take(data)

    def close(self) -> None:
        """Look no longer."""
        self.graph.node.destroy_subscription(self._subscription)

    def of(self, namespace: str) -> dict[int, Marker]:
        """Return the markers of a namespace by id."""
        return {k: m for (space, k), m in self._viewer.screen.items() if space == namespace}

    def keep_the_rules(self, frame: str) -> None:
        """Assert what holds for every message."""
        for data in self.messages:
            stamp = decoded(data)[0].header.stamp
            check_rules(data, frame, stamp.sec * 10**9 + stamp.nanosec, period=0.05)


class Watched(DynamicsSetup):
    """A robodyn_node whose markers are seen."""

    def __init__(self, graph: Graph, *path: Path, **parameters: Any) -> None:
        super().__init__(
            graph,
            *path,
            executable="robodyn_node",
            listen=False,
            visualization_rate=20.0,
            wrench_topics="push",
            **parameters,
        )
        self.push = graph.publisher(WrenchStamped, f"{self.place}/push")
        graph.connect(self.push)
        self.screen = Screen(graph, self.node)
        self.q = np.linspace(-0.4, 0.5, len(self.joints))

    def rests_until(self, condition: Any, what: str, effort: Any = (), **push: Any) -> None:
        """Send one state at rest again and again, with a push if given, until something holds."""
        position = dict(zip(self.joints, self.q.tolist(), strict=True))

        def done() -> bool:
            stamp = self.send(position, [0.0] * len(position), effort)
            if push:
                self.push.publish(wrench_stamped(stamp=stamp, **push))
            return self.graph.holds(condition, within=0.05)

        self.graph.wait(done, what)


def wrench_stamped(frame: str, force: float, stamp: float) -> WrenchStamped:
    """Return a force along the frame's x axis as a message."""
    message = WrenchStamped()
    message.header.frame_id, message.header.stamp = frame, time_message(stamp)
    message.wrench.force.x = force
    return message


@pytest.fixture(scope="module")
def arm() -> Iterator[Watched]:
    """A robodyn_node of the demo arm."""
    with closing(Graph()) as graph:
        yield Watched(graph)


def test_computed_and_measured_efforts_are_at_their_joints(arm: Watched) -> None:
    screen, n = arm.screen, len(arm.joints)
    arm.rests_until(lambda: screen.of("effort/model"), "computed efforts")
    assert not screen.of("effort/measured")
    effort = arm.robot.inverse_dynamics(arm.q, np.zeros(n), np.zeros(n))
    arm.rests_until(
        lambda: len(screen.of("effort/measured")) == len(screen.of("effort/model")) > 1,
        "measured efforts",
        effort.tolist(),
    )
    for number, m in screen.of("effort/model").items():
        measured = screen.of("effort/measured")[number]
        assert (m.color.r, m.color.g) == pytest.approx((measured.color.r, measured.color.g))
    screen.keep_the_rules(arm.robot.model.body_names[0])


def test_a_push_and_a_payload_are_shown_while_they_are_there(arm: Watched) -> None:
    screen, link = arm.screen, arm.robot.model.body_names[-1]
    arm.rests_until(lambda: screen.of("wrench/external"), "the push", frame=link, force=30.0)
    start, end = (xyz(point) for point in screen.of("wrench/external")[0].points)
    assert np.linalg.norm(end - start) == pytest.approx(0.005 * 30.0)
    arm.rests_until(lambda: not screen.of("wrench/external"), "its end")
    payload = Payload(name="box", frame_id=link, mass=2.0)
    service = f"{arm.node}/set_payload"
    assert arm.graph.call(SetPayload, service, SetPayload.Request(payload=payload)).success
    arm.rests_until(lambda: screen.of("wrench/payload"), "the payload")
    start, end = (xyz(point) for point in screen.of("wrench/payload")[0].points)
    assert end - start == pytest.approx(0.005 * 2.0 * np.array([0.0, 0.0, -9.81]))
    request = SetPayload.Request(payload=payload, remove=True)
    assert arm.graph.call(SetPayload, service, request).success
    arm.rests_until(lambda: not screen.of("wrench/payload"), "its end")
    screen.keep_the_rules(arm.robot.model.body_names[0])


def test_without_gravity_known_or_switched_on_there_is_nothing(arm: Watched) -> None:
    screen = arm.screen
    arm.rests_until(lambda: screen.of("effort/model"), "efforts")
    assert arm.graph.set_parameters(arm.node, visualization_efforts=False) == [(True, "")]
    arm.rests_until(lambda: not screen.of("effort/model"), "their end")
    assert arm.graph.set_parameters(arm.node, visualization_efforts=True) == [(True, "")]
    arm.rests_until(lambda: screen.of("effort/model"), "efforts again")


def test_nothing_is_computed_for_a_screen_that_is_gone(arm: Watched) -> None:
    arm.rests_until(lambda: arm.screen.of("effort/model"), "efforts")
    arm.graph.wait(lambda: NOT_LOOKED_AT not in arm.status("measured efforts").message, "a look")
    arm.screen.close()
    arm.rests_until(
        lambda: NOT_LOOKED_AT in arm.status("measured efforts").message, "the end of the look"
    )


def test_forces_of_a_closed_mechanism_are_at_its_loop(graph: Graph) -> None:
    bar = Watched(graph, FOUR_BAR)
    screen, robot = bar.screen, bar.robot
    motor = robot.independent_names[0]
    at = float(robot.initial_state[0][robot.model.own_joint(motor).q_index])

    def come() -> bool:
        bar.send({motor: at}, [0.0])
        return graph.holds(lambda: screen.of("wrench/constraint"), within=0.05)

    graph.wait(come, "the forces of the loop")
    q = robot.initial_state[0]
    tau = robot.inverse_dynamics(q, np.zeros(robot.model.nv), np.zeros(robot.model.nv))
    force = np.linalg.norm(robot.constraint_forces(q, tau=tau)[3:])
    start, end = (xyz(point) for point in screen.of("wrench/constraint")[0].points)
    assert np.linalg.norm(end - start) == pytest.approx(0.005 * force, rel=1e-6)
    ball = len(robot.model.closure.elements) * 3
    assert xyz(screen.of("constraints")[ball].pose.position) == pytest.approx(start)
    screen.keep_the_rules("base")


def test_a_state_publisher_shows_what_is_measured_and_what_pushes(graph: Graph) -> None:
    setup = Setup(graph, wrench_topics="push", visualization_rate=20.0)
    push = graph.publisher(WrenchStamped, f"{setup.place}/push")
    graph.connect(push)
    screen, link = Screen(graph, setup.node), setup.robot.model.body_names[-1]
    n, count = len(setup.joints), 0

    def come() -> bool:
        nonlocal count
        count += 1
        stamp = setup.time(0.01 * count)
        position, still, effort = [0.1] * n, [0.0] * n, [9.0] * n
        push.publish(wrench_stamped(link, 20.0, stamp))
        setup.input.publish(joint_state(setup.joints, position, still, stamp=stamp, effort=effort))
        return graph.holds(
            lambda: screen.of("effort/measured") and screen.of("wrench/external"), within=0.05
        )

    graph.wait(come, "efforts and the push")
    assert not screen.of("effort/model")
    assert not screen.of("wrench/constraint")
