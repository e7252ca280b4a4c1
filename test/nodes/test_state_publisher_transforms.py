"""state_publisher in a process of its own: /tf and /tf_static for what joint_states brings."""

from __future__ import annotations

import math
import signal
from collections.abc import Iterator

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray

from publisher_setup import ARM, Setup
from robodyn_ros import load
from robodyn_ros.robot import Robot
from robodyn_ros.spatial import quaternion_to_matrix
from robots import OWN_ROBOTS
from ros_graph import Graph

ARM_JOINTS = list(load(ARM, compile="off").model.joint_names)


@pytest.fixture(scope="module")
def running() -> Iterator[Setup]:
    """One state publisher of the demo arm for all tests that need no other."""
    graph = Graph()
    yield Setup(graph, place="/running")
    graph.close()


@pytest.fixture
def arm(running: Setup) -> Setup:
    """The running state publisher, in a time of the test's own."""
    return running.fresh()


def expected_pose(robot: Robot, q: np.ndarray, parent: str, child: str) -> np.ndarray:
    motion = robot.body_motion(q)
    i, j = robot.model.body_index(parent), robot.model.body_index(child)
    R = motion.rotation[i].T
    return np.column_stack([R @ motion.rotation[j], R @ (motion.position[j] - motion.position[i])])


def received_pose(transform) -> np.ndarray:
    t, r = transform.transform.translation, transform.transform.rotation
    rotation = quaternion_to_matrix(np.array([r.x, r.y, r.z, r.w]))
    return np.column_stack([rotation, [t.x, t.y, t.z]])


@pytest.mark.parametrize("name", ["demo_arm", "every_joint", "mimic_chain", "fixed_chains"])
def test_transforms_are_those_of_the_kinematics(graph: Graph, name: str) -> None:
    path = ARM if name == "demo_arm" else OWN_ROBOTS / f"{name}.urdf"
    setup = Setup(graph, path)
    model = setup.robot.model
    q = setup.robot.random_configuration(4)
    single = [j for j in model.own_joints if j.joint.nv == 1]
    names = [j.name for j in reversed(single)]
    values = [q[j.q_index] for j in reversed(single)]
    moving = setup.show(names, values, stamp=setup.time(0))
    graph.wait(lambda: bool(setup.static), "static transforms")
    received = [*moving.transforms, *setup.static[-1].transforms]
    moved = {j.name for j in single}
    children = {
        model.body_names[b]
        for b, j in model.moving
        if j.joint.nv == 0 or (j.driver or j.name) in moved
    }
    assert {t.child_frame_id for t in received} == children
    assert len(received) == len(children)
    for transform in received:
        expected = expected_pose(
            setup.robot, q, transform.header.frame_id, transform.child_frame_id
        )
        assert received_pose(transform) == pytest.approx(expected, abs=1e-12)


def test_planar_and_floating_joints_are_named_once_and_never_shown_as_fixed(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "every_joint.urdf")
    for k in range(5):
        names = ["left_wrist", "right_shoulder", "string"]
        setup.show(names, [0.1, 0.2, 0.3], stamp=setup.time(k))
    children = {child for _, child in setup.transforms()}
    children |= {t.child_frame_id for m in setup.static for t in m.transforms}
    assert children.isdisjoint({"right_arm", "float"})
    for joint, kind in (("right_shoulder", "planar"), ("string", "floating")):
        (line,) = setup.process.lines(f"'{joint}'")
        assert "WARN" in line
        assert kind in line


def test_states_without_a_stamp_get_the_nodes_time_and_one_warning(arm: Setup) -> None:
    before = arm.graph.node.get_clock().now().nanoseconds / 1e9
    for k in range(10):
        arm.send(arm.joints[:2], [0.1 * k, 0.2])
        arm.graph.wait(lambda: len(arm.tf) > k, "transforms")  # noqa: B023 - called at once
    after = arm.graph.node.get_clock().now().nanoseconds / 1e9
    assert all(before <= stamp <= after for stamp in arm.stamps())
    assert len(arm.lines("without a stamp")) == 1


def test_after_a_clock_reset_transforms_resume_and_a_straggler_blocks_nothing(arm: Setup) -> None:
    sent = (arm.time(100.0), arm.time(101.0), 0.1, 0.2, arm.time(101.5), 0.3)
    for stamp in sent:
        arm.send(arm.joints[:1], [0.1], stamp=stamp)
    arm.wait_for(0.3)
    assert arm.stamps() == [sent[0], sent[1], 0.1, 0.2, 0.3]
    assert len(arm.lines("jumped back")) == 1


def test_the_same_state_five_times_gives_one_transform_per_child_and_stamp(arm: Setup) -> None:
    sent = [arm.time(0.1 * k) for k in range(3)]
    for stamp in sent:
        for _ in range(5):
            arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
        arm.wait_for(stamp)
    arm.graph.spin(0.3)
    assert len(arm.transforms()) == len(set(arm.transforms()))
    assert arm.stamps() == sent


