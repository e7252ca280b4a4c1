"""Document E's 4x4 formulas, by hand for its double pendulum, against `algorithms.legnani`.

Document E has z downwards, centimetres, grams and dyn. Its world is ours turned over: x_W is our x,
y_W and z_W are minus our y and z, so that theta is the angle from z_W and gravity is along z_W.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import derivatives, error
from robodyn_ros.algorithms import body_motion, legnani

FILE = Path(__file__).parents[2] / "examples/double_pendulum.yaml"
ROUNDING = 1e-13
R1, R2, ROD1, ROD2, M1, M2, RADIUS = 1.0, 0.8, 0.5, 0.4, 1.0, 1.0, 0.02
"""What the file has."""

#: The seed's world to ours.
OVER = np.diag([1.0, -1.0, -1.0, 1.0])
L_REVOLUTE = np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0.0]])


def classic(theta: float, length: float) -> np.ndarray:
    """Return Rot_z(theta) Trans_x(a), a row of a classic DH table with d = alpha = 0."""
    c, s = np.cos(theta), np.sin(theta)
    along = np.array([length * c, length * s])
    return np.array([[c, -s, 0, along[0]], [s, c, 0, along[1]], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def base() -> np.ndarray:
    """Return P_{0,base}: columns z_W, x_W, y_W, so that joint axes are y_W and rods hang at 0."""
    return np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]])


def rod_inertia(rod: float, length: float, end: float) -> np.ndarray:
    """Return J (4, 4) about the frame at the rod's far end, x along the rod: by integration."""
    nodes, weights = np.polynomial.legendre.leggauss(4)
    across = rod * RADIUS**2 / 4.0
    J = np.zeros((4, 4))
    for node, weight in zip(nodes, weights, strict=True):
        point = np.array([-length * (1.0 + node) / 2.0, 0.0, 0.0, 1.0])
        J += 0.5 * weight * rod * np.outer(point, point)
    J[1, 1] += across
    J[2, 2] += across
    J[3, 3] += end  # a point mass at the frame's own origin
    return J


class Hand(NamedTuple):
    """Document E's matrices for one state; its world, SI units."""

    P: list[np.ndarray]
    L: list[np.ndarray]
    J: list[np.ndarray]


def by_hand(q: np.ndarray) -> Hand:
    """Return poses of the links, L_i(0) = P L P^-1 and J_k(0) = P J P^T (not the inverse).

    In the classic convention joint i's axis is z of frame i - 1.
    """
    before = [base(), base() @ classic(q[0], R1)]
    P = [before[1], before[1] @ classic(q[1], R2)]
    L = [pose @ L_REVOLUTE @ np.linalg.inv(pose) for pose in before]
    bodies = [rod_inertia(ROD1, R1, M1), rod_inertia(ROD2, R2, M2)]
    J = [pose @ body @ pose.T for pose, body in zip(P, bodies, strict=True)]
    return Hand(P, L, J)


def mass_matrix(hand: Hand) -> np.ndarray:
    """Return M_ij, a sum from k = max(i, j)."""
    M = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            for k in range(max(i, j), 2):
                M[i, j] += np.trace(hand.L[i] @ hand.J[k] @ hand.L[j].T)
    return M


def accelerations(hand: Hand, v: np.ndarray) -> list[np.ndarray]:
    """Return H-tilde of each link without gravity: the lower index first, L_j L_i."""
    L = hand.L
    first = L[0] @ L[0] * v[0] ** 2
    second = first + L[1] @ L[1] * v[1] ** 2 + 2.0 * L[0] @ L[1] * v[1] * v[0]
    return [first, second]


def bias(hand: Hand, v: np.ndarray, printed_gravity: float) -> np.ndarray:
    """Return C(n): a sum from k = n with L_n, which document E prints from k = 1 and with L_i.

    `printed_gravity` is the entry that is added to H at (3, 4).
    """
    H_g = np.zeros((4, 4))
    H_g[2, 3] = printed_gravity
    C = np.zeros(2)
    for n in range(2):
        for k in range(n, 2):
            C[n] += np.trace((accelerations(hand, v)[k] + H_g) @ hand.J[k] @ hand.L[n].T)
    return C


@pytest.fixture(scope="module")
def robot() -> rd.Robot:
    return rd.load(FILE, compile="off")


STATES = [np.random.default_rng(seed).uniform(-3.0, 3.0, (2, 2)) for seed in range(4)]
every_state = pytest.mark.parametrize(("q", "v"), STATES, ids=range(len(STATES)))


def ours(matrix: np.ndarray) -> np.ndarray:
    """Return a velocity or acceleration matrix of document E's world in ours."""
    turned: np.ndarray = OVER @ matrix @ OVER
    return turned


