"""The laws against the equations of motion that they are to give."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from robodyn_ros.control import (
    CartesianGains,
    JointReference,
    PoseReference,
    cartesian_impedance,
    computed_torque,
    damped_springs,
    gravity_compensation,
    joint_impedance,
    joint_pd,
    pose_error,
    task_inertia,
)
from robodyn_ros.control.cartesian_impedance import frame_pose
from robodyn_ros.spatial.exponential import rotation_exponential

ROUNDING = 1e-9
"""Relative to the largest entry: forward dynamics solves with the mass matrix of light wrists."""


def close(found, expected) -> None:
    scale = max(1.0, float(np.max(np.abs(expected))))
    assert np.max(np.abs(np.asarray(found) - expected)) <= ROUNDING * scale


@pytest.fixture
def state(robot: rd.Robot, rng: np.random.Generator):
    q = robot.random_configuration(rng)
    return q, rng.normal(size=robot.model.nv)


def reference(robot: rd.Robot, rng: np.random.Generator) -> JointReference:
    nv = robot.model.nv
    return JointReference(robot.random_configuration(rng), rng.normal(size=nv), rng.normal(size=nv))


def test_gravity_compensation_leaves_damping_alone(robot, state) -> None:
    q, v = state
    damping = np.linspace(0.5, 2.0, robot.model.nv)
    tau = gravity_compensation(robot, q, v, damping)
    a = robot.forward_dynamics(q, v, tau)
    close(robot.inverse_dynamics(q, v, a), robot.gravity_force(q) - damping * v)
    braked = gravity_compensation(robot, q, v, 0.0, 4.0)
    drag = robot.bias_force(q, v) - robot.gravity_force(q)
    close(robot.inverse_dynamics(q, v, -4.0 * v), braked + drag)
    at_rest = gravity_compensation(robot, q, np.zeros_like(v), damping)
    close(robot.forward_dynamics(q, np.zeros_like(v), at_rest), np.zeros_like(v))


def test_a_payload_is_compensated(robot, state) -> None:
    q, v = state
    rest = np.zeros_like(v)
    robot.set_payload(robot.model.body_names[-1], 1.5, (0.0, 0.0, 0.1))
    try:
        tau = gravity_compensation(robot, q, rest, 1.0)
        close(robot.forward_dynamics(q, rest, tau), rest)
    finally:
        robot.clear_payload()


def test_computed_torque_makes_the_error_linear(robot, state, rng) -> None:
    q, v = state
    wanted = reference(robot, rng)
    omega = np.linspace(3.0, 9.0, robot.model.nv)
    tau = computed_torque(robot, q, v, wanted, omega, 0.7)
    a = robot.forward_dynamics(q, v, tau)
    error, rate = robot.difference(q, wanted.q), wanted.v - v
    close(a, wanted.a + 1.4 * omega * rate + omega**2 * error)


def test_friction_is_added_at_the_reference(robot, state, rng) -> None:
    q, v = state
    wanted = reference(robot, rng)
    plain = computed_torque(robot, q, v, wanted, 5.0, 1.0)
    more = computed_torque(robot, q, v, wanted, 5.0, 1.0, friction=True)
    rubbing = robot.inverse_dynamics(wanted.q, wanted.v, wanted.a, friction=True)
    close(more - plain, rubbing - robot.inverse_dynamics(wanted.q, wanted.v, wanted.a))


def test_pd_rests_where_it_is_sent(robot, rng) -> None:
    q = robot.random_configuration(rng)
    rest = np.zeros(robot.model.nv)
    tau = joint_pd(robot, q, rest, JointReference.at_rest(q, robot.model.nv), 50.0, 5.0)
    close(robot.forward_dynamics(q, rest, tau), rest)


def test_joint_impedance_is_the_closed_loop_of_its_docstring(robot, state, rng) -> None:
    q, v = state
    wanted = reference(robot, rng)
    stiffness = np.linspace(20.0, 60.0, robot.model.nv)
    tau = joint_impedance(robot, q, v, wanted, stiffness, 0.9)
    a = robot.forward_dynamics(q, v, tau)
    inertia = robot.mass_matrix(q)
    damping = damped_springs(inertia, np.diag(stiffness), 0.9).damping
    error, rate = robot.difference(q, wanted.q), wanted.v - v
    left = inertia @ (wanted.a - a) + (robot.coriolis_matrix(q, v) + damping) @ rate
    close(left + stiffness * error, np.zeros_like(v))


def test_every_mode_is_damped_alike(robot, rng) -> None:
    inertia = robot.mass_matrix(robot.random_configuration(rng))
    stiffness = np.diag(rng.uniform(10.0, 100.0, size=len(inertia)))
    springs = damped_springs(inertia, stiffness, 0.5)
    damping = springs.damping
    close(damping, damping.T)
    close(springs.stiffness, stiffness)
    zero, one = np.zeros_like(inertia), np.eye(len(inertia))
    inverse = np.linalg.inv(inertia)
    system = np.block([[zero, one], [-inverse @ stiffness, -inverse @ damping]])
    modes = np.linalg.eigvals(system)
    np.testing.assert_allclose(-modes.real / np.abs(modes), 0.5, atol=1e-6)


def test_modes_that_are_too_fast_are_softened(robot, rng) -> None:
    inertia = robot.mass_matrix(robot.random_configuration(rng))
    stiffness = 1000.0 * np.eye(len(inertia))
    springs = damped_springs(inertia, stiffness, 1.0, 20.0)
    squares = np.linalg.eigvals(np.linalg.solve(inertia, springs.stiffness)).real
    before = np.linalg.eigvals(np.linalg.solve(inertia, stiffness)).real
    close(np.sort(squares), np.sort(np.minimum(before, 400.0)))


def end(robot: rd.Robot) -> str:
    return "panda_hand" if "panda" in robot.model.name else "tool0"


def springs(robot: rd.Robot) -> CartesianGains:
    return CartesianGains(np.array([30.0] * 3 + [400.0] * 3), 0.8, np.inf, 5.0)


def test_cartesian_impedance_pulls_towards_the_pose(robot, rng) -> None:
    q, frame = robot.random_configuration(rng), end(robot)
    rest = np.zeros(robot.model.nv)
    position, rotation = frame_pose(robot, q, frame)
    turn, shift = np.array([0.02, -0.01, 0.03]), np.array([0.01, 0.02, -0.01])
    wanted = PoseReference.at_rest(position + shift, rotation_exponential(turn) @ rotation)
    close(pose_error(robot, q, frame, wanted), np.concatenate([turn, shift]))
    tau = cartesian_impedance(robot, q, rest, frame, wanted, q, springs(robot))
    jacobian = robot.jacobian(q, frame)
    force = springs(robot).stiffness * np.concatenate([turn, shift])
    close(tau - robot.gravity_force(q), jacobian.T @ force)


def test_the_posture_does_not_move_the_frame(robot, rng) -> None:
    q, frame = robot.random_configuration(rng), end(robot)
    v = np.zeros(robot.model.nv)
    at = PoseReference.at_rest(*frame_pose(robot, q, frame))
    posture = robot.integrate(q, v + 0.3, 1.0)
    moved = cartesian_impedance(robot, q, v, frame, at, posture, springs(robot))
    a = robot.forward_dynamics(q, v, moved)
    jacobian = robot.jacobian(q, frame)
    drawn = np.max(np.abs(robot.forward_dynamics(q, v, robot.gravity_force(q) + 1.0)))
    task = task_inertia(robot.mass_matrix(q), jacobian)
    # Where the projector is damped it lets less through, not more.
    assert np.max(np.abs(jacobian @ a)) <= drawn * (1e-9 + 1e-8 / max(task.manipulability, 1e-8))


def test_nothing_grows_without_bound_at_a_singularity(robot) -> None:
    q, v = robot.neutral(), np.ones(robot.model.nv)
    frame = end(robot)
    at = PoseReference.at_rest(*frame_pose(robot, q, frame))
    tau = cartesian_impedance(robot, q, v, frame, at, q, springs(robot))
    assert np.isfinite(tau).all()
    assert np.max(np.abs(tau)) < 1e4
