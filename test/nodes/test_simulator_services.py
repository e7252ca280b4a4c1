"""What the simulator is asked: time, states, pushes, payloads; what it answers and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from robodyn_interfaces.msg import Environment, Payload
from robodyn_interfaces.srv import SetPayload, StepSimulation
from std_srvs.srv import SetBool, Trigger

from publisher_setup import ARM
from ros_graph import LATCHED, Graph, Inbox, seconds
from simulator_rig import SimulatorRig, positions, told, velocities, wrench_message

STEP = 1e-3
TOOL = "tool_center_point"


@pytest.fixture(scope="module")
def running() -> Iterator[SimulatorRig]:
    """One paused simulator of the demo arm for all tests of this file."""
    with closing(Graph()) as graph:
        yield SimulatorRig(graph, ARM)


@pytest.fixture
def arm(running: SimulatorRig) -> SimulatorRig:
    """That simulator at its initial state."""
    return running.fresh()


def test_a_reset_ends_commands_and_pushes_and_time_goes_on(arm: SimulatorRig) -> None:
    initial = positions(arm.show())
    arm.command("effort", ["joint1"], [5.0])
    assert arm.push(TOOL, [0.0, 0.0, 0.0, 5.0, 5.0, 0.0], 100.0).success
    later = seconds(arm.step(200).header.stamp)
    assert positions(arm.states[-1]) != initial
    arm.reset()
    arm.graph.wait(lambda: positions(arm.show()) == initial, "the initial state")
    assert seconds(arm.states[-1].header.stamp) == pytest.approx(later + STEP, abs=1e-9)
    arm.graph.wait(lambda: not any(arm.status.mode), "no modes")
    twin = arm.twin()
    twin.advance(100)
    assert positions(arm.step(100))["joint2"] == told(twin, twin.q)["joint2"]


def test_the_clock_jumps_back_only_where_a_parameter_says_so(arm: SimulatorRig) -> None:
    arm.step(50)
    assert arm.graph.set_parameters(arm.node, reset_clock=True) == [(True, "")]
    arm.reset()
    arm.graph.wait(lambda: seconds(arm.show().header.stamp) <= 1e-9, "time at its beginning")
    assert arm.states[-1].header.stamp.nanosec == 1
    assert arm.graph.set_parameters(arm.node, reset_clock=False) == [(True, "")]


def test_steps_are_taken_while_paused_only(arm: SimulatorRig) -> None:
    arm.pause(False)
    reply = arm.call(StepSimulation, "step", steps=1)
    assert not reply.success
    assert "call ~/pause first" in reply.message
    arm.pause()
    for steps in (0, 1_000_001):
        reply = arm.call(StepSimulation, "step", steps=steps)
        assert not reply.success
        assert "give 1 to 1000000" in reply.message
    before = seconds(arm.show().header.stamp)
    reply = arm.call(StepSimulation, "step", steps=123)
    assert seconds(reply.time) == pytest.approx(before + 0.123, abs=1e-9)


def test_what_a_state_does_not_name_stays(arm: SimulatorRig) -> None:
    assert arm.set_state(["joint1", "joint2"], [0.2, 0.3], [0.5, 0.0]).success
    assert arm.set_state(["joint2"], [0.6]).success
    state = arm.show()
    assert positions(state)["joint1"] == 0.2
    assert velocities(state)["joint1"] == 0.5
    assert positions(state)["joint2"] == 0.6
    assert arm.set_state(["joint1"]).success  # no positions: all stay; no velocities: zeros
    state = arm.show()
    assert positions(state)["joint1"] == 0.2
    assert velocities(state)["joint1"] == 0.0
    assert arm.set_state().success
    assert positions(arm.show())["joint2"] == 0.6


@pytest.mark.parametrize(
    ("names", "position", "velocity", "said"),
    [
        (["joint11"], [0.0], [], "no coordinate is called 'joint11'"),
        (["joint1"], [float("nan")], [], "position of 'joint1' is nan"),
        (["joint1", "joint2"], [0.0], [], "position has length 1"),
        (["joint1"], [0.0], [float("inf")], "velocity of 'joint1' is inf"),
        (["joint1"], [], [1.0, 2.0], "velocity has length 2"),
        (["right_finger_joint"], [0.0], [], "follows joint 'left_finger_joint'"),
    ],
)
def test_states_that_cannot_be_are_refused(arm, names, position, velocity, said) -> None:
    before = positions(arm.show())
    reply = arm.set_state(names, position, velocity)
    assert not reply.success
    assert said in reply.message
    assert positions(arm.show()) == before


def test_a_push_moves_the_robot_for_as_long_as_it_lasts(arm: SimulatorRig) -> None:
    wrench = [0.0, 0.0, 0.0, 10.0, 5.0, 0.0]
    twin = arm.twin()
    assert arm.push(TOOL, wrench, 0.05).success
    twin.push(TOOL, wrench, 0.05)
    for steps in (30, 20, 100):
        state = arm.step(steps)
        twin.advance(steps)
        assert positions(state)["joint2"] == told(twin, twin.q)["joint2"]
    assert abs(velocities(state)["joint2"]) > 1e-3


def test_what_acts_is_published_and_its_end(arm: SimulatorRig) -> None:
    assert arm.push(TOOL, [0.1, 0.2, 0.3, 1.0, 2.0, 3.0], 0.02).success
    arm.wrenches.clear()
    arm.step(100)
    arm.graph.wait(lambda: arm.wrenches and not force(arm.wrenches[-1]).any(), "the end")
    assert {message.header.frame_id for message in arm.wrenches} == {TOOL}
    *acting, last = arm.wrenches
    assert all(force(message).tolist() == [1.0, 2.0, 3.0] for message in acting)
    assert 3 <= len(acting) <= 6
    assert acting[0].wrench.torque.z == 0.3
    assert seconds(last.header.stamp) > seconds(acting[-1].header.stamp)


def force(message) -> np.ndarray:
    """Return the force of a wrench."""
    found = message.wrench.force
    return np.array([found.x, found.y, found.z])


def test_a_held_wrench_acts_until_it_is_too_old(arm: SimulatorRig) -> None:
    publisher = arm.graph.publisher(
        type(wrench_message(TOOL, [0.0] * 6)), f"{arm.node}/external_wrench"
    )
    arm.graph.connect(publisher)
    assert arm.graph.set_parameters(arm.node, wrench_timeout=0.1) == [(True, "")]
    publisher.publish(wrench_message(TOOL, [0.0, 0.0, 0.0, 10.0, 5.0, 0.0]))
    arm.graph.wait(lambda: arm.values("simulation").get("wrenches") == "1", "the wrench")
    twin = arm.twin()
    twin.hold_wrench(TOOL, [0.0, 0.0, 0.0, 10.0, 5.0, 0.0])
    twin.advance(100)
    twin.hold_wrench(TOOL, None)
    twin.advance(100)
    assert positions(arm.step(200))["joint1"] == told(twin, twin.q)["joint1"]
    arm.graph.wait(lambda: arm.values("simulation").get("wrenches") == "0", "its end")


@pytest.mark.parametrize(
    ("frame", "duration", "said"),
    [
        ("nowhere", 1.0, "no frame (wrench.header.frame_id) is called 'nowhere'"),
        ("", 1.0, "wrench.header.frame_id is empty"),
        (TOOL, 0.0, "duration is 0"),
        (TOOL, -1.0, "duration is -1"),
        (TOOL, float("nan"), "duration is nan"),
        (TOOL, float("inf"), "duration is inf"),
    ],
)
def test_pushes_that_cannot_be_are_refused(arm, frame, duration, said) -> None:
    reply = arm.push(frame, [0.0] * 6, duration)
    assert not reply.success
    assert said in reply.message
    assert "not finite" in arm.push(TOOL, [float("nan")] * 6, 1.0).message


def wait_for_loads(arm: SimulatorRig, heard: Inbox, expected: list[str]) -> None:
    """Wait until the environment tells of these payloads."""

    def names() -> list[list[str]]:
        return [[x.name for x in message.payloads] for message in heard[-1:]]

    arm.graph.wait(lambda: names() == [expected], f"payloads {expected}")


def test_a_payload_changes_the_motion_and_the_environment_tells(arm: SimulatorRig) -> None:
    heard = arm.graph.listen(Environment, f"{arm.node}/environment", LATCHED)
    payload = Payload(name="box", frame_id=TOOL, mass=2.0)
    payload.com.z = 0.1
    start = {"joint2": 0.8, "joint4": -0.7}
    ways = []
    for remove in (False, True):
        assert arm.call(SetPayload, "set_payload", payload=payload, remove=remove).success
        wait_for_loads(arm, heard, [] if remove else ["box"])
        arm.wait_for_kernels()
        assert arm.set_state(start, start.values()).success
        ways.append(positions(arm.step(300))["joint2"])
        arm.reset()
    assert heard[-1].gravity.z == -9.81
    twin = arm.twin()
    names = twin.robot.model.coordinate_names
    q = twin.q
    for name, value in start.items():
        q[names.index(name)] = value
    twin.robot.set_payload(TOOL, 2.0, [0.0, 0.0, 0.1], name="box")
    twin.set_state(q, np.zeros_like(twin.v))
    twin.advance(300)
    assert ways[0] == pytest.approx(told(twin, twin.q)["joint2"], abs=1e-9)
    assert abs(ways[0] - ways[1]) > 1e-4


def test_a_payload_that_cannot_be_is_refused(arm: SimulatorRig) -> None:
    reply = arm.call(SetPayload, "set_payload", payload=Payload(frame_id=TOOL, mass=-1.0))
    assert not reply.success
    assert "mass" in reply.message
    reply = arm.call(SetPayload, "set_payload", payload=Payload(name="no"), remove=True)
    assert not reply.success


def test_gravity_may_change(arm: SimulatorRig) -> None:
    heard = arm.graph.listen(Environment, f"{arm.node}/environment", LATCHED)
    assert arm.graph.set_parameters(arm.node, gravity=[0.0, 0.0, 0.0]) == [(True, "")]
    arm.graph.wait(lambda: heard and heard[-1].gravity.z == 0.0, "no gravity")
    assert arm.set_state(["joint2"], [0.8]).success
    assert positions(arm.step(500))["joint2"] == pytest.approx(0.8, abs=1e-12)
    assert arm.graph.set_parameters(arm.node, gravity=[0.0, 0.0, -9.81]) == [(True, "")]


def test_release_lets_all_go(arm: SimulatorRig) -> None:
    arm.command("position", ["joint1", "joint2"], [0.1, 0.2])
    assert arm.call(Trigger, "release").success
    arm.graph.wait(lambda: not any(arm.status.mode), "no modes")
    assert not any(arm.status.command)


def test_the_status_says_how_each_coordinate_is_driven(arm: SimulatorRig) -> None:
    arm.command("effort", ["joint1"], [1.5])
    arm.command("velocity", ["joint2"], [0.25])
    arm.command("position", ["joint3"], [9.0])
    arm.command("position", ["joint1"], [0.1])
    status = arm.status
    rows = dict(zip(status.names, zip(status.mode, status.command, strict=True), strict=True))
    assert rows["joint1"] == (status.POSITION, 0.1)
    assert rows["joint2"] == (status.VELOCITY, 0.25)
    assert rows["joint3"] == (status.POSITION, 2.9)
    assert rows["joint4"] == (status.FREE, 0.0)
    limits = dict(zip(status.names, zip(status.lower, status.upper, strict=True), strict=True))
    assert limits["joint3"] == (-2.9, 2.9)
    assert status.step == STEP
    assert status.paused
    twin = arm.twin()
    assert status.potential_energy == pytest.approx(float(twin.energy.potential), rel=1e-9)


def test_a_pause_is_shown_and_ends(arm: SimulatorRig) -> None:
    assert arm.call(SetBool, "pause", data=False).success
    arm.graph.wait(lambda: not arm.status.paused and arm.status.real_time_factor > 0.0, "motion")
    arm.pause()
    arm.graph.wait(lambda: arm.status.paused, "a pause")
