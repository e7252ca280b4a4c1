"""What a simulator must survive: bad descriptions, absurd commands, runaways, anything at all."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from geometry_msgs.msg import WrenchStamped
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import SetPayload, StepSimulation
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from publisher_setup import ARM
from ros_graph import LATCHED, Graph, seconds
from simulator_rig import SimulatorRig, positions, wrench_message

KINDS = ("effort", "velocity", "position")
MASSLESS = """
<robot name="ghost">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="tip"/>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
  <joint name="weightless" type="continuous">
    <parent link="arm"/><child link="tip"/><axis xyz="0 1 0"/></joint>
</robot>
"""
PENDULUM = """
<robot name="pendulum">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="pivot" type="continuous">
    <parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
</robot>
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatorRig]:
    """One paused simulator of a pendulum for all tests of this file."""
    path = tmp_path_factory.mktemp("robots") / "pendulum.urdf"
    path.write_text(PENDULUM)
    with closing(Graph()) as graph:
        yield SimulatorRig(graph, path)


@pytest.fixture
def pendulum(running: SimulatorRig) -> SimulatorRig:
    """That simulator at its initial state."""
    return running.fresh()


def test_a_robot_never_seen_before_gets_its_kernels_while_time_stands_still(
    graph: Graph, tmp_path: Path
) -> None:
    """Its mass is one that no cache has."""
    path = tmp_path / "new.urdf"
    mass = random.SystemRandom().uniform(1.0, 2.0)
    path.write_text(PENDULUM.replace('mass value="1"', f'mass value="{mass!r}"'))
    rig = SimulatorRig(graph, path, compiled=False)
    graph.wait(lambda: "compiled" in rig.status.trouble, "a start without kernels")
    rig.wait_for_kernels()
    assert rig.status.paused


def test_a_description_without_dynamics_is_refused_with_the_joint(
    graph: Graph, tmp_path: Path
) -> None:
    path = tmp_path / "ghost.urdf"
    path.write_text(MASSLESS)
    process = graph.start("simulator", {"robot_description_file": path})
    assert process.finish() == 1
    (line,) = process.lines("FATAL")
    assert "robot 'ghost' cannot be simulated" in line
    assert "'weightless'" in line


def test_a_bad_description_later_leaves_the_one_in_use(pendulum: SimulatorRig) -> None:
    for text in (MASSLESS, "<robot/>", "x"):
        (done,) = pendulum.graph.set_parameters(pendulum.node, robot_description=text)
        assert done[0] is (text == MASSLESS)  # that it has no dynamics shows when it is taken
    pendulum.process.wait_for("the model in use stays.*cannot be simulated")
    assert pendulum.step(10).name == ["pivot"]


def test_another_description_begins_at_its_initial_state_and_time_goes_on(graph: Graph) -> None:
    rig = SimulatorRig(graph, "", compiled=False, robot_description=json.dumps(PENDULUM))
    before = seconds(rig.step(5).header.stamp)
    longer = PENDULUM.replace("pivot", "hinge")
    assert graph.set_parameters(rig.node, robot_description=longer) == [(True, "")]
    graph.wait(lambda: rig.show().name == ["hinge"], "the other robot")
    assert positions(rig.states[-1])["hinge"] == 0.0
    assert seconds(rig.states[-1].header.stamp) > before
    assert rig.status.names == ["hinge"]


def test_it_waits_for_a_description_on_its_topic_and_answers_meanwhile(graph: Graph) -> None:
    process = graph.start("simulator", {"paused": True})
    process.wait_for("no robot description yet: waiting for one on /robot_description")
    reply = graph.call(StepSimulation, "/simulator/step", StepSimulation.Request(steps=1))
    assert not reply.success
    assert "no model yet: waiting for a description on /robot_description" in reply.message
    states = graph.listen(JointState, "/joint_states")
    graph.publisher(String, "/robot_description", LATCHED).publish(String(data=PENDULUM))
    graph.wait(lambda: states and states[-1].name == ["pivot"], "states")
    assert process.stop() == 0


def test_a_runaway_stands_still_with_the_reason_and_a_reset_recovers(
    pendulum: SimulatorRig,
) -> None:
    pendulum.command("effort", ["pivot"], [1e300])
    pendulum.pause(False)
    pendulum.graph.wait(lambda: "leaves all bounds" in pendulum.status.trouble, "a runaway")
    assert pendulum.status.paused
    assert "'pivot'" in pendulum.status.trouble
    error = b"\x02"
    pendulum.graph.wait(lambda: pendulum.diagnostic("simulation").level == error, "an error")
    reply = pendulum.call(StepSimulation, "step", steps=1)
    assert not reply.success
    assert "call ~/reset" in reply.message
    assert np.isfinite(pendulum.show().velocity).all()
    assert pendulum.process.lines("stands still: .*leaves all bounds")
    pendulum.reset()
    pendulum.graph.wait(lambda: not pendulum.status.trouble, "recovery")
    begin = seconds(pendulum.show().header.stamp)
    pendulum.graph.wait(lambda: seconds(pendulum.states[-1].header.stamp) > begin + 0.1, "motion")


