"""viewer with robodyn_node and the simulator, all in processes of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import Environment, JointDynamics, SimulatorStatus
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from page_client import PageClient
from publisher_setup import ARM
from ros_graph import LATCHED, Graph, Inbox
from viewer_rig import ViewerRig

RATE = 50.0


class Shown:
    """The arm, simulated and held where it begins, on a viewer's page."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        options = {"robot_description_file": ARM, "rate": RATE, "hold": True}
        self.simulator = graph.start("simulator", options)
        self.server = graph.start("robodyn_node", {"robot_description_file": ARM})
        self.viewer = ViewerRig(graph)
        self.viewer.process.wait_for("robot 'demo_arm' is on the page")
        self.states: Inbox = graph.listen(JointState, "/joint_states")
        self.status: Inbox = graph.listen(SimulatorStatus, "/simulator/status")
        graph.wait(lambda: self.states and self.status, "the simulation")

    def position(self, name: str) -> float:
        """Return where a coordinate was last."""
        message = self.states[-1]
        return float(message.position[list(message.name).index(name)])

    def mode(self, name: str) -> int:
        """Return how a coordinate is driven."""
        message = self.status[-1]
        return int(message.mode[list(message.names).index(name)])


@pytest.fixture(scope="module")
def shown() -> Iterator[Shown]:
    """One set of nodes for all tests of the file."""
    with closing(Graph()) as graph:
        yield Shown(graph)


@pytest.fixture
def page(shown: Shown) -> Iterator[PageClient]:
    """A page of its own, of a robot that is held where it begins."""
    assert shown.graph.call(Trigger, "/simulator/reset", Trigger.Request()).success
    with shown.viewer.open() as opened:
        opened.wait(lambda: "moved by:  the simulator" in opened.text, "the simulator to be seen")
        yield opened


def test_the_status_tells_how_fast_time_passes(page: PageClient) -> None:
    page.wait(lambda: re.search(r"time: +simulated, .* times real time", page.text), "time")


def test_a_slider_moves_its_joint_by_the_servo(shown: Shown, page: PageClient) -> None:
    page.set("joint2 [rad]", 0.4)
    shown.graph.wait(lambda: abs(shown.position("joint2") - 0.4) < 0.01, "joint 2 at 0.4 rad")
    assert shown.mode("joint2") == SimulatorStatus.POSITION
    with shown.viewer.open() as other:
        slider = other.get("joint2 [rad]")
        other.wait(lambda: abs(slider.value - 0.4) < 0.01, "the slider at what is commanded")


def test_reset_puts_it_back(shown: Shown, page: PageClient) -> None:
    page.set("joint2 [rad]", 0.4)
    shown.graph.wait(lambda: abs(shown.position("joint2") - 0.4) < 0.01, "joint 2 at 0.4 rad")
    page.click("Reset")
    shown.graph.wait(lambda: abs(shown.position("joint2")) < 1e-3, "joint 2 at its beginning")


def test_release_lets_it_fall(shown: Shown, page: PageClient) -> None:
    page.set("joint2 [rad]", 0.5)
    shown.graph.wait(lambda: abs(shown.position("joint2") - 0.5) < 0.05, "joint 2 at 0.5 rad")
    page.click("Release")
    shown.graph.wait(lambda: shown.mode("joint2") == SimulatorStatus.FREE, "the release")
    shown.graph.wait(lambda: abs(shown.position("joint2") - 0.5) > 0.2, "the fall")


def test_time_is_stopped_stepped_and_let_go(shown: Shown, page: PageClient) -> None:
    page.click("Pause")
    shown.graph.wait(lambda: shown.status[-1].paused, "the pause")
    before = shown.status[-1].header.stamp
    page.get("Run")
    page.wait(lambda: "paused" in page.text, "the pause in the status")
    page.set("steps", 40)
    page.click("Step")

    def taken() -> bool:
        now = shown.status[-1].header.stamp
        elapsed = (now.sec - before.sec) + 1e-9 * (now.nanosec - before.nanosec)
        return math.isclose(elapsed, 0.04, abs_tol=1e-9)

    shown.graph.wait(taken, "forty steps of a millisecond")
    page.click("Run")
    shown.graph.wait(lambda: not shown.status[-1].paused, "time to go on")


