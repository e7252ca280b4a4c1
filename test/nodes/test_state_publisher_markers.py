"""state_publisher in a process of its own: ~/visualization as a viewer sees it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from visualization_msgs.msg import Marker, MarkerArray

from marker_rules import Viewer, check_rules, decoded
from publisher_setup import Setup
from robodyn_ros.ros.markers.settings import NAMESPACES
from ros_graph import RELIABLE, Graph, joint_state

ARROWS = {"velocity/linear", "velocity/angular", "acceleration/linear", "acceleration/angular"}
MINI = (
    '<robot name="mini"><link name="base"/><link name="arm"><inertial><mass value="1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
    '<joint name="joint1" type="continuous"><parent link="base"/><child link="arm"/></joint>'
    "</robot>"
)


class Watched(Setup):
    """A running state publisher whose markers are watched."""

    def __init__(self, graph: Graph, **parameters: object) -> None:
        self.markers: list[bytes] = []
        self._viewer = Viewer()
        super().__init__(graph, visualization_rate=10, visualization_trail_length=5, **parameters)
        topic = f"{self.node}/visualization"
        graph.node.create_subscription(MarkerArray, topic, self._look, RELIABLE, raw=True)

    def _look(self, data: bytes) -> None:
        self.markers.append(data)
        self._viewer.take(data)

    def seen(self) -> dict[tuple[str, int], Marker]:
        """Return what is on the screen after all messages so far."""
        return self._viewer.screen

    def kinds(self) -> set[str]:
        """Return the namespaces on the screen."""
        return {namespace for namespace, _ in self.seen()}


@pytest.fixture(scope="module")
def running() -> Iterator[Watched]:
    """One state publisher for all tests that need no other."""
    with closing(Graph()) as graph:
        yield Watched(graph, frame_prefix="r1/", stale_after=0.0)


@pytest.fixture
def arm(running: Watched) -> Watched:
    """The running state publisher, in a time of the test's own."""
    running.fresh()
    running.markers.clear()
    return running


def move(arm: Watched, speed: float, at: float) -> None:
    count = len(arm.joints)
    arm.show(arm.joints, [0.01] * count, [speed] * count, stamp=arm.time(at))


def test_every_message_keeps_the_rules_and_the_prefix(arm: Watched) -> None:
    for k in range(10):
        move(arm, 0.5, 0.1 * k)
        arm.graph.wait(lambda: len(arm.markers) > k, "markers")  # noqa: B023 - called at once
    for message in arm.markers:
        stamp = decoded(message)[0].header.stamp
        check_rules(
            message,
            "r1/" + arm.robot.model.body_names[0],
            stamp.sec * 10**9 + stamp.nanosec,
            period=0.1,
        )
    arm.graph.wait(lambda: arm.kinds() >= set(NAMESPACES.values()) - {"trails"}, "every kind")


def test_what_stands_still_has_no_arrow_and_loses_the_one_it_had(arm: Watched) -> None:
    assert arm.graph.set_parameters(arm.node, acceleration_source="none") == [(True, "")]
    move(arm, 0.5, 0.0)
    arm.graph.wait(lambda: {"velocity/linear", "velocity/angular"} <= arm.kinds(), "arrows")
    move(arm, 0.0, 0.01)
    arm.graph.wait(lambda: not ARROWS & arm.kinds(), "their end")
    last = decoded(arm.markers[-1])
    assert all(m.action == Marker.DELETE for m in last if m.ns in ARROWS)
    assert any(m.ns in ARROWS for m in last)
    assert arm.graph.set_parameters(arm.node, acceleration_source="filtered") == [(True, "")]


@pytest.mark.parametrize("kind", ["frames", "inertia", "joint_axes", "linear_velocity"])
def test_a_kind_that_is_switched_off_goes_and_comes_again(arm: Watched, kind: str) -> None:
    move(arm, 0.5, 0.0)
    arm.graph.wait(lambda: NAMESPACES[kind] in arm.kinds(), kind)
    switch = f"visualization_{kind}"
    assert arm.graph.set_parameters(arm.node, **{switch: False}) == [(True, "")]
    arm.graph.wait(lambda: arm.markers and NAMESPACES[kind] not in arm.kinds(), f"no {kind}")
    assert arm.graph.set_parameters(arm.node, **{switch: True}) == [(True, "")]
    arm.graph.wait(lambda: NAMESPACES[kind] in arm.kinds(), f"{kind} again")


def test_a_rate_of_zero_clears_the_screen(arm: Watched) -> None:
    move(arm, 0.5, 0.0)
    arm.graph.wait(lambda: bool(arm.seen()), "markers")
    assert arm.graph.set_parameters(arm.node, visualization_rate=0) == [(True, "")]
    arm.graph.wait(lambda: not arm.seen(), "an empty screen")
    (eraser,) = decoded(arm.markers[-1])
    assert eraser.action == Marker.DELETEALL
    assert eraser.header.frame_id == "r1/" + arm.robot.model.body_names[0]
    assert arm.graph.set_parameters(arm.node, visualization_rate=10) == [(True, "")]
    arm.graph.wait(lambda: bool(arm.seen()), "markers again")


def test_another_description_deletes_the_markers_of_bodies_that_are_gone(graph: Graph) -> None:
    arm = Watched(graph)
    move(arm, 0.5, 0.0)
    arm.graph.wait(lambda: len({body for _, body in arm.seen()}) > 2, "markers")
    assert graph.set_parameters(arm.node, robot_description=MINI) == [(True, "")]

    def only_two_bodies() -> bool:
        stamp = arm.time(1) + 1e-3 * len(arm.markers)
        arm.input.publish(joint_state(["joint1"], [0.01], [0.5], stamp=stamp))
        return bool({body for _, body in arm.seen()} == {0, 1})

    graph.wait(only_two_bodies, "two bodies")
    firsts = [decoded(message)[0] for message in arm.markers]
    eraser = [first for first in firsts if first.action == Marker.DELETEALL][-1]
    assert eraser.header.frame_id == "base"
    assert {m.header.frame_id for m in decoded(arm.markers[-1])} == {"base"}
