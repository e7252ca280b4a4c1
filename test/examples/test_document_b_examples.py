"""examples/five_bodies.yaml: document B's partial velocities, path vectors and remainders."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import document_a
import document_b as b
import robodyn_ros as rd
from differentiation import error
from robodyn_ros.algorithms import kane
from robodyn_ros.model import Model

FILE = Path(__file__).parents[2] / "examples/five_bodies.yaml"
ROUNDING = 1e-13
NUMBERS = range(1, 6)

#: Document B's columns, as the file's rates are called: omega_1, sigma_1 to sigma_4, v_1, s.
SLIDING = (
    *("G1/y", "G1/outer_x", "G2/s1", "G2/outer_y"),
    *("G3/z", "G3/outer_x", "G4/y", "G4/outer_z"),
)
COLUMNS = (
    *("root/rx", "root/ry", "root/rz"),
    *("G1/rz", "G1/ry", "G1/rx", "G2/rx", "G2/ry", "G2/rz", "G3/rx", "G4/ry", "G4/rz"),
    *("root/x", "root/y", "root/z"),
    *SLIDING,
)


class Case(NamedTuple):
    """One state, ours and by the slides; `columns` puts our rates in the slides' order."""

    model: Model
    q: np.ndarray
    v: np.ndarray
    motion: b.Motion
    columns: list[int]
    rows: list[int]


def quaternion_matrix(quaternion: np.ndarray) -> np.ndarray:
    return document_a.attitude(document_a.Joint(4, *np.zeros((2, 3)), gamma=quaternion))


def carried(gamma: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """Return Gamma-dot sigma: the sum over m < n of (gamma_m x gamma_n) sigma_m sigma_n."""
    pairs = ((m, n) for n in range(len(sigma)) for m in range(n))
    terms = [np.cross(gamma[:, m], gamma[:, n]) * sigma[m] * sigma[n] for m, n in pairs]
    return np.sum([np.zeros(3), *terms], axis=0)


@pytest.fixture(params=range(3), ids="seed {}".format)
def case(request: pytest.FixtureRequest) -> Case:
    model = rd.load(FILE, compile="off").model
    rng = np.random.default_rng(request.param)
    robot = rd.Robot(model, compile="off")
    q, v = robot.random_configuration(rng), rng.normal(size=model.nv)
    places = {name: model.own_joint(name) for name in ("root", "G1", "G2", "G3", "G4")}
    own = {name: q[j.q_index : j.q_index + j.joint.nq] for name, j in places.items()}
    rate = {name: v[j.v_index : j.v_index + j.joint.nv] for name, j in places.items()}
    C_1 = quaternion_matrix(own["root"][3:])
    turns, d, s = {}, {}, {}
    for k, sequence in {1: "321", 2: "", 3: "1", 4: "23"}.items():
        name, (i, o) = f"G{k}", b.BODIES[k]
        if sequence:
            rotation, gamma = b.gimbal(sequence, own[name][:-2])
        else:
            rotation, gamma = quaternion_matrix(own[name][:4]), np.eye(3)
        sigma = rate[name][:-2]
        bent = carried(gamma, sigma) if sequence else np.zeros(3)
        turns[k] = rotation, gamma, sigma, bent
        (d[i, k], d[o, k]), (s[i, k], s[o, k]) = own[name][-2:], rate[name][-2:]
    motion = b.moved(C_1, own["root"][:3], C_1 @ rate["root"][3:], rate["root"][:3], turns, d, s)
    names = model.coordinate_names
    columns = [names.index(name) for name in COLUMNS]
    return Case(model, q, v, motion, columns, [model.body_index(f"B{n}") for n in NUMBERS])


def test_the_tree_is_document_bs(case: Case) -> None:
    model = case.model
    assert sorted(COLUMNS) == sorted(model.coordinate_names)
    parents = zip(model.body_names, model.parent, strict=True)
    inboard = {name: model.body_names[parent] for name, parent in parents if parent > 0}
    assert inboard == {"B2": "B1", "B3": "B1", "B4": "B3", "B5": "B3"}


def test_motion(case: Case) -> None:
    motion = rd.Robot(case.model, compile="off").body_motion(case.q, case.v)
    for n, row in zip(NUMBERS, case.rows, strict=True):
        assert error(motion.rotation[row], case.motion.C[n]) < ROUNDING
        assert error(motion.position[row], case.motion.p[n]) < ROUNDING
        assert error(motion.angular_velocity[row], case.motion.w[n]) < ROUNDING
        assert error(motion.linear_velocity[row], case.motion.v[n]) < ROUNDING


def test_slider_columns_are_as_printed(case: Case) -> None:
    """V_s: C_i Delta_i, -C_o Delta_o, and where the zeros are; Omega_s = 0."""
    partial = kane.partial_velocities(case.model, case.q, case.v)
    sliding = case.columns[-len(SLIDING) :]
    V_s = partial.linear[np.ix_(case.rows, range(3), sliding)]
    filled = [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0, 0],
        [0, 0, 1, 1, 0, 0, 0, 0],
        [0, 0, 1, 1, 1, 1, 0, 0],
        [0, 0, 1, 1, 0, 0, 1, 1],
    ]
    assert np.any(V_s != 0.0, axis=1).astype(int).tolist() == filled
    for n in NUMBERS:
        assert error(V_s[n - 1], case.motion.v_s_rows(n)) < ROUNDING
    assert not partial.angular[np.ix_(case.rows, range(3), sliding)].any()


