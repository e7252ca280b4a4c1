"""Document B's joints: its tables of Gamma, Gamma-dot sigma, and its equations with sliders."""

from __future__ import annotations

import numpy as np
import pytest
from transforms3d.euler import euler2mat

from differentiation import FIRST_TOLERANCE, derivatives, error
from joint_cases import EULER_SEQUENCES
from robodyn_ros.joints import GeneralJoint, Gimbal, Spherical, Translational
from robodyn_ros.spatial import axis_rotation

ROUNDING = 4e-15

THREE_AXES = [name for name in EULER_SEQUENCES if name[0] != name[2]]
PROPER = [name for name in EULER_SEQUENCES if name[0] == name[2]]
every_sequence = pytest.mark.parametrize("sequence", EULER_SEQUENCES)


def gamma(joint: GeneralJoint, q: np.ndarray) -> np.ndarray:
    return joint.motion_subspace(q)[..., :3, : joint.turn_nv]


def rows(sequence: str, *rows: list[float]) -> np.ndarray:
    """Return a matrix of rows labelled by axis: the first two digits', then the remaining one's."""
    first, second = (int(digit) - 1 for digit in sequence[:2])
    matrix = np.zeros((3, len(rows[0])))
    for axis, row in zip((first, second, 3 - first - second), rows, strict=True):
        matrix[axis] = row
    return matrix


def sign(sequence: str) -> float:
    """Return epsilon: 1 where the first two axes and the remaining one are cyclic, else -1."""
    return 1.0 if sequence[:2] in ("12", "23", "31") else -1.0


def outer_table(sequence: str, q: np.ndarray) -> np.ndarray:
    """Return Gamma in B_o components as printed for three axes."""
    e, (_, s2, s3), (_, c2, c3) = sign(sequence), np.sin(q), np.cos(q)
    if sequence in THREE_AXES:
        return rows(sequence, [c2 * c3, e * s3, 0], [-e * c2 * s3, c3, 0], [e * s2, 0, 1])
    return rows(sequence, [c2, 0, 1], [s2 * s3, c3, 0], [e * s2 * c3, -e * s3, 0])


def inner_table(sequence: str, q: np.ndarray) -> np.ndarray:
    """Return Gamma in B_i components as printed for three axes."""
    e, (s1, s2, _), (c1, c2, _) = sign(sequence), np.sin(q), np.cos(q)
    if sequence in THREE_AXES:
        return rows(sequence, [1, 0, e * s2], [0, c1, -e * s1 * c2], [0, e * s1, c1 * c2])
    return rows(sequence, [1, 0, c2], [0, c1, s1 * s2], [0, e * s1, -e * c1 * s2])


def sample(seed: int, size: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-np.pi, np.pi, size)


def test_the_twelve_sequences() -> None:
    assert len(EULER_SEQUENCES) == len(set(EULER_SEQUENCES)) == 12
    assert len(THREE_AXES) == len(PROPER) == 6
    assert [name for name in EULER_SEQUENCES if sign(name) > 0] == [
        *("123", "231", "312", "121", "232", "313")
    ]


@every_sequence
@pytest.mark.parametrize("seed", range(3))
def test_sequences_are_those_of_transforms3d(sequence: str, seed: int) -> None:
    """There "r" is for turns about the axes that earlier turns have moved."""
    q = sample(seed)
    letters = "".join("xyz"[int(digit) - 1] for digit in sequence)
    R, p = Gimbal(sequence).pose(q)
    assert error(R, euler2mat(*q, axes=f"r{letters}")) < ROUNDING
    assert error(p, np.zeros(3)) == 0.0


@every_sequence
@pytest.mark.parametrize("seed", range(3))
def test_gamma_is_that_of_both_tables(sequence: str, seed: int) -> None:
    q = sample(seed)
    joint = Gimbal(sequence)
    assert error(gamma(joint, q), outer_table(sequence, q)) < ROUNDING
    assert error(joint.pose(q)[0] @ gamma(joint, q), inner_table(sequence, q)) < ROUNDING
    determinant = np.linalg.det(gamma(joint, q))
    if sequence in THREE_AXES:
        # cos(q[1]) with the rows in the sequence's order, an odd one where epsilon is -1.
        assert determinant == pytest.approx(sign(sequence) * np.cos(q[1]), abs=ROUNDING)
    else:
        assert abs(determinant) == pytest.approx(abs(np.sin(q[1])), abs=ROUNDING)


