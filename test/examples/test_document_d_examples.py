"""Document D's joints by its A's and T's, its DH elements, and one arm in three conventions."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error

EXAMPLES = Path(__file__).parents[2] / "examples"
ROUNDING = 1e-13
HALF = np.sqrt(0.5)


def A(m: list[float], n: list[float], a: list[float]) -> np.ndarray:
    """Return the matrix below equation 3-3; n is its second column."""
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([m, n, np.cross(m, n), a])
    return matrix


def turn_and_slide(theta: float, s: float) -> np.ndarray:
    """Return T of joint C, of R with s = 0 and of P with theta = 0, as printed."""
    c, sine = np.cos(theta), np.sin(theta)
    return np.array([[c, 0, sine, 0], [0, 1, 0, s], [-sine, 0, c, 0], [0, 0, 0, 1.0]])


def rotation_vector(*q: float) -> np.ndarray:
    """Return T of joint G, Rodrigues' matrix as printed; its u is taken in a^(i-1) axes."""
    theta = np.sqrt(np.dot(q, q))
    T = np.eye(4)
    if theta == 0.0:
        return T
    (u1, u2, u3), v = np.array(q) / theta, 1.0 - np.cos(theta)
    c, s = np.cos(theta), np.sin(theta)
    T[:3, :3] = [
        [u1 * u1 * v + c, u1 * u2 * v - u3 * s, u1 * u3 * v + u2 * s],
        [u1 * u2 * v + u3 * s, u2 * u2 * v + c, u2 * u3 * v - u1 * s],
        [u1 * u3 * v - u2 * s, u2 * u3 * v + u1 * s, u3 * u3 * v + c],
    ]
    return T


#: By joint: child, A of the frame, A of the child, T of the joint's coordinates.
PAIRS = {
    "R": (
        "wheel",
        A([0, 0, 1], [1, 0, 0], [0.5, 0, 0]),
        A([1, 0, 0], [0, 1, 0], [0, 0, 0.1]),
        lambda theta: turn_and_slide(theta, 0.0),
    ),
    "P": (
        "piston",
        A([1, 0, 0], [0, HALF, HALF], [0, 0.5, 0]),
        A([0, 1, 0], [0, 0, 1], [0.1, 0, 0]),
        lambda s: turn_and_slide(0.0, s),
    ),
    "C": (
        "sleeve",
        A([0, 1, 0], [0, 0, 1], [0, 0, 0.5]),
        A([HALF, -HALF, 0], [HALF, HALF, 0], [0, 0.05, 0.02]),
        turn_and_slide,
    ),
    "H": (
        "nut",
        A([0, 0, 1], [0, 1, 0], [-0.5, 0, 0.2]),
        A([0, 1, 0], [1, 0, 0], [0, 0, -0.01]),
        lambda theta: turn_and_slide(theta, 0.002 * theta),
    ),
    "G": (
        "ball",
        A([0, 1, 0], [1, 0, 0], [0, -0.5, -0.1]),
        A([0, 0, 1], [1, 0, 0], [0, 0, 0.1]),
        rotation_vector,
    ),
}


def loaded(name: str) -> rd.Robot:
    return rd.load(EXAMPLES / f"{name}.yaml", compile="off")


def poses(robot: rd.Robot, q: np.ndarray) -> dict[str, np.ndarray]:
    """Return every body's pose (4, 4) in the world."""
    motion = robot.body_motion(q)
    found = {}
    for row, name in enumerate(robot.model.body_names):
        found[name] = np.eye(4)
        found[name][:3, :3], found[name][:3, 3] = motion.rotation[row], motion.position[row]
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_pose_is_a_t_a(name: str) -> None:
    """Equation 3-3; and 3-4, R_i = A_(i-1) A_i^-1, where T is 1."""
    robot = loaded("lower_pairs")
    child, on_parent, on_child, T = PAIRS[name]
    own = robot.model.own_joint(name)
    inverse = np.linalg.inv(on_child)
    assert error(poses(robot, robot.neutral())[child], on_parent @ inverse) < ROUNDING
    for seed in range(3):
        q = np.random.default_rng(seed).uniform(-2.0, 2.0, robot.model.nq)
        numbers = q[own.q_index : own.q_index + own.joint.nq]
        assert error(poses(robot, q)[child], on_parent @ T(*numbers) @ inverse) < ROUNDING


@pytest.mark.parametrize("name", ["R", "P", "C", "H"])
def test_motion_is_about_and_along_the_second_axis(name: str) -> None:
    robot = loaded("lower_pairs")
    child, on_parent, _, _ = PAIRS[name]
    rng = np.random.default_rng(2)
    q, v = robot.random_configuration(rng), rng.normal(size=robot.model.nv)
    own = robot.model.own_joint(name)
    rate = v[own.v_index : own.v_index + own.joint.nv]
    n, point = on_parent[:3, 1], on_parent[:3, 3]
    turning = n * (0.0 if name == "P" else rate[0])
    along = {"R": 0.0, "P": rate[0], "C": rate[-1], "H": 0.002 * rate[0]}[name]
    motion, row = robot.body_motion(q, v), robot.model.body_index(child)
    on_axis = motion.linear_velocity[row] + np.cross(turning, point - motion.position[row])
    assert error(motion.angular_velocity[row], turning) < ROUNDING
    assert error(on_axis, along * n) < ROUNDING