def test_only_joints_of_the_message_and_never_an_old_position(arm: Setup) -> None:
    moved = []
    for k, names in enumerate((arm.joints[:-1], arm.joints[-1:])):
        message = arm.show(names, [0.01] * len(names), stamp=arm.time(k))
        moved.append({t.child_frame_id for t in message.transforms})
    assert moved[0].isdisjoint(moved[1])
    assert len(moved[1]) == 2, "the gripper's finger and its mimic follower"


def test_names_that_are_not_the_robots_are_ignored_with_one_debug_line(graph: Graph) -> None:
    setup = Setup(graph, ARM, "--log-level", "state_publisher:=debug")
    for k in range(5):
        setup.show(["wheel", setup.joints[0], "lift"], [1.0, 0.1, 2.0], stamp=setup.time(k))
    assert len({child for _, child in setup.transforms()}) == 1
    (line,) = setup.process.lines("'wheel', 'lift'")
    assert "DEBUG" in line


def test_repeated_and_decorated_names_are_warned_of_once_by_name(arm: Setup) -> None:
    first, second = arm.joints[:2]
    for k in range(5):
        arm.send([f"{second}/position"], [0.7], stamp=arm.time(k))
        message = arm.show([first, first], [0.3, 0.7], stamp=arm.time(k))
    q = arm.robot.configuration({first: 0.7})
    (transform,) = message.transforms
    expected = expected_pose(arm.robot, q, transform.header.frame_id, transform.child_frame_id)
    assert received_pose(transform) == pytest.approx(expected, abs=1e-12)
    assert len(arm.lines(f"'{first}' is given more than once")) == 1
    assert len(arm.lines(f"names '{second}/position', which is unknown")) == 1
    assert len({child for _, child in arm.transforms()}) == 1, "the second joint never moves"


@pytest.mark.parametrize(("place", "bad"), [(0, math.nan), (1, math.inf)])
def test_a_value_that_is_not_finite_never_reaches_tf(arm: Setup, place: int, bad: float) -> None:
    names = list(reversed(arm.joints))
    values = [0.1] * len(names)
    broken_values = [bad if k == place else value for k, value in enumerate(values)]
    whole, broken, repaired = (
        {t.child_frame_id for t in message.transforms}
        for message in (
            arm.show(names, values, stamp=arm.time(0)),
            arm.show(names, broken_values, stamp=arm.time(1)),
            arm.show([names[place]], [0.2], stamp=arm.time(2)),
        )
    )
    for message in arm.tf:
        for transform in message.transforms:
            assert np.isfinite(received_pose(transform)).all()
    assert whole - broken == repaired
    assert arm.lines(f"'{names[place]}': position is not finite")


def test_arrays_of_wrong_length_are_rejected_and_the_rest_is_used(arm: Setup) -> None:
    names, values = arm.joints[:3], [0.1, 0.2, 0.3]
    arm.send(names, values, [], stamp=arm.time(0), effort=[1.0] * 5)
    arm.send(names, values, [1.0, 2.0], stamp=arm.time(1))
    arm.send(names, values[:2], stamp=arm.time(2))
    arm.show(names, values, stamp=arm.time(3))
    assert arm.stamps() == [arm.time(0), arm.time(1), arm.time(3)]
    for text in ("effort has 5", "velocity has 2", "position has 2"):
        assert len(arm.lines(f"{text} entries for 3 names")) == 1


def test_messages_without_positions_move_nothing_and_hurt_nothing(arm: Setup) -> None:
    arm.send(arm.joints[:1], [], [1.0], stamp=arm.time(0))
    arm.send(arm.joints, stamp=arm.time(1))
    arm.send([], stamp=arm.time(2))
    arm.show(arm.joints[:1], [0.1], stamp=arm.time(3))
    assert arm.stamps() == [arm.time(3)]


def test_states_2_ms_apart_all_appear(arm: Setup) -> None:
    """Nothing is decimated; sent in bursts that wait for their end, so that no queue overflows."""
    sent = [arm.time(0.002 * k) for k in range(500)]
    for k, stamp in enumerate(sent):
        arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
        if k % 5 == 4:
            arm.wait_for(stamp)
    assert arm.stamps() == sent


def test_of_a_backlog_the_newest_is_published_and_the_rest_counted(arm: Setup) -> None:
    diagnostics = arm.graph.listen(DiagnosticArray, "/running/diagnostics")
    arm.graph.hear("/running/diagnostics")

    def counted() -> int:
        found = [
            int(value.value)
            for message in diagnostics
            for status in message.status
            for value in status.values
            if value.key == "merged only, backlog"
        ]
        return found[-1] if found else -1

    arm.graph.wait(lambda: counted() >= 0, "diagnostics")
    before = counted()
    arm.process.process.send_signal(signal.SIGSTOP)
    sent = [arm.time(0.002 * k) for k in range(40)]
    for stamp in sent:
        arm.send(arm.joints, [0.1] * len(arm.joints), stamp=stamp)
    arm.graph.spin(0.2)
    arm.process.process.send_signal(signal.SIGCONT)
    arm.wait_for(sent[-1])
    arm.graph.wait(lambda: counted() > before, "the backlog in the diagnostics")
    assert len(arm.tf) + counted() - before == len(sent)
    assert len(arm.tf) <= 10