def test_commands_that_do_not_fit_are_refused_and_counted(pendulum: SimulatorRig) -> None:
    publisher = pendulum.graph.publisher(JointState, f"{pendulum.node}/effort_command")
    pendulum.graph.connect(publisher)
    publisher.publish(JointState(name=["pivot"], effort=[1.0, 2.0]))
    pendulum.process.wait_for("effort_command is refused: effort has length 2")
    publisher.publish(JointState(name=["pivto"], effort=[1.0]))
    pendulum.process.wait_for("'pivto'; available: pivot.*it is ignored")
    pendulum.graph.wait(lambda: "refused commands" in pendulum.values("commands"), "the count")
    assert not any(pendulum.status.mode)
    wrench = pendulum.graph.publisher(WrenchStamped, f"{pendulum.node}/external_wrench")
    pendulum.graph.connect(wrench)
    wrench.publish(wrench_message("arm", [float("nan")] * 6))
    pendulum.process.wait_for("external_wrench is refused: message at frame 'arm'")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"real_time_factor": 0.001}, "real_time_factor must be 0"),
        ({"real_time_factor": 200.0}, "real_time_factor out of range"),
        ({"step": 0.0}, "step out of range"),
        ({"integrator": "euler"}, "one of rk4, semi_implicit_euler"),
        ({"rate": 0.0}, "rate out of range"),
        ({"wrench_timeout": 0.0}, "wrench_timeout out of range"),
        ({"initial_state": "elsewhere"}, "one of described, random"),
    ],
)
def test_parameters_that_cannot_be_are_refused_at_the_start(
    graph: Graph, parameters: dict, said: str
) -> None:
    process = graph.start("simulator", {"robot_description_file": ARM, **parameters})
    assert process.finish() == 1
    (line,) = process.lines("FATAL")
    assert said in line


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_quietly(graph: Graph, number: int) -> None:
    rig = SimulatorRig(
        graph, "", compiled=False, robot_description=json.dumps(PENDULUM), paused=False
    )
    assert rig.process.stop(number) == 0
    assert "Traceback" not in rig.process.output


def test_whatever_comes_it_lives_on_with_finite_numbers(pendulum: SimulatorRig) -> None:
    chosen, graph = random.Random(1), pendulum.graph
    pendulum.pause(False)
    commands = [
        (kind, graph.publisher(JointState, f"{pendulum.node}/{kind}_command")) for kind in KINDS
    ]
    wrenches = graph.publisher(WrenchStamped, f"{pendulum.node}/external_wrench")
    for _, publisher in commands:
        graph.connect(publisher)
    graph.connect(wrenches)
    for turn in range(400):
        kind, publisher = chosen.choice(commands)
        names = [chosen.choice(NAMES) for _ in range(chosen.randrange(3))]
        numbers = [chosen.choice(NUMBERS) for _ in range(chosen.choice([len(names), 2]))]
        publisher.publish(JointState(name=names, **{kind: numbers}))
        wrenches.publish(wrench_message(chosen.choice(NAMES), chosen.choices(NUMBERS, k=6)))
        if turn % 4 == 0:
            ask(pendulum, chosen)
        graph.spin(0.001)
    pendulum.reset()
    begin = len(pendulum.states)
    graph.wait(lambda: len(pendulum.states) > begin + 10, "states")
    for state in pendulum.states:
        assert np.isfinite([*state.position, *state.velocity, *state.effort]).all()
    assert not pendulum.process.lines("Traceback|a callback failed|a fault of|turn of the simul")


NAMES = ["pivot", "arm", "base", "", "\ud7ff", "x" * 300]
NUMBERS = [0.0, 1.0, -30.0, 1e308, -1e308, 5e-324, float("nan"), float("inf")]


def ask(rig: SimulatorRig, chosen: random.Random) -> None:
    """Ask something, answerable or not."""
    names = [chosen.choice(NAMES) for _ in range(chosen.randrange(3))]
    numbers = [chosen.choice(NUMBERS) for _ in range(chosen.randrange(3))]
    kind = chosen.randrange(4)
    if kind == 0:
        reply = rig.set_state(names, numbers, numbers)
    elif kind == 1:
        reply = rig.push(chosen.choice(NAMES), chosen.choices(NUMBERS, k=6), chosen.choice(NUMBERS))
    elif kind == 2:
        load = Payload(name=chosen.choice(NAMES), frame_id="arm", mass=chosen.choice(NUMBERS))
        reply = rig.call(SetPayload, "set_payload", payload=load, remove=chosen.random() < 0.5)
    else:
        reply = rig.call(StepSimulation, "step", steps=chosen.choice([0, 1, 2**32 - 1]))
    assert reply.success or reply.message