@every_sequence
@pytest.mark.parametrize("size", [1, 2])
def test_shorter_gimbals_drop_the_last_columns(sequence: str, size: int) -> None:
    q = sample(size, size)
    whole = np.append(q, np.zeros(3 - size))
    joint = Gimbal(sequence[:size])
    assert error(gamma(joint, q), outer_table(sequence, whole)[:, :size]) < ROUNDING
    inner = joint.pose(q)[0] @ gamma(joint, q)
    assert error(inner, inner_table(sequence, whole)[:, :size]) < ROUNDING
    assert error(joint.pose(q)[0], Gimbal(sequence).pose(whole)[0]) < ROUNDING


@every_sequence
@pytest.mark.parametrize("size", [2, 3])
def test_gamma_dot_sigma(sequence: str, size: int) -> None:
    """The sum over m < n of (gamma_m x gamma_n) sigma_m sigma_n: one vector in both axes."""
    joint = Gimbal(sequence[:size])
    q, sigma = sample(3, size), np.random.default_rng(4).uniform(-1.0, 1.0, size)
    G = gamma(joint, q)
    expected = sum(
        np.cross(G[:, m], G[:, n]) * sigma[m] * sigma[n] for n in range(size) for m in range(n)
    )
    R = joint.pose(q)[0]
    found = joint.bias(q, sigma)
    assert error(found, np.append(expected, np.zeros(3))) < ROUNDING

    def inner(t: np.ndarray) -> np.ndarray:
        along = q + sigma * t[:, None]
        return joint.pose(along)[0] @ gamma(joint, along) @ sigma

    assert error(R @ expected, derivatives(inner)[0]) < FIRST_TOLERANCE


def test_the_documents_example() -> None:
    """Body 2-3(-1) gimbal with a slider along z of the outer body."""
    joint = Gimbal("23", outer=[(0, 0, 1)])
    q = np.array([0.4, -1.2, 0.3])
    s1, s2, c1, c2 = np.sin(q[0]), np.sin(q[1]), np.cos(q[0]), np.cos(q[1])
    assert error(gamma(joint, q), np.array([[s2, 0], [c2, 0], [0, 1]])) < ROUNDING
    R, p = joint.pose(q)
    assert error(R @ gamma(joint, q), np.array([[0, s1], [1, 0], [0, c1]])) < ROUNDING
    assert error(p, R @ np.array([0.0, 0.0, -0.3])) < ROUNDING
    assert joint.axes == ("ry", "rz", "outer_z")
    assert error(joint.motion_subspace(q)[:, 2], np.array([0, 0, 0, 0, 0, -1.0])) == 0.0


GENERAL = {
    "gimbal": Gimbal("312", [(1, 0, 0), (0, 1, 2)], [(3, 0, 4)]),
    "two axes": Gimbal("13", [(1, 2, 3)], [(0, 1, 0), (1, 0, 1)]),
    "one axis": Gimbal("2", [(1, 0, 0)], [(0, 1, 0), (0, 1, 1)]),
    "spherical": Spherical([(1, 2, 0)], [(0, 1, 0), (1, 0, -1)]),
    "no rotation": Translational([(1, 0, 0)], [(0, 1, 0), (0, 1, 1)]),
}


