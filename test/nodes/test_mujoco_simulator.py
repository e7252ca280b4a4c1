"""mujoco_simulator as a process: what controllers see of a robot in MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from mujoco_rig import MujocoRig, measured
from nodes_page import TOPICS, table
from robodyn_ros import Robot, load
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.settings import Settings
from robots import example
from ros_graph import Graph, seconds
from simulator_rig import wrench_message

PANDA, UR5 = example("panda.urdf"), example("ur5_robot.urdf")
STEP = 1e-3
STILL = 2e-5
"""rad or m that a robot held by the torques of our model may move in half a second: what MuJoCo's
soft coupling of the fingers gives way."""


@pytest.fixture(scope="module")
def running() -> Iterator[MujocoRig]:
    """One paused Panda for the tests that need no other."""
    with closing(Graph()) as graph:
        yield MujocoRig(graph, PANDA)


@pytest.fixture
def panda(running: MujocoRig) -> MujocoRig:
    """That Panda where it begins."""
    return running.fresh()


@pytest.fixture(scope="module")
def robot() -> Robot:
    return load(PANDA, compile="off")


def bent(robot: Robot) -> np.ndarray:
    """Return a configuration (nq,) inside the limits."""
    lower = np.array([joint.limits.lower for joint in robot.model.own_joints])
    upper = np.array([joint.limits.upper for joint in robot.model.own_joints])
    return lower + np.linspace(0.3, 0.6, robot.model.nq) * (upper - lower)


def by_name(robot: Robot, numbers: np.ndarray) -> dict[str, float]:
    return dict(zip(robot.model.coordinate_names, numbers.tolist(), strict=True))


def test_joint_states_have_our_names_followers_last(panda: MujocoRig, robot: Robot) -> None:
    assert panda.names == robot.model.coordinate_names
    panda.show()
    assert [*panda.measured.position] == [*robot.model.coordinate_names, "panda_finger_joint2"]


def test_our_gravity_torques_keep_it_at_rest(panda: MujocoRig, robot: Robot) -> None:
    q = bent(robot)
    assert panda.set_state(panda.names, q).success
    panda.exert(by_name(robot, robot.gravity_force(q)))
    before = measured(panda.show())
    after = measured(panda.step(500))
    for name in panda.names:
        assert after.position[name] == pytest.approx(before.position[name], abs=STILL)
    weight = by_name(robot, robot.gravity_force(q))
    assert {name: after.effort[name] for name in panda.names} == pytest.approx(weight)


def test_a_payload_that_nobody_is_told_of_makes_it_sink(panda: MujocoRig, robot: Robot) -> None:
    q = bent(robot)
    assert panda.set_state(panda.names, q).success
    panda.exert(by_name(robot, robot.gravity_force(q)))
    assert panda.carry("panda_hand", 2.0, (0.0, 0.0, 0.1), (0.01, 0.01, 0.01)).success
    sunk = measured(panda.step(200))
    shift = np.array([sunk.position[name] for name in panda.names]) - q
    assert np.abs(shift).max() > 0.01
    loaded = load(PANDA, compile="off")
    loaded.set_payload("panda_hand", 2.0, (0.0, 0.0, 0.1), 0.01 * np.eye(3))
    assert panda.set_state(panda.names, q).success
    panda.exert(by_name(robot, loaded.gravity_force(q)))
    held = measured(panda.step(500))
    assert [held.position[name] for name in panda.names] == pytest.approx(q, abs=STILL)
    assert panda.carry("panda_hand", 0.0).success


def test_a_push_moves_it_as_our_jacobian_says(panda: MujocoRig, robot: Robot) -> None:
    """A force on the hand, balanced by J^T f on top of the weight."""
    q = bent(robot)
    assert panda.set_state(panda.names, q).success
    wrench = np.array([0.3, -0.2, 0.1, 5.0, -3.0, 4.0])
    R = robot.body_motion(q).rotation[robot.model.body_index("panda_hand")]
    turned = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    balance = robot.gravity_force(q) - robot.jacobian(q, "panda_hand").T @ turned
    panda.exert(by_name(robot, balance))
    assert panda.push("panda_hand", wrench, 0.5).success
    held = measured(panda.step(500))
    assert [held.position[name] for name in panda.names] == pytest.approx(q, abs=10 * STILL)
    moved = measured(panda.step(100))
    assert np.abs([moved.velocity[name] for name in panda.names]).max() > 0.05


def test_what_cannot_be_commanded_is_refused_with_a_line(panda: MujocoRig) -> None:
    for values, said in (
        ([1.0, 2.0], "2 numbers for 8 joints; give one for each of command_joints"),
        ([float("nan")] + [0.0] * 7, "the effort of 'panda_joint1' is nan; give a finite number"),
    ):
        # Said at most every few seconds for a topic.
        panda.graph.wait(lambda: (panda.send(values), panda.process.lines(said))[1], said)  # noqa: B023
    assert panda.status.mode.tolist() == [0] * 8
    reply = panda.push("nowhere", [0.0] * 6, 1.0)
    assert not reply.success
    assert "nowhere" in reply.message
    reply = panda.set_state(["panda_joint1"], [float("nan")])
    assert not reply.success


def test_a_motion_without_bounds_stands_still_and_says_so(panda: MujocoRig) -> None:
    panda.set_state(panda.names, [0.0] * 8, [1e7] * 8)
    panda.pause(False)
    panda.process.wait_for("leaves all bounds")
    assert panda.fresh().status.paused
    assert not panda.status.trouble
    panda.step(10)


def test_errors_of_sensors_are_set_while_it_runs(panda: MujocoRig) -> None:
    panda.watch_truth()
    none = {"position_noise": 0.0, "nan_states": 0.0, "dropped_states": 0.0}
    assert all(x for x, _ in panda.graph.set_parameters(panda.node, **none))
    ((done, _),) = panda.graph.set_parameters(panda.node, position_noise=0.01)
    assert done
    panda.states.clear()
    panda.truth.clear()
    panda.step(200)
    true = {x.header.stamp.nanosec: x for x in panda.truth}
    pairs = [
        (x, true[x.header.stamp.nanosec]) for x in panda.states if x.header.stamp.nanosec in true
    ]
    noise = np.concatenate([np.subtract(x.position, y.position) for x, y in pairs[-90:]])
    assert np.std(noise) == pytest.approx(0.01, rel=0.2)
    assert panda.graph.set_parameters(panda.node, position_noise=0.0, nan_states=1.0)
    state = panda.step(2)
    assert np.isnan(state.position).sum() == 1
    ((refused, reason),) = panda.graph.set_parameters(panda.node, dropped_states=2.0)
    assert not refused
    assert "out of range" in reason
    assert panda.graph.set_parameters(panda.node, nan_states=0.0)


def test_wrenches_of_a_topic_act(panda: MujocoRig) -> None:
    publisher = panda.graph.publisher(
        type(wrench_message("", [0.0] * 6)), f"{panda.node}/external_wrench"
    )
    panda.graph.connect(publisher)
    publisher.publish(wrench_message("panda_hand", [0.0, 0.0, 0.0, 0.0, 50.0, 0.0]))
    panda.graph.wait(lambda: panda.wrenches, "the wrench")
    assert panda.wrenches[-1].wrench.force.y == 50.0


def test_an_arm_in_real_time_holds_falls_and_times_out(graph: Graph) -> None:
    """A UR5 with brakes until it is commanded, whose drives let go without a controller."""
    arm = MujocoRig(graph, UR5, paused=False, hold=True, effort_timeout=0.05, command_delay=0.004)
    begun = arm.run_for(0.2).position
    assert arm.measured.position == pytest.approx(begun, abs=1e-4)

    def falls() -> bool:
        arm.send([0.0] * 6)
        return abs(arm.measured.velocity["shoulder_lift_joint"]) > 0.1

    graph.wait(falls, "it to fall")
    graph.wait(lambda: arm.status.mode.tolist() == [0] * 6, "the time-out")
    stamps = np.array([seconds(x.header.stamp) for x in arm.states])
    assert np.diff(stamps) == pytest.approx(0.002, abs=1e-9)
    assert arm.process.stop() == 0
    assert "Traceback" not in arm.process.output


def test_deliberate_errors_act_bit_by_bit_as_in_the_library(graph: Graph) -> None:
    """Mass, friction by name, delays and noise; again after a reset that sets time back."""
    wrong = {
        "mass_factor": 1.1,
        "mass_factors.forearm_link": 0.8,
        "extra_frictions.elbow_joint": 2.0,
        "command_delay": 0.005,
        "state_delay": 0.01,
    }
    others = {"integrator": "rk4", "velocity_noise": 0.02, "reset_clock": True, "seed": 3}
    arm = MujocoRig(graph, UR5, **wrong, **others)
    arm.watch_truth()
    settings = Settings(
        integrator="rk4",
        errors=ModelErrors(
            1.1, {"forearm_link": 0.8}, 0.0, {}, 0.0, {"elbow_joint": 2.0}, 5e-3, 0.01
        ),
    )
    model = load(UR5, compile="off").model
    twin = MujocoSimulator(plant_of(model), Robot(model, compile="off"), settings)
    push = dict(zip(arm.names, [5.0, -20.0, 10.0, 1.0, 0.5, 0.2], strict=True))
    readings = []
    for _ in range(2):
        arm.fresh()
        arm.truth.clear()
        arm.deliver(push)  # no status tells of a command that waits
        readings.append(arm.step(100))
    twin.command_effort(arm.names, [*push.values()])
    twin.advance(100)
    graph.wait(
        lambda: arm.truth and arm.true_state.time == readings[1].header.stamp.nanosec / 1e9, "it"
    )
    assert [arm.true_state.position[name] for name in arm.names] == twin.q.tolist()
    assert [arm.true_state.velocity[name] for name in arm.names] == twin.v.tolist()
    measured_q, measured_v = twin.physics.plant.coordinates.ours(*twin.measured[:2])
    assert [*readings[1].position] == measured_q.tolist()
    assert [*readings[1].velocity] != measured_v.tolist()
    assert [*readings[1].velocity] == pytest.approx(measured_v, abs=0.1)
    assert readings[0].velocity == readings[1].velocity
    assert np.abs(twin.q).max() > 1e-3


def test_its_topics_are_those_of_the_page(graph: Graph) -> None:
    found = {
        ("in" if kind == "in" else "out", name): types
        for kind, name, types, _ in table("mujoco_simulator", TOPICS)
    }
    hardware = MujocoRig(graph, UR5)
    node, place = graph.node, hardware.place
    ends = {
        "in": node.get_subscriber_names_and_types_by_node("mujoco_simulator", place),
        "out": node.get_publisher_names_and_types_by_node("mujoco_simulator", place),
    }
    running = {
        (direction, name): kinds[0].replace("/msg/", "/")
        for direction, topics in ends.items()
        for name, kinds in topics
        if "parameter_events" not in name and "rosout" not in name
    }
    documented = {
        (direction, _full(name, place)): kind
        for (direction, name), kind in found.items()
        if (direction, name) != ("in", "robot_description")  # where no parameter gives it
    }
    assert running == documented


def _full(name: str, place: str) -> str:
    if name.startswith("~"):
        return name.replace("~", f"{place}/mujoco_simulator")
    return f"{place}/{name.lstrip('/')}"
