"""The controller node: silent unless active, ramped, bounded, and safe when something is wrong."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator

import numpy as np
import pytest
from std_msgs.msg import Bool, Float64MultiArray, String

from controller_rig import ControllerRig
from publisher_setup import ARM
from robodyn_ros import load
from ros_graph import LATCHED, Graph
from state_feed import StateFeed

ROBOT = load(ARM, compile="off")
NAMES = ROBOT.model.coordinate_names
BENT = np.linspace(0.2, 0.5, ROBOT.model.nq)
COMMANDS = "forward_effort_controller/commands"
PATIENT = {
    "robot_description_file": ARM,
    "state_timeout": 0.5,
    "min_rate": 0.0,
    "ramp_time": 0.0,
    "slew_time": 0.0,
    "diagnostics_period": 0.2,
}
"""Parameters with which a busy machine is no fault."""


class Held:
    """A controller of an arm that stands, and what it sends."""

    def __init__(self, graph: Graph, **more) -> None:
        self.graph = graph
        self.feed = StateFeed(graph, NAMES, BENT)
        self.sent = graph.listen(Float64MultiArray, COMMANDS)
        self.rig = ControllerRig(graph, "gravity_compensation", {**PATIENT, **more})

    def start(self) -> Held:
        """Activate it, and see a command."""
        self.rig.start()
        self.next()
        return self

    def next(self) -> np.ndarray:
        """Return the next command."""
        self.sent.clear()
        self.graph.wait(lambda: self.sent, "a command")
        return np.array(self.sent[-1].data)

    def sends(self, expected, what: str, tolerance: float = 1e-9) -> None:
        """Wait until commands are these efforts."""

        def right() -> bool:
            return bool(self.sent) and np.allclose(self.sent[-1].data, expected, atol=tolerance)

        self.sent.clear()
        self.graph.wait(right, what)

    def faults(self, kind: str) -> None:
        """Wait until a fault is logged, and see that it is reported."""
        self.graph.wait(lambda: self.rig.process.lines(f"fault {kind}:"), f"fault {kind}")
        report = self.rig.report()
        assert report.level == b"\x02"
        assert f"fault {kind}" in {x.key for x in report.values}


@pytest.fixture
def held(graph: Graph) -> Iterator[Held]:
    return Held(graph)


def weight(position=BENT) -> np.ndarray:
    return np.asarray(ROBOT.gravity_force(np.asarray(position)))


def test_only_an_active_controller_sends(held: Held) -> None:
    graph, rig = held.graph, held.rig
    assert rig.state == "unconfigured"
    assert rig.configure()
    graph.wait(lambda: rig.report().level == b"\x00", "readiness")
    assert not held.sent
    graph.wait(rig.activate, "activation")
    np.testing.assert_allclose(held.next(), weight(), atol=1e-9)
    assert rig.deactivate()
    graph.spin(0.1)
    held.sent.clear()
    graph.spin(0.5)
    assert not held.sent
    assert rig.state == "inactive"


def test_it_damps(held: Held) -> None:
    held.start()
    held.feed.velocity = [0.1] * len(NAMES)
    drag = ROBOT.mass_matrix(BENT) @ np.full(len(NAMES), 0.1) / 0.5
    held.sends(weight() - drag, "damped efforts", 1e-6)


def test_it_ramps_from_measured_efforts(graph: Graph) -> None:
    held = Held(graph, ramp_time=2.0)
    held.feed.effort = (weight() * 0.5).tolist()
    held.rig.start()
    first = held.next()
    share = first / np.where(np.abs(weight()) > 1.0, weight(), np.nan)
    assert np.nanmin(share) > 0.45
    assert np.nanmax(share) < 0.95
    held.sends(weight(), "the whole weight")


def test_silence_holds_the_weight_and_clearing_returns(held: Held) -> None:
    held.start()
    held.feed.velocity = [0.2] * len(NAMES)
    held.graph.spin(0.1)
    held.feed.running = False
    silent = time.monotonic()
    held.faults("stale_state")
    held.sends(weight(), "the weight alone")
    assert time.monotonic() - silent < 60.0
    success, message = held.rig.clear()
    assert not success
    assert "no joint state" in message
    held.feed.velocity = [0.0] * len(NAMES)
    held.feed.running = True
    held.graph.wait(lambda: held.rig.clear()[0], "the fault to be cleared")
    assert held.rig.report().message == "active"


def test_a_joint_that_is_not_a_number_is_a_fault(held: Held) -> None:
    held.start()
    held.feed.position[1] = math.nan
    held.faults("invalid_state")
    assert np.isfinite(held.next()).all()
    np.testing.assert_allclose(held.next(), weight(), atol=1e-9)


@pytest.mark.parametrize("shift", [-5.0, 100.0])
def test_a_clock_that_jumps_is_a_fault(held: Held, shift: float) -> None:
    held.start()
    held.feed.shift = shift
    held.faults("clock_jump")
    assert np.isfinite(held.next()).all()


def test_a_deadman_is_needed(graph: Graph) -> None:
    held = Held(graph, deadman_topic="deadman", deadman_timeout=1.0, on_deadman="stop")
    assert held.rig.configure()
    graph.spin(1.0)
    assert not held.rig.activate()
    held.rig.said("the deadman on 'deadman' has never been heard")
    switch = graph.publisher(Bool, "deadman")
    pressed = graph.node.create_timer(0.05, lambda: switch.publish(Bool(data=True)))
    graph.wait(held.rig.activate, "activation")
    held.next()
    pressed.cancel()
    switch.publish(Bool(data=False))
    held.faults("deadman")
    graph.spin(0.2)
    held.sent.clear()
    graph.spin(0.5)
    assert not held.sent


WITHOUT_FILE = {key: x for key, x in PATIENT.items() if key != "robot_description_file"}
URDF = """<robot name="one"><link name="a"/><link name="b"><inertial><mass value="1"/>
<origin xyz="0.1 0 0"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
<limit lower="-3" upper="3" velocity="1" effort="0"/></joint></robot>"""


def test_no_effort_limit_no_activation(graph: Graph) -> None:
    graph.publisher(String, "robot_description", LATCHED).publish(String(data=URDF))
    StateFeed(graph, ["j"], [0.3])
    rig = ControllerRig(graph, "gravity_compensation", WITHOUT_FILE)
    rig.said("robot 'one'")
    assert rig.configure()
    assert not rig.activate()
    rig.said("no effort limit is known of 'j': give effort_limits.j in N m or N")
    assert "effort_limits.j" in rig.report().message


def test_another_robot_is_not_taken_while_it_is_active(graph: Graph) -> None:
    description = graph.publisher(String, "robot_description", LATCHED)
    description.publish(String(data=URDF.replace('effort="0"', 'effort="9"')))
    StateFeed(graph, ["j"], [0.3])
    sent = graph.listen(Float64MultiArray, COMMANDS)
    rig = ControllerRig(graph, "gravity_compensation", WITHOUT_FILE)
    rig.start()
    description.publish(String(data=URDF.replace('"j"', '"k"')))
    rig.said("the new description has other joints")
    heavier = URDF.replace('effort="0"', 'effort="9"').replace('mass value="1"', 'mass value="2"')
    description.publish(String(data=heavier))
    graph.wait(lambda: rig.process.lines("fault description:"), "the fault")
    weight = load(heavier, compile="off").gravity_force([0.3])
    sent.clear()
    graph.wait(lambda: sent and np.allclose(sent[-1].data, weight), "the new weight")
    graph.wait(lambda: rig.clear()[0], "the fault to be cleared")


def test_the_order_of_the_receiver_is_checked(graph: Graph) -> None:
    graph.node.declare_parameter("joints", list(NAMES[::-1]))
    held = Held(graph, command_controller=graph.node.get_name(), check_order="required")
    assert held.rig.configure()
    graph.wait(
        lambda: held.rig.activate() or held.rig.process.lines("takes efforts in the order"),
        "the order to be refused",
    )
    assert held.rig.state == "inactive"


def test_commands_have_the_order_that_is_set(graph: Graph) -> None:
    order = list(NAMES[::-1])
    graph.node.declare_parameter("joints", order)
    held = Held(
        graph,
        command_controller=graph.node.get_name(),
        check_order="required",
        command_joints=f"'{', '.join(order)}'",
    ).start()
    np.testing.assert_allclose(held.next(), weight()[::-1], atol=1e-9)


def test_a_driver_that_holds_the_weight_is_sent_none(graph: Graph) -> None:
    held = Held(graph, driver_compensates_gravity=True).start()
    np.testing.assert_allclose(held.next(), np.zeros(len(NAMES)), atol=1e-9)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_quietly_while_active(held: Held, number: int) -> None:
    held.start()
    assert held.rig.process.stop(number) == 0
    assert "Traceback" not in held.rig.process.output


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"command_joints": "joint1, jiont2"}, "jiont2"),
        ({"command_joints": "joint1, joint1"}, "named twice"),
        ({"gains.joint1.frequency": 3.0}, "this node has gains.JOINT.damping"),
        ({"gains.joint9.damping": 3.0}, "joint9"),
        ({"gains.joint1.damping": -3.0}, "at least 0"),
        ({"effort_limits.joint1": 0.0}, "must be above 0"),
        ({"effort_limits.joint1": "'much'"}, "must be a finite number"),
        ({"effort_limits.jiont1": 5.0}, "jiont1"),
        ({"command_topic": "'no topic'"}, "is no name of a topic"),
        ({"deadman_topic": "'no topic'"}, "is no name of a topic"),
        ({"on_stale_state": "ramp_to_zero"}, "hold_gravity, hold_position, stop"),
        ({"slew_time": -1.0}, "Parameter slew_time out of range"),
    ],
)
def test_a_bad_parameter_is_one_line(graph: Graph, parameters, text: str) -> None:
    process = graph.start("gravity_compensation", {**PATIENT, **parameters})
    assert process.finish() == 1
    assert text in process.output
    assert len(process.output.strip().splitlines()) == 1