@pytest.mark.parametrize("name", GENERAL)
def test_velocities_and_accelerations_of_the_general_joint(name: str) -> None:
    """v_o and a_o as printed, from an inner body at rest, then from one that moves."""
    joint = GENERAL[name]
    rng = np.random.default_rng(5)
    q = joint.integrate(joint.neutral(), rng.uniform(-1.0, 1.0, joint.nv))
    u, du = rng.uniform(-1.0, 1.0, (2, joint.nv))
    n, i = joint.turn_nv, len(joint.inner)
    sigma, s_i, s_o = np.split(u, [n, n + i])
    dsigma, ds_i, ds_o = np.split(du, [n, n + i])
    d_i, d_o = np.split(q[joint.turn_nq :], [i])
    D_i, D_o = np.array(joint.inner).T, np.array(joint.outer).T
    C_i = axis_rotation(np.array([0.0, 0.6, 0.8]), np.array(0.7))
    R, p = joint.pose(q)
    C_o = C_i @ R
    w_i, v_i, a_i, al_i = rng.uniform(-1.0, 1.0, (4, 3))

    G = gamma(joint, q)
    r_i, r_o = C_i @ (D_i @ d_i), C_o @ (D_o @ d_o)
    x_i, x_o = C_i @ (D_i @ s_i), C_o @ (D_o @ s_o)
    assert error(C_i @ p, r_i - r_o) < ROUNDING
    relative = C_o @ (G @ sigma)
    w_o = w_i + relative
    v_o = v_i + np.cross(w_i, r_i) + x_i - np.cross(w_o, r_o) - x_o
    bias = np.zeros(6) if joint.bias(q, u) is None else joint.bias(q, u)
    al_o = al_i + C_o @ (G @ dsigma) + C_o @ bias[:3] + np.cross(w_i, relative)
    a_o = a_i + np.cross(al_i, r_i) + np.cross(w_i, np.cross(w_i, r_i)) + 2 * np.cross(w_i, x_i)
    a_o = a_o + C_i @ (D_i @ ds_i) - np.cross(al_o, r_o) - np.cross(w_o, np.cross(w_o, r_o))
    a_o = a_o - 2 * np.cross(w_o, x_o) - C_o @ (D_o @ ds_o)

    S = joint.motion_subspace(q)
    V, A = S @ u, S @ du + bias
    turn, slide = C_o @ V[:3], C_o @ V[3:]
    arm = C_i @ p
    assert error(w_i + turn, w_o) < ROUNDING
    assert error(v_i + np.cross(w_i, arm) + slide, v_o) < ROUNDING
    found = a_i + np.cross(al_i, arm) + np.cross(w_i, np.cross(w_i, arm))
    found = found + C_o @ A[3:] + np.cross(2.0 * w_i + turn, slide)
    assert error(found, a_o) < 4 * ROUNDING
    assert error(al_i + C_o @ A[:3] + np.cross(w_i, turn), al_o) < ROUNDING


@pytest.mark.parametrize("name", GENERAL)
def test_columns_of_partial_velocities(name: str) -> None:
    """Of V: rho~ C_o Gamma, C_i Delta_i and -C_o Delta_o; of Omega: C_o Gamma."""
    joint = GENERAL[name]
    rng = np.random.default_rng(6)
    q = joint.integrate(joint.neutral(), rng.uniform(-1.0, 1.0, joint.nv))
    R, p = joint.pose(q)
    S = joint.motion_subspace(q)
    n, i = joint.turn_nv, len(joint.inner)
    d_i, _ = np.split(q[joint.turn_nq :], [i])
    D_i, D_o = np.array(joint.inner).T, np.array(joint.outer).T
    rho = D_i @ d_i - p  # of G from the outer body's origin, in F's axes
    turning = R @ gamma(joint, q)
    assert error(R @ S[3:, :n], np.cross(rho, turning, axisb=0, axisc=0)) < ROUNDING
    assert error(R @ S[3:, n : n + i], D_i) < ROUNDING
    assert error(R @ S[3:, n + i :], -R @ D_o) < ROUNDING
    assert error(S[:3, n:], np.zeros((3, joint.nv - n))) == 0.0


@every_sequence
def test_gimbal_lock(sequence: str) -> None:
    """Two axes fall together and one direction is lost; everything stays finite and exact."""
    joint = Gimbal(sequence)
    locked = 0.5 * np.pi if sequence in THREE_AXES else 0.0
    v = np.array([0.4, -0.9, 0.7])
    for off in (0.0, 1e-9, 1e-3):
        q = np.array([0.3, locked + off, -0.8])
        values = np.linalg.svd(gamma(joint, q), compute_uv=False)
        assert values[2] == pytest.approx(np.sqrt(2.0) / 2 * off, abs=2e-7 * off + 1e-15, rel=1e-6)
        moving = derivatives(lambda t, q=q: gamma(joint, q + v * t[:, None]) @ v)[0]
        assert error(joint.bias(q, v)[:3], moving) < FIRST_TOLERANCE
        R = joint.pose(q)[0]
        back = joint.coordinates_at(R, np.zeros(3))
        assert error(joint.pose(back)[0], R) < 10 * ROUNDING
