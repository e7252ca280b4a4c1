"""state_publisher in a process of its own: ~/body_states."""

from __future__ import annotations

import numpy as np
import pytest

from publisher_setup import Setup, matrix_of, xyz
from robots import OWN_ROBOTS
from ros_graph import Graph

TOLERANCE = 1e-12


def test_states_are_those_of_the_kinematics_in_every_field(graph: Graph) -> None:
    setup = Setup(graph, bodies=True, acceleration_source="none", frame_prefix="r1/")
    robot, model = setup.robot, setup.robot.model
    rng = np.random.default_rng(7)
    q, v = robot.random_configuration(rng), rng.uniform(-1.0, 1.0, model.nv)
    order = list(reversed(model.own_joints))
    message = setup.body_states(
        [j.name for j in order],
        [q[j.q_index] for j in order],
        [v[j.v_index] for j in order],
        at=1.0,
    )
    assert message.header.frame_id == "r1/" + model.body_names[0]
    assert [body.name for body in message.bodies] == list(model.body_names)
    motion, com = robot.body_motion(q, v), robot.center_of_mass_motion(q, v)
    for i, body in enumerate(message.bodies):
        received = {
            "position": (xyz(body.pose.position), motion.position[i]),
            "rotation": (
                matrix_of(body.pose.orientation),
                motion.rotation[i],
            ),
            "linear velocity": (xyz(body.twist.linear), motion.linear_velocity[i]),
            "angular velocity": (xyz(body.twist.angular), motion.angular_velocity[i]),
            "linear": (xyz(body.acceleration.linear), motion.linear_acceleration[i]),
            "angular": (xyz(body.acceleration.angular), motion.angular_acceleration[i]),
            "com": (xyz(body.center_of_mass), com.position[i]),
            "com velocity": (xyz(body.center_of_mass_velocity), com.velocity[i]),
            "com acceleration": (xyz(body.center_of_mass_acceleration), com.acceleration[i]),
        }
        for name, (actual, expected) in received.items():
            assert actual == pytest.approx(expected, abs=TOLERANCE), f"{body.name}: {name}"
        assert body.valid
        assert body.age == 0.0


def test_velocity_and_acceleration_are_not_exchanged(arm: Setup) -> None:
    """Velocity 1 at acceleration 7: the last link of the arm turns about one axis."""
    joint = arm.joints[0]
    for k in range(60):
        speed = 1.0 + 0.01 * k * 7.0
        message = arm.body_states([joint], [0.0], [speed], at=0.01 * k)
    body = message.bodies[arm.robot.model.body_names.index(arm.child(joint))]
    assert np.linalg.norm(xyz(body.twist.angular)) == pytest.approx(speed)
    assert np.linalg.norm(xyz(body.acceleration.angular)) == pytest.approx(7.0, rel=1e-6)


def test_bodies_are_valid_once_all_joints_before_them_were_received(arm: Setup) -> None:
    first, rest = arm.joints[0], arm.joints[1:]
    model = arm.robot.model
    # A step back by more than a second: what came before is forgotten.
    arm.body_states(arm.joints, [0.1] * len(arm.joints), at=0.0)
    arm.body_states([first], [0.1], [0.0], at=-500.0)
    message = arm.body_states([first], [0.1], [0.0], at=-499.9)
    tip = message.bodies[-1]
    assert message.bodies[0].valid
    assert message.bodies[model.body_names.index(arm.child(first))].valid
    assert (tip.valid, tip.age) == (False, -1.0)
    message = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=-499.7)
    assert all(body.valid for body in message.bodies)
    assert message.bodies[-1].age == pytest.approx(0.2)
    assert message.bodies[0].age == 0.0


def test_a_joint_that_fell_silent_makes_what_hangs_on_it_invalid(arm: Setup) -> None:
    rest = arm.joints[1:]
    arm.body_states(arm.joints, [0.1] * len(arm.joints), [0.0] * len(arm.joints), at=0.0)
    fresh = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=0.9)
    assert all(body.valid for body in fresh.bodies)
    stale = arm.body_states(rest, [0.1] * len(rest), [0.0] * len(rest), at=1.1)
    flags = {body.name: (body.valid, body.age) for body in stale.bodies}
    assert flags[arm.robot.model.body_names[0]] == (True, 0.0)
    assert flags[arm.child(arm.joints[0])] == (False, pytest.approx(1.1))
    assert flags[arm.robot.model.body_names[-1]] == (False, pytest.approx(1.1))


