"""Nodes that follow the simulator: its time, its states, the efforts behind them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, JointDynamics
from sensor_msgs.msg import JointState

from publisher_setup import ARM
from robodyn_ros import load
from ros_graph import Graph, seconds
from simulator_rig import SimulatorRig, positions
from tf2_msgs.msg import TFMessage

EXAMPLES = Path(__file__).parents[2] / "examples"
WITHIN_A_STEP = 1e-6
"""N m or N: accelerations are worked out from the very state and efforts that were published."""
CLOSED = 1e-9
"""m or rad of a published configuration of a closed mechanism that is off its constraints."""
START = {"joint1": 0.3, "joint2": 0.8, "joint4": -1.2}


def test_efforts_balance_the_motion_that_they_cause(graph: Graph) -> None:
    """With accelerations from the efforts measured nothing is left of them."""
    rig = SimulatorRig(graph, ARM)
    rig.start("robodyn_node", acceleration_source="forward_dynamics")
    heard = graph.listen(JointDynamics, f"{rig.place}/robodyn_node/joint_dynamics")
    graph.hear(f"{rig.place}/robodyn_node/joint_dynamics")
    assert rig.set_state(START, START.values()).success
    rig.command("effort", ["joint1", "joint2"], [4.0, -3.0])
    rig.pause(False)
    graph.wait(lambda: len(heard) > 50 and all(heard[-1].valid), "efforts")
    rig.pause()
    told = [message for message in heard if all(message.valid)]
    moving = max(told, key=lambda message: np.abs(message.velocity).max())
    rows = dict(zip(moving.names, moving.measured, strict=True))
    assert rows["joint1"] == pytest.approx(4.0)
    assert np.abs(moving.velocity).max() > 0.01
    assert np.abs(moving.residual).max() < WITHIN_A_STEP


def test_transforms_and_the_clocks_of_others_follow_simulated_time(graph: Graph) -> None:
    rig = SimulatorRig(graph, ARM, compiled=False)
    tf = graph.listen(TFMessage, f"{rig.place}/tf")
    rig.start("robodyn_node")
    rig.pause(False)
    graph.wait(lambda: len(tf) > 20, "transforms")
    stamps = {seconds(state.header.stamp) for state in rig.states}
    assert {seconds(message.transforms[0].header.stamp) for message in tf[-5:]} <= stamps
    # What another node stamps with its own time has the simulator's.
    played = graph.listen(JointState, f"{rig.place}/played")
    demo = {"robot_description_file": ARM, "use_sim_time": True}
    moved = ["-r", "joint_states:=played", *rig.arguments]
    graph.start("joint_trajectory_demo", demo, *moved)
    graph.wait(lambda: len(played) > 3, "joint states of another node")
    times = [seconds(clock.clock) for clock in rig.clock]
    assert times[0] <= seconds(played[-1].header.stamp) <= times[-1] + 1.0


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_a_closed_mechanism_is_simulated_on_its_constraints(graph: Graph, name: str) -> None:
    path = EXAMPLES / f"{name}.yaml"
    robot = load(path, compile="off")
    rig = SimulatorRig(graph, path)
    state = rig.step(200)
    twin = rig.twin()
    twin.advance(200)
    q = np.array([positions(state)[name] for name in twin.robot.model.coordinate_names])
    assert q.tolist() == twin.q.tolist()
    assert np.abs(robot.constraint_residual(q)).max() < CLOSED
    rig.command("effort", ["motor"], [1.0])
    assert not rig.set_state(["motor"], [float("nan")]).success
    assert rig.set_state(["motor"], [1.5], [0.2]).success
    assert positions(rig.show())["motor"] == pytest.approx(1.5, abs=1e-9)
    rig.reset()
    rig.start("robodyn_node")
    bodies = graph.listen(BodyStateArray, f"{rig.place}/robodyn_node/body_states")
    rig.pause(False)
    graph.wait(lambda: bodies and all(x.valid for x in bodies[-1].bodies), "valid bodies")


def test_passive_joints_may_be_left_out(graph: Graph) -> None:
    path = EXAMPLES / "four_bar.yaml"
    rig = SimulatorRig(graph, path, compiled=False, publish_passive=False)
    assert rig.show().name == ["motor"]


def test_a_floating_base_falls_as_a_pose(graph: Graph) -> None:
    rig = SimulatorRig(graph, ARM, base="floating", step=0.01, compiled=False)
    rig.step(10)
    graph.wait(lambda: rig.poses, "poses")
    rig.poses.clear()
    state = rig.step(10)
    stamp = state.header.stamp
    graph.wait(lambda: rig.poses and rig.poses[-1].header.stamp == stamp, "the last pose")
    (joint,) = rig.poses[-1].joint_names
    assert joint == "floating_base"
    fallen = 0.2
    assert rig.poses[-1].transforms[0].translation.z == pytest.approx(-9.81 * fallen**2 / 2)
    assert rig.poses[-1].twist[0].linear.z == pytest.approx(-9.81 * fallen)
    rig.start("robodyn_node", base="floating", publish_base=True)
    bodies = graph.listen(BodyStateArray, f"{rig.place}/robodyn_node/body_states")
    rig.pause(False)
    graph.wait(lambda: bodies and all(x.valid for x in bodies[-1].bodies), "valid bodies")
    assert bodies[-1].bodies[1].pose.position.z < -0.1


def test_a_random_beginning_is_the_same_for_a_seed(graph: Graph) -> None:
    options = {"compiled": False, "initial_state": "random"}
    begins = [
        positions(SimulatorRig(graph, ARM, seed=seed, **options).show()) for seed in (3, 3, 4)
    ]
    assert begins[0] == begins[1] != begins[2]
    limits = {j.name: j.limits for _, j in load(ARM, compile="off").model.moving}
    for name, value in begins[0].items():
        assert limits[name].lower <= value <= limits[name].upper
