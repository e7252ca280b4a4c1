"""state_publisher in a process of its own: /tf and /tf_static for what joint_states brings."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from publisher_setup import Setup, expected_pose, received_pose
from robots import OWN_ROBOTS
from ros_graph import Graph


def check_poses(setup: Setup, q: np.ndarray, transforms) -> None:
    for transform in transforms:
        expected = expected_pose(setup.robot, q, transform)
        assert received_pose(transform) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["every_joint", "mimic_chain", "fixed_chains"])
def test_transforms_are_those_of_the_kinematics(graph: Graph, name: str) -> None:
    setup = Setup(graph, OWN_ROBOTS / f"{name}.urdf")
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
    check_poses(setup, q, received)


def test_of_a_hundred_joints_every_one_arrives_where_it_belongs(
    graph: Graph, tmp_path: Path
) -> None:
    text = ["<robot name='snake'><link name='l0'/>"]
    text += [
        f"<link name='l{k}'/><joint name='j{k}' type='continuous'><parent link='l{k - 1}'/>"
        f"<child link='l{k}'/><origin xyz='{k} 0 0'/><axis xyz='0 0 1'/></joint>"
        for k in range(1, 101)
    ]
    path = tmp_path / "snake.urdf"
    path.write_text("".join([*text, "</robot>"]))
    setup = Setup(graph, path)
    names = [f"j{k}" for k in range(100, 0, -1)]
    message = setup.show(names, [0.01 * k for k in range(100, 0, -1)], stamp=setup.time(1))
    for k, transform in enumerate(message.transforms, start=1):
        assert (transform.header.frame_id, transform.child_frame_id) == (f"l{k - 1}", f"l{k}")
        turn = transform.transform.rotation
        assert (turn.z, turn.w) == pytest.approx((math.sin(0.005 * k), math.cos(0.005 * k)))
        assert transform.transform.translation.x == float(k)
    assert len(message.transforms) == 100


def test_only_joints_of_the_message_and_never_an_old_position(arm: Setup) -> None:
    moved = []
    for k, names in enumerate((arm.joints[:-1], arm.joints[-1:])):
        message = arm.show(names, [0.01] * len(names), stamp=arm.time(k))
        moved.append({t.child_frame_id for t in message.transforms})
    assert moved[0].isdisjoint(moved[1])
    assert len(moved[1]) == 2, "the gripper's finger and its mimic follower"


def test_names_that_are_not_the_robots_are_ignored_with_one_debug_line(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "arm_about_x.urdf", "--log-level", "debug")
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
    check_poses(arm, arm.robot.configuration({first: 0.7}), message.transforms)
    assert len(arm.lines(f"'{first}' is given more than once")) == 1
    assert len(arm.lines(f"names '{second}/position', which is unknown")) == 1
    assert len({child for _, child in arm.transforms()}) == 1, "the second joint never moves"


def test_names_in_reverse_order_move_their_own_joints(arm: Setup) -> None:
    values = {name: 0.02 * k for k, name in enumerate(arm.joints, start=1)}
    message = arm.show(list(reversed(values)), list(reversed(values.values())), stamp=arm.time(0))
    check_poses(arm, arm.robot.configuration(values), message.transforms)
    assert len(message.transforms) == len(arm.joints) + 1


@pytest.mark.parametrize(("place", "bad"), [(0, math.nan), (1, math.inf)])
def test_a_value_that_is_not_finite_never_reaches_tf(arm: Setup, place: int, bad: float) -> None:
    names = list(reversed(arm.joints))
    values = [0.01] * len(names)
    broken_values = [bad if k == place else value for k, value in enumerate(values)]
    whole, broken, repaired = (
        {t.child_frame_id for t in message.transforms}
        for message in (
            arm.show(names, values, stamp=arm.time(0)),
            arm.show(names, broken_values, stamp=arm.time(1)),
            arm.show([names[place]], [0.02], stamp=arm.time(2)),
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


def test_every_number_arrives_as_a_plain_number_of_its_field(arm: Setup) -> None:
    message = arm.body_states(arm.joints, [0.01] * len(arm.joints), at=0.0)
    for transform in arm.tf[-1].transforms:
        r = transform.transform.rotation
        assert {type(x) for x in (r.x, r.y, r.z, r.w)} == {float}
        assert np.linalg.norm([r.x, r.y, r.z, r.w]) == pytest.approx(1.0, abs=1e-12)
        assert transform.header.stamp == message.header.stamp
    assert {type(body.valid) for body in message.bodies} == {bool}
    assert {type(body.age) for body in message.bodies} == {float}