def test_partial_velocities(case: Case) -> None:
    partial = kane.partial_velocities(case.model, case.q, case.v)
    u = case.v[case.columns]
    for n, row in zip(NUMBERS, case.rows, strict=True):
        Omega, V = case.motion.omega_rows(n), case.motion.v_rows(n)
        assert error(partial.angular[row][:, case.columns], Omega) < ROUNDING
        assert error(partial.linear[row][:, case.columns], V) < ROUNDING
        assert error(Omega @ u, case.motion.w[n]) < ROUNDING
        assert error(V @ u, case.motion.v[n]) < ROUNDING


def test_path_vectors_contain_the_sliders(case: Case) -> None:
    beta, rho = kane.path_vectors(case.model, case.q)
    origin = case.rows[0]
    for n, row in zip(NUMBERS, case.rows, strict=True):
        expected = case.motion.p[1] - case.motion.p[n]
        assert error(beta[row] - beta[origin], expected) < ROUNDING
        for k in b.PATH[n]:
            found = rho[row, case.rows[b.BODIES[k][1] - 1]]
            assert error(found, case.motion.G[k] - case.motion.p[n]) < ROUNDING


def test_remainder_accelerations(case: Case) -> None:
    """By the slides' formula; alpha_r by its own recursion, of which they make no mention."""
    partial = kane.partial_velocities(case.model, case.q, case.v)
    du = np.random.default_rng(8).normal(size=case.model.nv)
    motion = rd.Robot(case.model, compile="off").body_motion(case.q, case.v, du)
    for n, row in zip(NUMBERS, case.rows, strict=True):
        alpha_r, a_r = case.motion.alpha_r[n], case.motion.a_r[n]
        assert error(partial.angular_remainder[row], alpha_r) < ROUNDING
        assert error(partial.linear_remainder[row], a_r) < ROUNDING
        alpha = case.motion.omega_rows(n) @ du[case.columns] + alpha_r
        a = case.motion.v_rows(n) @ du[case.columns] + a_r
        assert error(motion.angular_acceleration[row], alpha) < ROUNDING
        assert error(motion.linear_acceleration[row], a) < ROUNDING


def test_kanes_equations(case: Case) -> None:
    """Summed over the bodies by hand, with the slides' partials."""
    robot = rd.Robot(case.model, compile="off")
    M, bias = np.zeros((case.model.nv, case.model.nv)), np.zeros(case.model.nv)
    gravity = np.array([0.0, 0.0, -9.81])
    for n, row in zip(NUMBERS, case.rows, strict=True):
        body, C, w = case.model.bodies[row], case.motion.C[n], case.motion.w[n]
        inertia, c = C @ body.inertia @ C.T, C @ body.com
        Omega = case.motion.omega_rows(n)
        V = case.motion.v_rows(n) - document_a.tilde(c) @ Omega
        alpha_r = case.motion.alpha_r[n]
        a_r = case.motion.a_r[n] + np.cross(alpha_r, c) + np.cross(w, np.cross(w, c))
        M += Omega.T @ inertia @ Omega + body.mass * V.T @ V
        bias += Omega.T @ (inertia @ alpha_r + np.cross(w, inertia @ w))
        bias += body.mass * V.T @ (a_r - gravity)
    columns = case.columns
    for equations in (robot, robot.formulation("kane")):
        assert error(equations.mass_matrix(case.q)[np.ix_(columns, columns)], M) < ROUNDING
        assert error(equations.bias_force(case.q, case.v)[columns], bias) < ROUNDING


def test_the_documents_gimbal(case: Case) -> None:
    """Gamma of the body sequence 2-3 as printed, with the slider along z of the outer body."""
    theta_2 = case.q[case.model.own_joint("G4").q_index + 1]
    printed = [[np.sin(theta_2), 0.0], [np.cos(theta_2), 0.0], [0.0, 1.0]]
    assert error(case.motion.gamma[4], np.array(printed)) < ROUNDING
    row, parent = case.rows[4], case.rows[2]
    partial = kane.partial_velocities(case.model, case.q, case.v)
    columns = [case.model.coordinate_names.index(name) for name in ("G4/ry", "G4/rz")]
    relative = (partial.angular[row] - partial.angular[parent])[:, columns]
    assert error(case.motion.C[5].T @ relative, np.array(printed)) < ROUNDING
    z = case.model.coordinate_names.index("G4/outer_z")
    assert error(case.motion.C[5].T @ partial.linear[row][:, z], np.array([0, 0, -1.0])) < ROUNDING


def test_joint_points_of_reversed_joints() -> None:
    """With B5 as root G2 and G4 are seen from their other end; their points stay where they are."""
    given = rd.load(FILE, compile="off")
    turned = rd.load(FILE, root="B5", compile="off")
    q = given.random_configuration(np.random.default_rng(5))
    by_name = {}
    for joint in given.model.own_joints:
        by_name[joint.name] = q[joint.q_index : joint.q_index + joint.joint.nq]
    other = turned.neutral()
    for joint in turned.model.own_joints:
        other[joint.q_index : joint.q_index + joint.joint.nq] = by_name[joint.name]
    (R, p), rho = base_of(given, q), kane.path_vectors(given.model, q)[1]
    (R_turned, p_turned), rho_turned = (
        base_of(turned, other),
        kane.path_vectors(turned.model, other)[1],
    )
    for child, turned_child, joint in (("B3", "B1", "G2"), ("B5", "B3", "G4"), ("B4", "B4", "G3")):
        row, other_row = given.model.body_index(child), turned.model.body_index(turned_child)
        G = given.body_motion(q).position[row] + rho[row, row]
        G_turned = turned.body_motion(other).position[other_row] + rho_turned[other_row, other_row]
        seen, seen_turned = R.T @ (G - p), R_turned.T @ (G_turned - p_turned)
        assert error(seen, seen_turned) < ROUNDING, joint


def base_of(robot: rd.Robot, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where B5 is."""
    motion, row = robot.body_motion(q), robot.model.body_index("B5")
    return motion.rotation[row], motion.position[row]
