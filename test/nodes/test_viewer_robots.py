"""viewer with several robots, with a command topic, and with descriptions that change."""

from __future__ import annotations

import pytest
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from page_client import PageClient
from publisher_setup import ARM
from ros_graph import LATCHED, Graph
from viewer_rig import ViewerRig

STICK = """<robot name="stick"><link name="base"/><link name="arm"/>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


def shows(page: PageClient, name: str) -> bool:
    """Return whether a robot has nodes on a page."""
    return any(path.startswith(f"/{name}/") for path in list(page.positions))


def test_robots_of_two_namespaces_are_moved_apart(graph: Graph) -> None:
    moved = {}
    for name in ("left", "right"):
        more = ("-r", f"__ns:=/{name}")
        graph.start("robodyn_node", {"robot_description_file": ARM}, *more)
        graph.start("joint_trajectory_demo", {"rate": 20.0}, *more)
        topic = f"/{name}/joint_trajectory_demo/position_command"
        moved[name] = graph.listen(JointState, topic)
    viewer = ViewerRig(graph, robots="left, right")
    for process in graph.processes:
        process.wait_for("robot 'demo_arm'")
    with viewer.open() as page:
        for name in ("left", "right"):
            slider = page.get("joint1 [rad]", name)
            page.wait(lambda slider=slider: not slider.props["disabled"], f"the slider of {name}")
            page.wait(lambda name=name: shows(page, name), f"links of {name}")
        page.set("joint1 [rad]", 0.75, "right")
        graph.wait(lambda: moved["right"], "the command")
        graph.spin(0.3)
    assert list(moved["right"][-1].name) == ["joint1"]
    assert moved["right"][-1].position.tolist() == [0.75]
    assert not moved["left"]


class Lab:
    """A graph in which the stick is described, at a place of its own."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._publisher = graph.publisher(String, "/lab/robot_description", LATCHED)
        self.describe(STICK)

    def describe(self, text: str) -> None:
        """Publish a description."""
        self._publisher.publish(String(data=text))


@pytest.fixture
def lab(graph: Graph) -> Lab:
    """The stick, lab.graph."""
    return Lab(graph)


LAB = ("-r", "__ns:=/lab")


def test_without_anybody_to_follow_sliders_only_show(lab: Lab) -> None:
    states = lab.graph.publisher(JointState, "/lab/joint_states")
    heard = lab.graph.listen(JointState, "/lab/arm/command")
    viewer = ViewerRig(lab.graph, *LAB)
    with viewer.open() as page:
        slider = page.get("hinge [rad]")
        lab.graph.connect(states)
        states.publish(JointState(name=["hinge"], position=[0.5]))
        page.wait(lambda: slider.value == 0.5, "the slider to follow")
        page.wait(lambda: "sliders only show" in page.text, "that it is told")
        assert slider.props["disabled"]
        page.set("hinge [rad]", -0.5)
        lab.graph.spin(0.5)
    assert not heard


def test_a_command_topic_that_is_allowed_takes_positions(lab: Lab) -> None:
    heard = lab.graph.listen(JointState, "/lab/arm/command")
    viewer = ViewerRig(lab.graph, *LAB, allow_commands=True, command_topic="arm/command")
    with viewer.open() as page:
        page.wait(lambda: "It may be a real robot" in page.text, "the warning")
        assert "/lab/arm/command" in page.text
        page.wait(lambda: not page.get("hinge [rad]").props["disabled"], "the slider")
        page.set("hinge [rad]", 0.25)
        lab.graph.wait(lambda: heard, "the command")
        page.set("hinge [rad]", 1e6)
        lab.graph.wait(lambda: len(heard) > 1, "the command")
    assert [(list(x.name), x.position.tolist()) for x in heard] == [
        (["hinge"], [0.25]),
        (["hinge"], [1.0]),
    ]


def test_a_bad_description_is_told_and_another_one_shown(lab: Lab) -> None:
    viewer = ViewerRig(lab.graph, *LAB)
    viewer.process.wait_for("robot 'stick' is on the page")
    with viewer.open() as page:
        page.get("hinge [rad]")
        for bad in ("<robot>", "", "<robot name='x'/>", "mechanism: 3"):
            lab.describe(bad)
            page.wait(lambda: "description:  not taken" in page.text, "that it is not taken")
            assert page.get("hinge [rad]")
            lab.describe(STICK.replace("stick", f"stick{len(bad)}"))
            page.wait(lambda bad=bad: f"stick{len(bad)}" in page.text, "the next one")
            assert "not taken" not in page.text
        lab.describe(STICK.replace("hinge", "knee"))
        page.get("knee [rad]")
        assert page.find("hinge [rad]") is None
    assert not viewer.process.lines("Traceback|a callback failed")


def test_every_page_counts(lab: Lab) -> None:
    """Of two pages one closes: the other is still served."""
    states = lab.graph.publisher(JointState, "/lab/joint_states")
    viewer = ViewerRig(lab.graph, *LAB)
    with viewer.open() as page:
        with viewer.open() as other:
            other.get("hinge [rad]")
        lab.graph.connect(states)
        states.publish(JointState(name=["hinge"], position=[-0.25]))
        slider = page.get("hinge [rad]")
        page.wait(lambda: slider.value == -0.25, "the slider to follow")
    lab.graph.wait(lambda: not states.get_subscription_count(), "nobody to listen")
    page = PageClient(viewer.address)
    lab.graph.connect(states)
    page.close()
