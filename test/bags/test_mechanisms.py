"""Bags of floating bases, joints moved as poses, and closed mechanisms."""

from __future__ import annotations

import numpy as np
import pytest

from bag_files import joint_state, poses, stamps, states
from robodyn_ros.bags import Choices, Conditioning, replay
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot, find_robot, load
from robodyn_ros.spatial import quaternion_from_matrix, rotation_exponential
from small_mechanisms import four_bar

STILL = Conditioning(filtered_acceleration=False)
ROUNDING = 1e-9


def base_motion(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return poses (n, 7) of a base that turns about a fixed axis, and its twists (n, 6)."""
    t, p, v, _ = states(count, 3, seed=3)
    axis = np.array([0.6, 0.0, 0.8])
    R = np.array([rotation_exponential(axis * x) for x in np.sin(t)])
    quaternion = np.asarray(quaternion_from_matrix(R))
    return np.hstack([p, quaternion]), np.hstack([axis * np.cos(t)[:, None], v])


@pytest.mark.parametrize("with_twist", [True, False])
def test_a_floating_base_is_moved_by_poses(make, arm_text: str, with_twist: bool) -> None:
    robot = load(arm_text, base="floating", compile="off")
    base, names = robot.model.moving[0][1].name, robot.model.coordinate_names[6:]
    t, q, v, _ = states(300, len(names))
    pose, twist = base_motion(300)
    messages = []
    for k, stamp in enumerate(stamps(t)):
        messages.append(poses([base], [pose[k]], [twist[k]] if with_twist else [], stamp=stamp))
        messages.append(joint_state(names, q[k], v[k], stamp=stamp))
    (found,) = list(replay(make(messages), robot, Choices(conditioning=STILL)))
    assert len(found) == 599
    own = slice(100, -100, 2)
    sign = np.sign(found.q[own, 6] * pose[50:-50, 6])[: len(found.q[own])]
    expected = pose[50:-50][: len(sign)]
    assert found.q[own, :3] == pytest.approx(expected[:, :3])
    assert found.q[own, 3:7] * sign[:, None] == pytest.approx(expected[:, 3:], abs=1e-9)
    motion = robot.body_motion(found.q[own], found.velocity[own])
    accuracy = 1e-9 if with_twist else 0.02
    assert motion.angular_velocity[:, 1] == pytest.approx(twist[50:-50, :3], abs=accuracy)
    assert motion.linear_velocity[:, 1] == pytest.approx(twist[50:-50, 3:], abs=accuracy)
    assert found.valid[2:].all()
    direct = robot.inverse_dynamics(found.q, found.velocity, found.acceleration, friction=True)
    assert found.effort == pytest.approx(direct, abs=ROUNDING)


def test_accelerations_of_a_base_follow_from_its_poses(make, arm_text: str) -> None:
    robot = load(arm_text, base="floating", compile="off")
    base, names = robot.model.moving[0][1].name, robot.model.coordinate_names[6:]
    t, _, _, a = states(400, 3, seed=3)
    pose, _ = base_motion(400)
    messages = [joint_state(names, np.zeros(len(names)), stamp=stamps(t)[0])]
    messages += [poses([base], [pose[k]], stamp=s) for k, s in enumerate(stamps(t))]
    choices = Choices(conditioning=Conditioning(stale_after=0.0))
    (found,) = list(replay(make(messages), robot, choices))
    motion = robot.body_motion(found.q, found.velocity, found.acceleration)
    inner = slice(50, -50)
    axis = np.array([0.6, 0.0, 0.8])
    angular = -np.sin(t)[:, None] * axis
    assert motion.angular_acceleration[1:][inner, 1] == pytest.approx(angular[1:][inner], abs=0.05)
    assert motion.linear_acceleration[1:][inner, 1] == pytest.approx(a[1:][inner], abs=0.05)


def test_a_base_that_is_not_told_is_named(make, arm_text: str, run) -> None:
    robot = load(arm_text, base="floating", compile="off")
    bag = make(run)
    with pytest.raises(ArgumentError, match=r"does not tell '.*' of robot"):
        list(replay(bag, robot))
    (found,) = list(replay(bag, robot, Choices(rest="neutral")))
    assert (found.q[:, :7] == [0, 0, 0, 0, 0, 0, 1]).all()
    assert found.valid.all()


@pytest.mark.parametrize("told", [["a"], ["d"], ["a", "b", "d", "c"]])
def test_a_four_bar_follows_from_what_is_told(make, told: list[str]) -> None:
    model, begin = four_bar(1.2)
    robot = Robot(model, compile="off").settled_at(begin)
    names = list(model.coordinate_names)
    t = 0.01 * np.arange(200)
    inputs = 1.2 + 0.3 * np.sin(4.0 * t)
    q = np.array([x.q for x in robot.follow(begin, [{"a": float(x)} for x in inputs])])
    columns = [names.index(name) for name in told]
    bag = make([joint_state(told, q[k, columns], stamp=s) for k, s in enumerate(stamps(t))])
    one = replay(bag, robot)
    (found,) = list(one)
    assert set(one.robot.independent_names) <= set(told)
    assert found.q == pytest.approx(q, abs=1e-7)
    assert np.max(np.abs(one.robot.constraint_residual(found.q))) < ROUNDING
    inner = slice(20, -20)
    rate = 1.2 * np.cos(4.0 * t)
    assert found.velocity[inner, 0] == pytest.approx(rate[inner], abs=0.05)
    assert found.valid[2:].all()
    terms = robot.effort_terms(found.q, found.velocity, found.acceleration)
    assert found.effort == pytest.approx(terms.total, abs=1e-6)


def test_a_mechanism_that_nothing_tells_of_is_named(make) -> None:
    model, _ = four_bar()
    bag = make([joint_state(["elsewhere"], [1.0])])
    with pytest.raises(ArgumentError, match="tells nothing of robot 'four bar'"):
        list(replay(bag, Robot(model, compile="off")))


def test_a_four_bar_that_cannot_close_is_not_valid_there(make) -> None:
    model, begin = four_bar()
    robot = Robot(model, compile="off")
    t = 0.01 * np.arange(300)
    rocker = begin[2] + np.where((t > 1.0) & (t < 1.5), 2.5, 0.0)
    messages = [joint_state(["d"], [x], stamp=s) for x, s in zip(rocker, stamps(t), strict=True)]
    (found,) = list(replay(make(messages), robot))
    lost = np.isnan(found.q[:, 0])
    assert lost.any()
    assert not lost[:99].any()
    assert not found.valid[lost].any()


def test_the_legs_of_a_stewart_platform_move_it(make) -> None:
    robot = load(find_robot("examples/stewart_platform.yaml"), compile="off")
    model = robot.model
    legs = list(robot.independent_names)
    begin, _ = robot.initial_state
    place = [model.own_joint(name).q_index for name in legs]
    t = 0.01 * np.arange(60)
    lengths = begin[place] + 0.02 * np.sin(t[:, None] * np.arange(1, 7))
    bag = make([joint_state(legs, lengths[k], stamp=s) for k, s in enumerate(stamps(t))])
    (found,) = list(replay(bag, robot, Choices(conditioning=STILL)))
    assert found.q[:, place] == pytest.approx(lengths)
    assert np.max(np.abs(robot.constraint_residual(found.q))) < ROUNDING
    assert found.valid[2:].all()
    moved = robot.complete(found.q, found.velocity)
    assert found.velocity == pytest.approx(np.asarray(moved.v), abs=ROUNDING)