def test_the_speed_is_the_simulators_parameter(shown: Shown, page: PageClient) -> None:
    page.set("speed", 0.5)
    shown.graph.wait(lambda: shown.status[-1].target_real_time_factor == 0.5, "half the speed")
    with shown.viewer.open() as other:
        other.wait(lambda: other.get("speed").value == 0.5, "the other page's speed")
    page.set("speed", 1.0)
    shown.graph.wait(lambda: shown.status[-1].target_real_time_factor == 1.0, "real time")


def test_a_payload_that_only_one_side_knows_is_the_residual(shown: Shown, page: PageClient) -> None:
    dynamics = shown.graph.listen(JointDynamics, "/robodyn_node/joint_dynamics")
    truth = shown.graph.listen(Environment, "/simulator/environment", LATCHED)
    page.set("joint2 [rad]", 0.5)
    shown.graph.wait(lambda: abs(shown.position("joint2") - 0.5) < 0.01, "joint 2 at 0.5 rad")

    def residual() -> float:
        message = dynamics[-1]
        return abs(float(message.residual[list(message.names).index("joint2")]))

    page.set("link", "tool_center_point", "Payload")
    page.set("mass [kg]", 0.5)
    page.set("also in the simulation", False)
    page.click("Attach")
    shown.graph.wait(lambda: dynamics and residual() > 1.0, "the residual of a payload not there")
    assert not (truth and truth[-1].payloads)
    page.set("also in the simulation", True)
    page.click("Attach")
    shown.graph.wait(lambda: truth and truth[-1].payloads, "the payload in the simulation")
    shown.graph.wait(lambda: residual() < 0.2, "no residual")
    page.click("Remove")
    shown.graph.wait(lambda: not truth[-1].payloads, "the payload's end")


def test_a_push_in_world_axes_acts_in_those_of_the_link(shown: Shown, page: PageClient) -> None:
    acting = shown.graph.listen(WrenchStamped, "/simulator/external_wrenches")
    page.set("joint1 [rad]", 1.0)
    shown.graph.wait(lambda: abs(shown.position("joint1") - 1.0) < 1e-3, "joint 1 at 1 rad")
    shown.graph.spin(1.0)  # until the viewer has heard of it, too
    page.set("link", "upper_arm_link", "Push")
    page.set("force [N]", (20.0, 0.0, 0.0))
    page.set("moment [N m]", (0.0, 0.0, 3.0))
    page.set("for [s]", 0.5)
    acting.clear()
    page.click("Push")
    shown.graph.wait(lambda: acting and acting[0].wrench.force.x != 0.0, "the wrench")
    message = acting[0]
    assert message.header.frame_id == "upper_arm_link"
    force, torque = message.wrench.force, message.wrench.torque
    assert math.hypot(force.x, force.y, force.z) == pytest.approx(20.0)
    assert math.hypot(torque.x, torque.y, torque.z) == pytest.approx(3.0)
    # The link is turned by joint 1 about z and little else.
    assert force.x == pytest.approx(20.0 * math.cos(1.0), abs=0.5)
    page.wait(lambda: "push of 20 N for 0.5 s" in page.text, "that it was done")


def test_gravity_is_that_of_both(shown: Shown, page: PageClient) -> None:
    truth = shown.graph.listen(Environment, "/simulator/environment", LATCHED)
    told = shown.graph.listen(Environment, "/robodyn_node/environment", LATCHED)
    for on, amount in ((False, 0.0), (True, -9.81)):
        page.set("gravity", on)
        shown.graph.wait(
            lambda amount=amount: (
                truth and told and truth[-1].gravity.z == told[-1].gravity.z == amount
            ),
            f"{amount} m/s^2 on both sides",
        )


def test_a_simulator_that_ends_is_told(shown: Shown, page: PageClient) -> None:
    assert shown.simulator.stop() == 0
    page.wait(lambda: "sliders only show" in page.text, "its end")
    page.wait(lambda: page.get("joint1 [rad]").props["disabled"], "grey sliders")
    page.wait(lambda: re.search("nothing for [0-9]+ s on /robodyn_node", page.text), "silence")
