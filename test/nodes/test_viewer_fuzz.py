"""viewer and messages that no sane node would send: it leaves out what does not fit, and lives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import (
    BodyState,
    BodyStateArray,
    Environment,
    JointDynamics,
    MarkerStateArray,
    Payload,
    SimulatorStatus,
)
from sensor_msgs.msg import JointState

from publisher_setup import ARM
from ros_graph import LATCHED, Graph
from viewer_rig import ViewerRig

LAB = ("-r", "__ns:=/lab")
NUMBERS = (0.0, -0.0, 1.0, -2.5, 1e-300, 1e9, -1e300, float("nan"), float("inf"), float("-inf"))
NAMES = ("joint1", "joint2", "base_link", "tool_center_point", "", "x" * 300, "<b>&", "a\nb", "é")
TOPICS: dict[str, type] = {
    "robodyn_node/body_states": BodyStateArray,
    "robodyn_node/marker_states": MarkerStateArray,
    "robodyn_node/joint_dynamics": JointDynamics,
    "robodyn_node/environment": Environment,
    "simulator/status": SimulatorStatus,
    "simulator/external_wrenches": WrenchStamped,
    "joint_states": JointState,
}
ROUNDS = 60


def filled(message: Any, dice: random.Random, depth: int = 0) -> Any:
    """Fill a message, and those in it, with odd values; lists have odd lengths."""
    for name, kind in message.get_fields_and_field_types().items():
        setattr(message, name, value_of(kind, dice, depth))
    return message


def value_of(kind: str, dice: random.Random, depth: int) -> Any:
    """Return an odd value of a field's type."""
    if kind.startswith("sequence<"):
        inner = kind[len("sequence<") : -1]
        return [value_of(inner, dice, depth + 1) for _ in range(dice.choice((0, 1, 2, 7)))]
    plain: dict[str, Callable[[], Any]] = {
        "double": lambda: dice.choice(NUMBERS),
        "string": lambda: dice.choice(NAMES),
        "boolean": lambda: dice.random() < 0.5,
        "uint8": lambda: dice.randrange(256),
        "int32": lambda: dice.randrange(-(2**31), 2**31),
        "uint32": lambda: dice.randrange(2**32),
    }
    if kind in plain:
        return plain[kind]()
    return filled(_class(kind)(), dice, depth)


def _class(kind: str) -> type:
    package, name = kind.split("/")
    module = __import__(f"{package}.msg", fromlist=[name])
    return getattr(module, name)  # type: ignore[no-any-return]


def test_it_lives_through_what_nobody_would_send(graph: Graph) -> None:
    dice = random.Random(7)
    publishers = {topic: graph.publisher(kind, f"/lab/{topic}") for topic, kind in TOPICS.items()}
    viewer = ViewerRig(graph, *LAB, robot_description_file=ARM)
    with viewer.open() as page:
        slider = page.get("joint1 [rad]")
        for topic in ("robodyn_node/body_states", "joint_states"):
            graph.connect(publishers[topic])
        for _ in range(ROUNDS):
            for topic, kind in TOPICS.items():
                publishers[topic].publish(filled(kind(), dice))
            graph.spin(0.02)
        publishers["joint_states"].publish(JointState(name=["joint1"], position=[0.5]))
        page.wait(lambda: abs(slider.value - 0.5) < 0.01, "the slider at a sane position")
        page.wait(lambda: page.text, "the page")
    assert not viewer.process.lines("Traceback|a callback failed")
    assert viewer.process.stop() == 0


def test_numbers_that_are_none_leave_links_where_they_are(graph: Graph) -> None:
    states = graph.publisher(BodyStateArray, "/lab/robodyn_node/body_states")
    viewer = ViewerRig(graph, *LAB, robot_description_file=ARM)

    def send(position: float, name: str = "tool_center_point") -> None:
        body = BodyState(name=name, valid=True)
        body.pose.position.x = position
        body.pose.orientation.w = 1.0
        states.publish(BodyStateArray(bodies=[body]))

    def moved(place: float) -> bool:
        return any(np.isclose(x[0], place) for x in list(page.positions.values()))

    with viewer.open() as page:
        page.get("joint1 [rad]")
        graph.connect(states)
        send(0.625)
        page.wait(lambda: moved(0.625), "the link")
        for odd in (float("nan"), float("inf"), 1e300):
            send(odd)
        send(0.9, name="nobody")
        send(0.75)
        page.wait(lambda: moved(0.75), "the link again")
        for x in page.positions.values():
            assert np.isfinite(x).all()
    assert not viewer.process.lines("Traceback|a callback failed")


def test_only_diagnostics_of_the_robots_nodes_are_told(graph: Graph) -> None:
    reports = graph.publisher(DiagnosticArray, "/diagnostics")
    viewer = ViewerRig(graph, *LAB, robot_description_file=ARM)
    with viewer.open() as page:
        graph.connect(reports)

        def told() -> bool:
            names = ("lab/robodyn_node: joints", "other: fire", "lab/robodyn_nodes: x")
            levels = (DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.ERROR)
            status = [
                DiagnosticStatus(name=name, level=level, message="one is stuck")
                for name, level in zip(names, levels, strict=True)
            ]
            reports.publish(DiagnosticArray(status=status))
            return "warning: lab/robodyn_node: joints: one is stuck" in page.text

        page.wait(told, "the warning")
        assert "fire" not in page.text


def test_a_payload_on_a_link_that_the_robot_lacks_is_told(graph: Graph) -> None:
    environment = graph.publisher(Environment, "/lab/robodyn_node/environment", LATCHED)
    viewer = ViewerRig(graph, *LAB, robot_description_file=ARM)
    with viewer.open() as page:
        page.get("joint1 [rad]")
        told = Environment(payloads=[Payload(name="tool", frame_id="no_link", mass=1.0)])

        def said() -> bool:
            environment.publish(told)
            return "environment:" in page.text and "no_link" in page.text

        page.wait(said, "what does not fit")
    assert not viewer.process.lines("Traceback|a callback failed")
