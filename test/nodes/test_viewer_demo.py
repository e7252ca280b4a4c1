"""viewer with robodyn_node and the demo source, all in processes of their own."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from robodyn_interfaces.msg import Environment
from sensor_msgs.msg import JointState

from page_client import PageClient
from publisher_setup import ARM
from ros_graph import LATCHED, Graph, Inbox
from viewer_rig import ViewerRig, start_robot

HEAVY = ("body_states", "joint_dynamics", "marker_states")


class Shown:
    """The arm, played by the demo source, on a viewer's page."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = start_robot(graph, "joint_trajectory_demo")
        self.viewer = ViewerRig(graph)
        self.viewer.process.wait_for("robot 'demo_arm' is on the page")
        self.states: Inbox = graph.listen(JointState, "/joint_states")

    def position(self, name: str) -> float:
        """Return where a coordinate was last."""
        message = self.states[-1]
        return float(message.position[list(message.name).index(name)])


@pytest.fixture(scope="module")
def shown() -> Iterator[Shown]:
    """One set of nodes for all tests of the file."""
    with closing(Graph()) as graph:
        yield Shown(graph)


@pytest.fixture
def page(shown: Shown) -> Iterator[PageClient]:
    """A page of its own."""
    with shown.viewer.open() as opened:
        opened.wait(lambda: "the demo source" in opened.text, "the demo source to be seen")
        yield opened


def listeners(graph: Graph, topic: str) -> int:
    """Return how many subscribe to one of robodyn_node's topics."""
    return int(graph.node.count_subscribers(f"/robodyn_node/{topic}"))


def test_the_status_names_robot_source_and_rate(shown: Shown, page: PageClient) -> None:
    page.wait(
        lambda: "demo_arm" in page.text and re.search(r"states: +\d+ Hz", page.text),
        "name and rate",
    )
    page.wait(lambda: "diagnostics" in page.text, "the diagnostics")
    assert "wall time" in page.text


def test_links_move_on_the_page(page: PageClient) -> None:
    first = dict(page.positions)
    page.wait(lambda: page.positions and page.positions != first, "moving links")


def test_sliders_follow_the_joints(shown: Shown, page: PageClient) -> None:
    slider = page.get("joint2 [rad]")
    seen = {slider.value}
    page.wait(lambda: seen.add(slider.value) or len(seen) > 5, "a slider that follows")
    shown.graph.wait(lambda: shown.states, "joint states")

    def agrees() -> bool:
        shown.graph.spin(0.02)
        return abs(slider.value - shown.position("joint2")) < 0.3

    page.wait(agrees, "a slider where the joint is")


def test_a_slider_moves_its_joint_and_stays(shown: Shown, page: PageClient) -> None:
    page.wait(lambda: not page.get("joint1 [rad]").props["disabled"], "sliders that move")
    page.set("joint1 [rad]", 1.25)
    shown.graph.wait(lambda: abs(shown.position("joint1") - 1.25) < 1e-6, "joint 1 at 1.25 rad")
    with shown.viewer.open() as other:
        slider = other.get("joint1 [rad]")
        other.wait(lambda: abs(slider.value - 1.25) < 0.01, "the other page's slider")
    page.click("Release")
    shown.graph.wait(lambda: abs(shown.position("joint1") - 1.25) > 1e-3, "joint 1 to play again")


def test_pause_and_run(shown: Shown, page: PageClient) -> None:
    if page.find("Pause"):
        page.click("Pause")
    page.get("Run")
    shown.graph.wait(lambda: shown.states, "joint states")

    def stands_still() -> bool:
        first, count = shown.position("joint2"), len(shown.states)
        shown.graph.wait(lambda: len(shown.states) > count + 20, "more joint states")
        return shown.position("joint2") == first

    shown.graph.wait(stands_still, "the motion to stop")
    page.click("Run")
    page.get("Pause")
    shown.graph.wait(lambda: not stands_still(), "the motion to go on")


def test_what_only_a_simulator_does_is_grey(page: PageClient) -> None:
    page.wait(lambda: not page.get("Release").props["disabled"], "Release to be offered")
    for label in ("Step", "Reset", "Push", "also in the simulation", "speed"):
        assert page.get(label).props["disabled"], label
    for label in ("Pause", "Attach", "gravity"):
        assert not page.get(label).props["disabled"], label


