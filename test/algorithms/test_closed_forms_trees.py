"""Links behind fixed joints, followers, a double pendulum, work along a motion: closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from transforms3d.euler import euler2mat

from differentiation import error
from environments import random_environment, random_inertia
from robodyn_ros.algorithms import (
    energy,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
    robot_center_of_mass,
)
from robodyn_ros.model import Environment
from robots import example, loaded
from urdf_text import joint, link, robot

G = 9.81
#: Of sums of a few products of order 10.
ROUNDING = 1e-13


def test_a_tool_behind_a_fixed_joint_loads_the_joint() -> None:
    """One kilogram at the end of an arm of one metre: m g l and m l^2 more."""
    parts = [
        link("base"),
        link("arm", 2.0, (0.5, 0.0, 0.0)),
        joint("turn", "base", "arm", "continuous"),
    ]
    tool = [link("tool", 1.0), joint("flange", "arm", "tool", xyz=(1.0, 0.0, 0.0))]
    bare, tooled = robot(*parts), robot(*parts, *tool)
    q, v, a = np.array([[0.4], [2.0], [3.0]])
    more = inverse_dynamics(tooled, q, v, a) - inverse_dynamics(bare, q, v, a)
    assert error(more, np.array([-1.0 * G * np.cos(0.4) + 1.0 * 3.0])) < ROUNDING
    heavier = mass_matrix(tooled, q) - mass_matrix(bare, q)
    assert error(heavier, np.array([[1.0]])) < ROUNDING


@pytest.mark.parametrize("seed", range(4))
def test_fixed_links_in_chains_and_branches_move_with_their_carrier(seed: int) -> None:
    """All of them behind one joint: the sum of their own inertias about its axis."""
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    parts = [link("base"), joint("turn", "base", "l0", "continuous", axis=axis)]
    poses: list[tuple[np.ndarray, np.ndarray]] = []
    about_axis, moment = 0.0, np.zeros(3)
    for i in range(6):
        mass, com, inertia = rng.uniform(0.1, 2.0), rng.normal(size=3), random_inertia(rng)
        own_rpy = rng.uniform(-np.pi, np.pi, 3)
        parts.append(link(f"l{i}", mass, com, inertia, own_rpy))
        R, p = np.eye(3), np.zeros(3)
        if i:
            # A chain to l2, then branches off the middle.
            carrier = i - 1 if i < 3 else int(rng.integers(0, 3))
            xyz, rpy = rng.normal(size=3), rng.uniform(-np.pi, np.pi, 3)
            parts.append(joint(f"f{i}", f"l{carrier}", f"l{i}", xyz=xyz, rpy=rpy))
            R_P, p_P = poses[carrier]
            R, p = R_P @ euler2mat(*rpy), p_P + R_P @ xyz
        poses.append((R, p))
        turned = R @ euler2mat(*own_rpy)
        center = p + R @ com
        about_axis += axis @ turned @ inertia @ turned.T @ axis
        about_axis += mass * np.sum(np.cross(axis, center) ** 2)
        moment += mass * center
    model = robot(*parts)
    assert model.nv == 1
    q, v, a = np.zeros(1), rng.normal(size=1), rng.normal(size=1)
    weight = -axis @ np.cross(moment, [0.0, 0.0, -G])
    assert error(inverse_dynamics(model, q, v, a), about_axis * a + weight) < ROUNDING
    assert error(mass_matrix(model, q), np.array([[about_axis]])) < ROUNDING


def test_the_root_link_counts_for_mass_and_center() -> None:
    """No dummy link is needed, and fixed links off the root count as well."""
    model = robot(
        link("base", 8.2, (0.0, 0.0, 0.1)),
        link("box", 2.0),
        link("arm", 125.7, (0.5, 0.0, 0.0)),
        joint("bolted", "base", "box", xyz=(0.0, 1.0, 0.0)),
        joint("turn", "base", "arm", "continuous"),
    )
    assert error(np.array(model.mass), np.array(135.9)) < ROUNDING
    center = np.array([125.7 * 0.5, 2.0, 0.82]) / 135.9
    assert error(robot_center_of_mass(model, np.zeros(1)).position, center) < ROUNDING


@pytest.mark.parametrize("ratio", [-2.0, 0.5, 3.0])
def test_a_followers_effort_is_on_its_driver(ratio: float) -> None:
    """Two pendulums, the second geared to the first: tau = tau_1 + ratio tau_2."""
    offset, arms, masses = 0.3, (0.5, 0.7), (1.2, 0.8)
    mimic = f'<mimic joint="j0" multiplier="{ratio}" offset="{offset}"/>'
    model = robot(
        link("base"),
        *(link(f"l{i}", masses[i], (arms[i], 0.0, 0.0)) for i in range(2)),
        joint("j0", "base", "l0", "continuous"),
        joint("j1", "base", "l1", "continuous", inside=mimic),
    )
    assert model.nv == 1
    q, v, a = np.array([[0.4], [-0.6], [0.9]])
    truth = np.zeros(1)
    for share, start, m, r in zip((1.0, ratio), (0.0, offset), masses, arms, strict=True):
        angle = share * q + start
        truth += share * (m * r**2 * share * a - m * G * r * np.cos(angle))
    efforts = inverse_dynamics(model, q, v, a)
    assert error(efforts, truth) < ROUNDING
    M = masses[0] * arms[0] ** 2 + ratio**2 * masses[1] * arms[1] ** 2
    assert error(mass_matrix(model, q), np.array([[M]])) < ROUNDING
    assert error(forward_dynamics(model, q, v, efforts), a) < ROUNDING


def cylinder(mass: float, length: float, radius: float) -> np.ndarray:
    across = mass * (length**2 / 12.0 + radius**2 / 4.0)
    return np.diag([across, across, 0.5 * mass * radius**2])


@pytest.mark.parametrize("down", ["gravity along z", "base turned over"])
def test_a_double_pendulum_of_rods_with_end_masses(down: str) -> None:
    """Theta from the direction of gravity, phi relative; joint axes along y."""
    M1, M2, m1, m2, r1, r2, R1, R2 = 1.3, 0.7, 0.5, 0.9, 0.8, 0.6, 0.05, 0.04
    turned = (0.0, np.pi, 0.0) if down == "base turned over" else (0.0, 0.0, 0.0)
    model = robot(
        link("world_link"),
        link("rod1", M1, (0.0, 0.0, r1 / 2), cylinder(M1, r1, R1)),
        link("end1", m1),
        link("rod2", M2, (0.0, 0.0, r2 / 2), cylinder(M2, r2, R2)),
        link("end2", m2),
        joint("theta", "world_link", "rod1", "continuous", rpy=turned),
        joint("tip1", "rod1", "end1", xyz=(0.0, 0.0, r1)),
        joint("phi", "rod1", "rod2", "continuous", xyz=(0.0, 0.0, r1)),
        joint("tip2", "rod2", "end2", xyz=(0.0, 0.0, r2)),
    )
    environment = Environment()
    if down == "gravity along z":
        environment = environment.with_gravity(np.array([0.0, 0.0, G]))
    (t, p), (dt, dp), a = q, v, _ = np.random.default_rng(0).normal(size=(3, 2))
    I1, I2 = M1 * (r1**2 / 3 + R1**2 / 4), M2 * (r2**2 / 3 + R2**2 / 4)
    M12 = I2 + 0.5 * M2 * r1 * r2 * np.cos(p) + m2 * (r2**2 + r1 * r2 * np.cos(p))
    M22 = I2 + m2 * r2**2
    M11 = I1 + m1 * r1**2 + I2 + M2 * (r1**2 + r1 * r2 * np.cos(p))
    M11 += m2 * (r1**2 + r2**2 + 2 * r1 * r2 * np.cos(p))
    h = (0.5 * M2 + m2) * r1 * r2 * np.sin(p)
    inner, outer = (0.5 * M1 + m1 + M2 + m2) * r1, (0.5 * M2 + m2) * r2
    G2 = G * outer * np.sin(t + p)
    G1 = G * inner * np.sin(t) + G2
    M = np.array([[M11, M12], [M12, M22]])
    C = np.array([-h * (2 * dt * dp + dp**2) + G1, h * dt**2 + G2])
    V = -G * (inner * np.cos(t) + outer * np.cos(t + p))
    found = inverse_dynamics(model, q, v, a, environment=environment)
    assert error(found, M @ a + C) < ROUNDING
    assert error(mass_matrix(model, q, environment=environment), M) < ROUNDING
    truth = np.array([0.5 * v @ M @ v, V])
    assert error(np.array(energy(model, q, v, environment=environment)), truth) < ROUNDING


@pytest.mark.parametrize(
    ("name", "carrier"),
    [
        ("ur5_robot.urdf", "tool0"),
        ("panda.urdf", "panda_hand"),
        ("talos_reduced.urdf", "gripper_left_base_link"),
    ],
)
def test_work_of_the_efforts_along_a_motion_is_the_gain_of_energy(name: str, carrier: str) -> None:
    """Two seconds of a smooth motion with payload and rotors, by Gauss's quadrature."""
    model = loaded(example(name))
    environment = random_environment(model, 1, carrier)
    rng = np.random.default_rng(2)
    middle, swing = rng.uniform(-1.0, 1.0, (2, model.nv))
    pace = rng.uniform(0.5, 2.0, model.nv)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    times = np.concatenate([[0.0], 1.0 + nodes, [2.0]])[:, None]
    q = middle + swing * np.sin(pace * times)
    v = swing * pace * np.cos(pace * times)
    a = -swing * pace**2 * np.sin(pace * times)
    efforts = inverse_dynamics(model, q, v, a, environment=environment)
    work = weights @ np.sum(efforts * v, axis=1)[1:-1]
    total = sum(energy(model, q, v, environment=environment))
    assert abs(total[-1] - total[0]) > 0.1
    assert error(total[-1] - total[0], work) < 1e-12