def test_a_turn_of_the_screw_advances_by_two_pi_pitch() -> None:
    robot = loaded("lower_pairs")
    before = poses(robot, robot.neutral())["nut"]
    after = poses(robot, robot.configuration({"H": 2.0 * np.pi}))["nut"]
    assert error(after[:3, :3], before[:3, :3]) < ROUNDING
    advance = after[:3, 3] - before[:3, 3]
    np.testing.assert_allclose(advance, [0.0, 0.004 * np.pi, 0.0], atol=1e-15)


def D(a: float, alpha: float, s: float, theta: float) -> np.ndarray:
    """Return equations 3-5 to 3-7 with e_3 = e_1 x e_2."""
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    e_1, e_2 = np.array([ca, 0.0, -sa]), np.array([sa * st, ct, ca * st])
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([e_1, e_2, np.cross(e_1, e_2), [s * ca, a, -s * sa]])
    return matrix


def test_dh_elements_and_their_table() -> None:
    """R, P, C and H as printed, twice; document D's s of H is the pitch times the whole angle."""
    robot = loaded("dh_elements")
    half = np.random.default_rng(1).uniform(-2.0, 2.0, robot.model.nq // 2)
    r, p, c_turn, c_slide, h = half
    elements = [
        D(0.3, 0.4, 0.1, 0.2 + r),
        D(0.2, -np.pi / 2, 0.15 + p, 0.3),
        D(0.1, 1.1, c_slide, c_turn),
        D(0.05, np.pi / 3, 0.01 * (0.5 + h), 0.5 + h),
    ]
    found = poses(robot, np.concatenate([half, half]))
    pose = np.eye(4)
    for number, (element, name) in enumerate(zip(elements, "rpch", strict=True), start=1):
        pose = pose @ element
        assert error(found[name], pose) < ROUNDING
        assert error(found[f"table_link{number}"], pose) < ROUNDING
    n = len(half)
    M = robot.mass_matrix(np.concatenate([half, half]))
    assert error(M[:n, :n], M[n:, n:]) < ROUNDING


#: x_C = y_T, y_C = z_T, z_C = x_T.
P = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]])
LINKS = [(0.1, 0.3), (0.4, -np.pi / 2), (0.3, 0.7)]


def rot_trans(axis: int, angle: float, length: float) -> np.ndarray:
    """Return Rot Trans about and along x (0) or z (2), which commute."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(4)
    matrix[i, i], matrix[j, j], matrix[j, i], matrix[i, j] = c, c, s, -s
    matrix[axis, 3] = length
    return matrix


def joints(q: np.ndarray) -> list[tuple[float, float]]:
    """Return (s, theta) of every joint."""
    return [(0.5, 0.2 + q[0]), (0.1 + q[1], 0.0), (0.05, -np.pi / 4 + q[2])]


@pytest.mark.parametrize("seed", range(3))
def test_products_of_the_three_conventions(seed: int) -> None:
    q = np.random.default_rng(seed).uniform(-2.0, 2.0, 3)
    rows = list(zip(LINKS, joints(q), strict=True))
    thesis = [D(a, alpha, s, theta) for (a, alpha), (s, theta) in rows]
    modified = [rot_trans(0, alpha, a) @ rot_trans(2, theta, s) for (a, alpha), (s, theta) in rows]
    behind = [*LINKS[1:], (0.0, 0.0)]
    classic = [
        rot_trans(2, theta, s) @ rot_trans(0, alpha, a)
        for (s, theta), (a, alpha) in zip(joints(q), behind, strict=True)
    ]
    for ours, theirs in zip(thesis, modified, strict=True):
        assert error(ours, P.T @ theirs @ P) < ROUNDING  # every element
    shift = rot_trans(0, LINKS[0][1], LINKS[0][0])
    whole = functools.reduce(np.matmul, thesis)
    assert error(whole, P.T @ shift @ functools.reduce(np.matmul, classic) @ P) < ROUNDING
    assert error(thesis[0], P.T @ classic[0] @ P) > 1e-2  # and no single one

    found = poses(loaded("dh_conventions"), np.tile(q, 3))
    assert error(found["thesis_hand"], P @ whole) < ROUNDING
    assert error(found["modified_hand"], functools.reduce(np.matmul, modified)) < ROUNDING
    assert error(found["classic_hand"], found["modified_hand"]) < ROUNDING


def test_the_three_arms_are_one() -> None:
    """The same hand from the same coordinates, and the same dynamics."""
    robot = loaded("dh_conventions")
    rng = np.random.default_rng(6)
    q, v, a = (np.tile(x, 3) for x in rng.uniform(-2.0, 2.0, (3, 3)))
    found = poses(robot, q)
    expected = found["modified_hand"]
    assert error(found["thesis_hand"], expected @ P) < ROUNDING
    assert error(found["classic_hand"], expected) < ROUNDING
    tau = robot.inverse_dynamics(q, v, a).reshape(3, 3)
    M = robot.mass_matrix(q)
    for k in range(3):
        assert error(tau[k], tau[0]) < ROUNDING
        block = slice(3 * k, 3 * k + 3)
        assert error(M[block, block], M[:3, :3]) < ROUNDING


def test_rows_of_a_table_are_those_of_from_dh() -> None:
    table = [[0.1, 0.3, 0.5, 0.2], [0.4, -np.pi / 2, 0.1, 0.0, "prismatic"]]
    for convention in ("thesis", "modified"):
        robot = rd.from_dh(table, convention=convention, compile="off")
        found = poses(robot, np.array([0.4, -0.3]))["link2"]
        elements = [D(0.1, 0.3, 0.5, 0.6), D(0.4, -np.pi / 2, -0.2, 0.0)]
        whole = elements[0] @ elements[1]
        assert error(found, whole if convention == "thesis" else P @ whole @ P.T) < ROUNDING