def test_a_payload_changes_the_environment_and_the_plotted_effort(
    shown: Shown, page: PageClient
) -> None:
    told = shown.graph.listen(Environment, "/robodyn_node/environment", LATCHED)
    plot = page.get("effort [N m, N]")
    page.set("coordinate", "joint2")
    page.set("link", "tool_center_point", "Payload")
    page.set("mass [kg]", 2.5)
    page.set("centre [m]", (0.0, 0.0, 0.1))
    page.click("Attach")
    shown.graph.wait(lambda: told and told[-1].payloads, "the payload")
    (payload,) = told[-1].payloads
    assert (payload.frame_id, payload.mass, payload.com.z) == ("tool_center_point", 2.5, 0.1)
    page.wait(lambda: "2.5 kg at tool_center_point" in page.text, "the payload in the status")
    carried = plot.props["series"].index(
        next(x for x in plot.props["series"] if x["label"] == "payload")
    )
    page.wait(lambda: abs(plot.props["data"][carried][-1]) > 0.1, "the payload in the plot")
    page.click("Remove")
    shown.graph.wait(lambda: not told[-1].payloads, "the payload's end")


def test_gravity_is_switched_off_and_on(shown: Shown, page: PageClient) -> None:
    told = shown.graph.listen(Environment, "/robodyn_node/environment", LATCHED)
    page.wait(lambda: not page.get("gravity").props["disabled"], "gravity to be offered")
    page.set("gravity", False)
    shown.graph.wait(lambda: told and told[-1].gravity.z == 0.0, "no gravity")
    page.set("gravity", True)
    shown.graph.wait(lambda: told[-1].gravity.z == -9.81, "gravity")
    page.set("m/s^2", (0.0, 1.0, -1.62))
    shown.graph.wait(lambda: told[-1].gravity.y == 1.0, "gravity of another kind")
    page.set("m/s^2", (0.0, 0.0, -9.81))
    shown.graph.wait(lambda: told[-1].gravity.z == -9.81, "gravity")


def test_what_a_service_refuses_is_told_with_the_reason(shown: Shown, page: PageClient) -> None:
    page.set("m/s^2", (0.0, 0.0, 1e9))
    page.wait(lambda: "not done" in page.text and "between -1000 and 1000" in page.text, "reason")


def test_nothing_heavy_is_subscribed_while_nobody_looks(shown: Shown) -> None:
    with shown.viewer.open() as page:
        shown.graph.wait(lambda: listeners(shown.graph, "body_states") == 1, "a subscriber")
        shown.graph.wait(lambda: listeners(shown.graph, "joint_dynamics") == 1, "a subscriber")
        page.get("joint1 [rad]")
    for topic in HEAVY:
        shown.graph.wait(lambda topic=topic: not listeners(shown.graph, topic), f"no {topic}")
    with shown.viewer.open() as page:
        first = dict(page.positions)
        page.wait(lambda: page.positions and page.positions != first, "links that move again")


def test_a_node_that_ends_is_told_and_found_again(shown: Shown, page: PageClient) -> None:
    server = shown.nodes["robodyn_node"]
    page.wait(lambda: re.search(r"states: +\d+ Hz", page.text), "states")
    assert server.stop(signal.SIGTERM) == 0
    page.wait(lambda: "nobody publishes /robodyn_node/body_states" in page.text, "its end")
    shown.nodes["robodyn_node"] = shown.graph.start("robodyn_node", {"robot_description_file": ARM})
    page.wait(lambda: re.search(r"states: +\d+ Hz", page.text), "states again")


def test_it_ends_quietly_with_a_page_open(graph: Graph) -> None:
    viewer = ViewerRig(graph, "-r", "__ns:=/alone")
    with viewer.open() as page:
        waiting = "waiting for a description on /alone/robot_description"
        page.wait(lambda: waiting in page.text, "what it waits for")
        assert viewer.process.stop(signal.SIGTERM) == 0
    assert not viewer.process.lines("Traceback|Error")
