"""Kane's and Legnani's equations of motion against the recursions, and what each must fulfil."""

from __future__ import annotations

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from robodyn_ros.algorithms import body_motion, kane, legnani
from robodyn_ros.robot.formulations import FORMULATIONS
from robots import every_base, example

ROBOTS = ("ur5_robot.urdf", "panda.urdf", "tiago.urdf", "talos_reduced.urdf")


def _loaded(name: str, base: str) -> rd.Robot:
    """Return a robot with a payload, an armature and a tilted gravity."""
    robot = rd.load(example(name), base=base, compile="off")  # type: ignore[arg-type]
    robot.set_payload(robot.model.body_names[-1], 1.5, (0.1, 0.2, 0.3), np.diag([0.1, 0.2, 0.25]))
    robot.set_joint_parameters(robot.model.joint_names[-1], armature=0.3)
    robot.gravity = (1.0, -2.0, -9.0)
    return robot


@every_base
@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_robots(formulation: str, name: str, base: str) -> None:
    robot = _loaded(name, base)
    rng = np.random.default_rng(4)
    if base == "prescribed":
        R = robot.body_motion(robot.random_configuration(rng)).rotation[-1]
        robot.base_motion = rd.BaseMotion(rng.normal(size=3), R, *rng.normal(size=(4, 3)))
    if formulation == "legnani" and base != "fixed":
        with pytest.raises(rd.ArgumentError, match="use the kane formulation"):
            robot.formulation(formulation)
        return
    equations = robot.formulation(formulation)
    q = robot.random_configuration(rng)
    v, a = rng.normal(size=(2, robot.model.nv))
    wrenches = {robot.model.body_names[-2]: rng.normal(size=6)}
    tau = robot.inverse_dynamics(q, v, a, wrenches)
    assert error(equations.inverse_dynamics(q, v, a, wrenches), tau) < 1e-11
    assert error(equations.mass_matrix(q), robot.mass_matrix(q)) < 1e-11
    assert error(equations.bias_force(q, v), robot.bias_force(q, v)) < 1e-11
    back = equations.forward_dynamics(q, v, tau, wrenches)
    assert error(robot.inverse_dynamics(q, v, back, wrenches), tau) < 1e-8
    if base == "fixed":
        assert error(equations.gravity_force(q), robot.gravity_force(q)) < 1e-11


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_partial_velocities_give_the_motion(base: str) -> None:
    robot = rd.load(example("panda.urdf"), base=base, compile="off")  # type: ignore[arg-type]
    model = robot.model
    rng = np.random.default_rng(9)
    q = robot.random_configuration(rng)
    v, a = rng.normal(size=(2, model.nv))
    partial = kane.partial_velocities(model, q, v)
    motion = body_motion(model, q, v, a)
    np.testing.assert_allclose(partial.angular @ v, motion.angular_velocity, atol=1e-12)
    np.testing.assert_allclose(partial.linear @ v, motion.linear_velocity, atol=1e-12)
    np.testing.assert_allclose(
        partial.angular @ a + partial.angular_remainder, motion.angular_acceleration, atol=1e-11
    )
    np.testing.assert_allclose(
        partial.linear @ a + partial.linear_remainder, motion.linear_acceleration, atol=1e-11
    )


def test_path_vectors_reach_from_body_to_body() -> None:
    model = rd.load(example("ur5_robot.urdf"), compile="off").model
    q = np.random.default_rng(1).normal(size=model.nq)
    beta, rho = kane.path_vectors(model, q)
    p = body_motion(model, q).position
    np.testing.assert_allclose(beta, p[0] - p)
    assert set(rho) == {(n, k) for n in range(model.nb) for k in model.support(n)}
    for (n, k), vector in rho.items():
        np.testing.assert_allclose(vector, p[k] - p[n], atol=1e-15)


def test_acceleration_matrix_is_the_second_derivative_of_the_pose() -> None:
    model = rd.load(example("ur5_robot.urdf"), compile="off").model
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, model.nq))
    body = model.nb - 1
    motion = body_motion(model, q, v)
    steps = legnani.velocity_ratios(model, q, motion)
    H = legnani.acceleration_matrix(legnani.path_to(model, steps, body), v)
    P = legnani.pose_matrix(motion, body)
    h = 1e-3
    weights = np.array([2, -27, 270, -490, 270, -27, 2]) / (180.0 * h * h)
    poses = [legnani.pose_matrix(body_motion(model, q + k * h * v), body) for k in range(-3, 4)]
    second = sum(weight * pose for weight, pose in zip(weights, poses, strict=True))
    np.testing.assert_allclose(H @ P, second, atol=1e-7)


def test_force_product_is_power() -> None:
    rng = np.random.default_rng(6)
    point, moment, force, omega, velocity = rng.normal(size=(5, 3))
    F = legnani.force_matrix(point, moment, force)
    W = legnani.twist_matrix(np.concatenate([omega, velocity]))
    at_point = velocity + np.cross(omega, point)  # `velocity` is that at the world's origin
    assert legnani.force_product(F, W) == pytest.approx(moment @ omega + force @ at_point)


def test_pseudo_inertia_is_the_integral_over_a_rod() -> None:
    length, mass = 2.0, 3.0
    J = legnani.pseudo_inertia(
        mass, np.array([0.0, 0.0, 1.0]), np.diag([1.0, 1.0, 0.0]) * mass * length**2 / 12.0
    )
    np.testing.assert_allclose(J, np.diag([0.0, 0.0, 4.0, 3.0]) + 3.0 * _corner(), atol=1e-15)


def _corner() -> np.ndarray:
    """Return the symmetric (4, 4) with ones at (2, 3) and (3, 2)."""
    matrix = np.zeros((4, 4))
    matrix[2, 3] = matrix[3, 2] = 1.0
    return matrix


def test_unknown_formulations_and_batches_are_refused() -> None:
    robot = rd.load(example("ur5_robot.urdf"), compile="off")
    with pytest.raises(rd.UnknownNameError, match="kane"):
        robot.formulation("lagrange")
    with pytest.raises(rd.ArgumentError, match="one sample at a time"):
        robot.formulation("kane").mass_matrix(np.zeros((2, 6)))