def test_one_value_that_is_not_finite_is_marked_and_nothing_else_is_spoilt(arm: Setup) -> None:
    count = len(arm.joints)
    for k in range(2):
        arm.body_states(arm.joints, [0.1] * count, [0.0] * count, at=0.1 * k)
    values = [0.2] * count
    values[2] = float("nan")
    message = arm.body_states(arm.joints, values, [0.0] * count, at=0.3)
    behind = arm.robot.model.subtree(arm.robot.model.body_index(arm.child(arm.joints[2])))
    for i, body in enumerate(message.bodies):
        assert body.valid == (i not in behind)
        assert np.isfinite([*xyz(body.pose.position), *xyz(body.acceleration.linear)]).all()


def test_velocity_alone_turns_the_body_and_leaves_it_invalid(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "every_joint.urdf", bodies=True)
    message = setup.body_states(["roll"], [], [2.0], at=-500.0)
    bodies = {body.name: body for body in message.bodies}
    assert np.linalg.norm(xyz(bodies["wheel"].twist.angular)) == pytest.approx(2.0)
    assert not bodies["wheel"].valid
    assert not bodies["float"].valid, "nothing moved its floating joint yet"
    assert setup.time(-500.0) not in setup.stamps()


def test_a_continuous_joint_that_wraps_goes_on_turning(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "every_joint.urdf", bodies=True, filter_time_constant=0.0)
    rates = {3: (2.0 * np.pi - 6.28) / 0.01, 4: 1.0}
    for k, angle in enumerate((3.12, 3.13, 3.14, -3.14, -3.13)):
        message = setup.body_states(["hip", "roll"], [0.0, angle], at=0.01 * k)
        (wheel,) = [body for body in message.bodies if body.name == "wheel"]
        if k in rates:
            assert np.linalg.norm(xyz(wheel.twist.angular)) == pytest.approx(rates[k])
            assert wheel.valid


def test_an_outlier_is_not_valid_for_its_message_and_moves_no_velocity(arm: Setup) -> None:
    joint = arm.joints[0]
    body = arm.robot.model.body_index(arm.child(joint))
    flags = []
    for k in range(40):
        angle = 0.001 * k if k != 30 else 1.5
        message = arm.body_states([joint], [angle], at=0.01 * k)
        flags.append(message.bodies[body].valid)
        if k > 20:
            assert np.linalg.norm(xyz(message.bodies[body].twist.angular)) == pytest.approx(0.1)
            assert np.linalg.norm(xyz(message.bodies[body].acceleration.angular)) < 1e-3
    assert flags[1:] == [k != 30 for k in range(1, 40)]
    assert arm.lines(f"position of '{joint}' .1.5 .* does not follow")


def test_an_outlying_velocity_does_not_become_an_acceleration(arm: Setup) -> None:
    """One sample of -5493 deg/s among 0.1 rad/s."""
    joint = arm.joints[0]
    body = arm.robot.model.body_index(arm.child(joint))
    for k in range(40):
        speed = 0.1 if k != 30 else -95.9
        message = arm.body_states([joint], [0.001 * k], [speed], at=0.01 * k)
        if k > 1:
            assert message.bodies[body].valid == (k != 30)
            assert np.linalg.norm(xyz(message.bodies[body].acceleration.angular)) < 1e-6


def test_arm_and_gripper_at_their_own_rates_are_merged_with_an_age_each(arm: Setup) -> None:
    """125 Hz and 10 Hz; then the gripper falls silent."""
    finger, others = arm.joints[-1], arm.joints[:-1]
    count = len(others)
    wrist, tip = arm.child(others[-1]), arm.child(finger)
    arm.body_states([finger], [0.01], [0.0], at=0.0)
    for k in range(50):
        if k % 12 == 11:
            arm.body_states([finger], [0.01], [0.0], at=0.008 * k + 0.002)
        message = arm.body_states(others, [1e-3] * count, [0.0] * count, at=0.008 * k + 0.004)
        state = {body.name: body for body in message.bodies}
        if k > 12:
            assert state[tip].valid
            assert state[tip].age == pytest.approx(0.008 * ((k - 11) % 12) + 0.002, abs=1e-6)
            assert state[wrist].age == 0.0
    last = arm.body_states(others, [1e-3] * count, [0.0] * count, at=2.0)
    state = {body.name: (body.valid, body.age) for body in last.bodies}
    assert state[tip] == (False, pytest.approx(2.0 - 0.378, abs=1e-6))
    assert state[wrist] == (True, 0.0)


def test_what_nobody_hears_is_not_made(graph: Graph) -> None:
    setup = Setup(graph, OWN_ROBOTS / "arm_about_z.urdf")
    setup.show(setup.joints[:1], [0.1], stamp=setup.time(0))
    graph.wait(lambda: "tf" in setup.values("joint states"), "the counts")
    assert "body_states" not in setup.values("joint states")
    assert "visualization" not in setup.values("joint states")
