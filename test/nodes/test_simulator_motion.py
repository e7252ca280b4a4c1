"""The simulator's motion: bit by bit that of the library, at the stamps that belong to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from publisher_setup import ARM
from robodyn_ros import load
from ros_graph import Graph, seconds
from simulator_rig import SimulatorRig, efforts, positions, told, velocities

STEP = 1e-3
STILL = 1e-4
"""rad that a robot held against gravity may sink in a simulated second."""


@pytest.fixture(scope="module")
def running() -> Iterator[SimulatorRig]:
    """One paused simulator of the demo arm for all tests of this file."""
    with closing(Graph()) as graph:
        yield SimulatorRig(graph, ARM)


@pytest.fixture
def arm(running: SimulatorRig) -> SimulatorRig:
    """That simulator at its initial state."""
    return running.fresh()


@pytest.fixture(scope="module")
def without_friction() -> Iterator[SimulatorRig]:
    """One in which no joint has friction, so that servos reach what they are told."""
    with closing(Graph()) as graph:
        yield SimulatorRig(graph, ARM, friction=False)


@pytest.fixture
def smooth(without_friction: SimulatorRig) -> SimulatorRig:
    """That simulator at its initial state."""
    return without_friction.fresh()


BENT = {"joint1": 0.3, "joint2": 0.8, "joint4": -1.2, "joint6": 0.5}


def bend(arm: SimulatorRig, twin) -> None:
    """Put both into a state that falls."""
    assert arm.set_state(BENT, BENT.values()).success
    q = twin.q
    names = twin.robot.model.coordinate_names
    for name, value in BENT.items():
        q[names.index(name)] = value
    twin.set_state(q, np.zeros_like(twin.v))


def require_same_bits(state, twin) -> None:
    q, v, tau = (told(twin, x) for x in (twin.q, twin.v, twin.effort))
    assert {name: positions(state)[name] for name in q} == q
    assert {name: velocities(state)[name] for name in v} == v
    assert {name: efforts(state)[name] for name in tau} == tau


def test_it_falls_as_the_library_says_bit_by_bit(arm: SimulatorRig) -> None:
    twin = arm.twin()
    bend(arm, twin)
    for steps in (1, 7, 250, 1000):
        state = arm.step(steps)
        twin.advance(steps)
        require_same_bits(state, twin)
    assert abs(positions(state)["joint2"] - BENT["joint2"]) > 0.1


def test_the_same_steps_give_the_same_bits_again(arm: SimulatorRig) -> None:
    runs = []
    for _ in range(2):
        arm.fresh()
        assert arm.set_state(BENT, BENT.values()).success
        arm.command("effort", ["joint1", "joint4"], [3.0, -2.0])
        assert arm.push("tool_center_point", [0.1, 0.2, 0.3, 1.0, 2.0, 3.0], 0.1).success
        states = [arm.step(30) for _ in range(10)]
        arm.command("position", ["joint2"], [0.4])
        states += [arm.step(30) for _ in range(10)]
        runs.append([(x.position.tolist(), x.velocity.tolist()) for x in states])
    assert runs[0] == runs[1]
    assert len({tuple(position) for position, _ in runs[0]}) == len(states)


def test_states_come_at_the_rate_with_stamps_of_whole_steps(arm: SimulatorRig) -> None:
    begin = seconds(arm.show().header.stamp)
    arm.states.clear()
    arm.clock.clear()
    arm.step(100)
    stamps = {round(seconds(x.header.stamp) - begin, 9) for x in arm.states}
    arm.graph.wait(lambda: len(arm.clock) >= len(arm.states), "the clock")
    assert len([x for x in stamps if x > 0.0]) in (20, 21)
    ticks = np.array(sorted(stamps)) / STEP
    assert ticks == pytest.approx(np.round(ticks), abs=1e-6)
    heard = {seconds(x.clock) for x in arm.clock}
    assert {seconds(x.header.stamp) for x in arm.states} <= heard


def test_gravity_torques_as_commands_hold_it_still(arm: SimulatorRig) -> None:
    twin = arm.twin()
    bend(arm, twin)
    names = twin.robot.model.coordinate_names
    arm.command("effort", names, twin.robot.gravity_force(twin.q))
    state = arm.step(1000)
    for name, position in told(twin, twin.q).items():
        assert positions(state)[name] == pytest.approx(position, abs=STILL)
    assert efforts(state)["joint2"] == pytest.approx(
        told(twin, twin.robot.gravity_force(twin.q))["joint2"]
    )


def test_joints_stop_at_their_limits(arm: SimulatorRig) -> None:
    limits = {j.name: j.limits for _, j in load(ARM).model.moving}
    arm.command("effort", ["joint2", "left_finger_joint"], [80.0, 10.0])
    state = arm.step(3000)
    for name in ("joint2", "left_finger_joint"):
        over = positions(state)[name] - limits[name].upper
        assert -1e-3 < over < 0.05
        assert abs(velocities(state)[name]) < 0.05


def test_time_goes_on_in_steps_that_are_due(arm: SimulatorRig) -> None:
    """Counted in stamps: nothing here is a matter of how fast the machine is."""
    arm.pause(False)
    begin = len(arm.states)
    arm.graph.wait(lambda: len(arm.states) >= begin + 100, "100 states")
    stamps = np.array([seconds(x.header.stamp) for x in arm.states])[begin:]
    assert np.diff(stamps) == pytest.approx(5e-3, abs=1e-9)
    arm.pause()
    still = arm.show().header.stamp
    assert arm.show().header.stamp == still
    assert arm.status.paused
    assert arm.status.real_time_factor == 0.0


def test_joint_states_have_followers_too(smooth: SimulatorRig) -> None:
    smooth.command("position", ["left_finger_joint"], [0.03])
    state = smooth.step(1000)
    left, right = (positions(state)[f"{side}_finger_joint"] for side in ("left", "right"))
    assert left == pytest.approx(0.03, abs=1e-3)
    assert right == pytest.approx(left)
    assert efforts(state)["right_finger_joint"] == 0.0
    assert not smooth.poses


def test_a_position_is_reached_and_kept(smooth: SimulatorRig) -> None:
    smooth.command("position", ["joint2", "joint4"], [0.5, -1.0])
    state = smooth.step(3000)
    assert positions(state)["joint2"] == pytest.approx(0.5, abs=5e-3)
    assert positions(state)["joint4"] == pytest.approx(-1.0, abs=5e-3)


def test_a_velocity_is_held(smooth: SimulatorRig) -> None:
    smooth.command("velocity", ["joint1"], [0.4])
    state = smooth.step(2000)
    assert velocities(state)["joint1"] == pytest.approx(0.4, abs=1e-2)