@every_state
def test_velocity_ratios_and_pseudo_inertias(robot: rd.Robot, q: np.ndarray, v: np.ndarray) -> None:
    hand = by_hand(q)
    motion = body_motion(robot.model, q, v)
    steps = legnani.velocity_ratios(robot.model, q, motion)
    for step, L in zip(steps, hand.L, strict=True):
        assert error(step.L, ours(L)) < ROUNDING
    for (body, mass, com, inertia), J in zip(parts(robot), hand.J, strict=True):
        P = legnani.pose_matrix(motion, body)
        found = P @ legnani.pseudo_inertia(mass, com, inertia) @ P.T
        assert error(found, OVER @ J @ OVER.T) < ROUNDING
    for k, H in enumerate(accelerations(hand, v)):
        path = legnani.path_to(robot.model, steps, k + 1)
        assert error(legnani.acceleration_matrix(path, v), ours(H)) < ROUNDING


def parts(robot: rd.Robot) -> list[tuple[int, float, np.ndarray, np.ndarray]]:
    """Return number, mass, com and inertia of the rods, the masses at their ends included."""
    bodies = enumerate(robot.model.bodies)
    return [(k, body.mass, body.com, body.inertia) for k, body in bodies if body.mass]


@every_state
def test_equations_of_motion(robot: rd.Robot, q: np.ndarray, v: np.ndarray) -> None:
    """The entry -g that is added is right, since z points downwards."""
    hand = by_hand(q)
    found = legnani.equations_of_motion(robot.model, q, v)
    assert error(found.mass_matrix, mass_matrix(hand)) < ROUNDING
    assert error(found.bias, bias(hand, v, -9.81)) < ROUNDING
    assert error(robot.mass_matrix(q), mass_matrix(hand)) < ROUNDING
    assert error(robot.bias_force(q, v), bias(hand, v, -9.81)) < ROUNDING


@every_state
def test_the_matrices_are_derivatives_of_the_poses(
    robot: rd.Robot, q: np.ndarray, v: np.ndarray
) -> None:
    """W_k = P-dot P^-1, the sum of L_i q-dot_i, and H_k = P-dot-dot P^-1 for constant rates."""
    hand = by_hand(q)
    W = [hand.L[0] * v[0], hand.L[0] * v[0] + hand.L[1] * v[1]]
    for k, H in enumerate(accelerations(hand, v)):
        P = pose_of(k)
        first, second = derivatives(lambda t, P=P: P(q + v * t[:, None]), h=0.01)
        inverse = np.linalg.inv(hand.P[k])
        assert error(W[k], first @ inverse) < 1e-9
        assert error(H, second @ inverse) < 1e-8


def pose_of(k: int) -> Callable[[np.ndarray], np.ndarray]:
    """Return the function that gives link k's pose for rows of coordinates."""
    return lambda rows: np.stack([by_hand(q).P[k] for q in rows])


@every_state
def test_external_forces(robot: rd.Robot, q: np.ndarray, v: np.ndarray) -> None:
    """Q(k) sums the forces on the links from k on, which document E prints from 1."""
    rng = np.random.default_rng(7)
    wrenches = {"rod_1": rng.normal(size=6), "rod_2": rng.normal(size=6)}
    motion = body_motion(robot.model, q, v)
    hand = by_hand(q)
    F = []
    for row, (name, wrench) in enumerate(wrenches.items(), start=1):
        assert robot.model.body_names[row] == name
        moment, force = wrench[:3], wrench[3:]
        t = moment + np.cross(motion.position[row], force)  # about the world's origin
        F.append((t, force))
    expected = []
    for k in range(2):
        W = ours(hand.L[k])
        turning = np.array([W[2, 1], W[0, 2], W[1, 0]])
        expected.append(sum(t @ turning + f @ W[:3, 3] for t, f in F[k:]))
    free = legnani.equations_of_motion(robot.model, q, v)
    pushed = legnani.equations_of_motion(robot.model, q, v, external_wrenches=wrenches)
    assert error(free.bias - pushed.bias, np.array(expected)) < ROUNDING


def test_gravity_added_with_z_upwards_would_push(robot: rd.Robot) -> None:
    """Why document E's sign is only right with its z downwards."""
    q, v = np.array([0.1, 0.0]), np.zeros(2)
    assert robot.gravity_force(q)[0] > 0.0
    assert bias(by_hand(q), v, -9.81)[0] > 0.0
    assert bias(by_hand(q), v, 9.81)[0] < 0.0


def test_document_es_units(robot: rd.Robot) -> None:
    """cm, g and 981 cm/s^2 give dyn cm, 1e-7 N m: the same formulas with other numbers."""
    q, v = STATES[0]
    hand = by_hand(q)
    scale = np.diag([100.0, 100.0, 100.0, 1.0])
    J = [1000.0 * scale @ matrix @ scale for matrix in hand.J]
    L = [scale @ matrix @ np.linalg.inv(scale) for matrix in hand.L]
    cgs = Hand(hand.P, L, J)
    assert error(bias(cgs, v, -981.0) * 1e-7, robot.bias_force(q, v)) < ROUNDING
    assert error(mass_matrix(cgs) * 1e-7, robot.mass_matrix(q)) < ROUNDING
