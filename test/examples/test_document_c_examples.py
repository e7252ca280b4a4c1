"""Document C's parent arrays as mechanism files, with the sets that it prints, and its joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import robodyn_ros as rd
from differentiation import error
from document_a import tilde
from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model import Model

EXAMPLES = Path(__file__).parents[2] / "examples"
ROUNDING = 1e-13
Sets = dict[int, set[int]]

LAMBDA = {
    "tree_of_six_bodies": [0, 1, 2, 1, 4, 4],
    "tree_of_six_bodies_renumbered": [0, 1, 1, 2, 3, 2],
    "tree_of_nine_bodies": [0, 1, 2, 0, 1, 2, 5, 5, 2],
}
MU: dict[str, Sets] = {
    "tree_of_six_bodies": {0: {1}, 1: {2, 4}, 2: {3}, 3: set(), 4: {5, 6}, 5: set(), 6: set()},
    "tree_of_six_bodies_renumbered": {
        0: {1},
        1: {2, 3},
        2: {4, 6},
        3: {5},
        4: set(),
        5: set(),
        6: set(),
    },
    "tree_of_nine_bodies": {
        0: {1, 4},
        1: {2, 5},
        2: {3, 6, 9},
        5: {7, 8},
        3: set(),
        4: set(),
        6: set(),
        7: set(),
        8: set(),
        9: set(),
    },
}
KAPPA: dict[str, Sets] = {
    "tree_of_six_bodies": {
        1: {1},
        2: {1, 2},
        3: {1, 2, 3},
        4: {1, 4},
        5: {1, 4, 5},
        6: {1, 4, 6},
    },
    "tree_of_six_bodies_renumbered": {
        1: {1},
        2: {1, 2},
        3: {1, 3},
        4: {1, 2, 4},
        5: {1, 3, 5},
        6: {1, 2, 6},
    },
    "tree_of_nine_bodies": {
        1: {1},
        2: {1, 2},
        3: {1, 2, 3},
        4: {4},
        5: {1, 5},
        6: {1, 2, 6},
        7: {1, 5, 7},
        8: {1, 5, 8},
        9: {1, 2, 9},
    },
}
NU: dict[str, Sets] = {
    "tree_of_six_bodies": {
        1: {1, 2, 3, 4, 5, 6},
        2: {2, 3},
        3: {3},
        4: {4, 5, 6},
        5: {5},
        6: {6},
    },
    "tree_of_six_bodies_renumbered": {
        1: {1, 2, 3, 4, 5, 6},
        2: {2, 4, 6},
        3: {3, 5},
        4: {4},
        5: {5},
        6: {6},
    },
    "tree_of_nine_bodies": {
        1: {1, 2, 3, 5, 6, 7, 8, 9},
        2: {2, 3, 6, 9},
        3: {3},
        4: {4},
        5: {5, 7, 8},
        6: {6},
        7: {7},
        8: {8},
        9: {9},
    },
}
every_tree = pytest.mark.parametrize("name", LAMBDA)


def loaded(name: str) -> Model:
    return rd.load(EXAMPLES / f"{name}.yaml", compile="off").model


def numbers(model: Model, bodies: tuple[int, ...]) -> set[int]:
    """Return document C's numbers of bodies, which are in their names."""
    return {int(model.body_names[body].removeprefix("body")) for body in bodies}


@every_tree
def test_parent_arrays(name: str) -> None:
    model = loaded(name)
    parents = {}
    for body, parent in enumerate(model.parent):
        if body:
            (number,) = numbers(model, (body,))
            (parents[number],) = numbers(model, (parent,))
            assert model.joints[body].name == f"joint{number}"  # type: ignore[union-attr]
            assert 0 <= parent < body
    assert [parents[i] for i in sorted(parents)] == LAMBDA[name]


@every_tree
def test_sets(name: str) -> None:
    model = loaded(name)
    for number, children in MU[name].items():
        body = model.body_index(f"body{number}")
        assert numbers(model, model.children(body)) == children
        if number:
            assert numbers(model, model.support(body)) == KAPPA[name][number]
            assert numbers(model, model.subtree(body)) == NU[name][number]


def test_the_second_array_is_the_first_tree() -> None:
    """With the bodies called otherwise; numbers may be any whose parents come first."""
    renamed = {0: 0, 1: 1, 2: 3, 3: 5, 4: 2, 5: 4, 6: 6}
    first, second = (LAMBDA[name] for name in list(LAMBDA)[:2])
    for i, parent in enumerate(first, start=1):
        assert second[renamed[i] - 1] == renamed[parent]


def plucker(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Return X of a frame with axes E (to its coordinates) and origin r, angular first."""
    return np.block([[E, np.zeros((3, 3))], [-E @ tilde(r), E]])


def test_joint_models_as_printed() -> None:
    c, s, d = np.cos(0.7), np.sin(0.7), 0.3
    zero = np.zeros((3, 3))
    E = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    r_tilde = np.array([[0, -d, 0], [d, 0, 0], [0, 0, 0]])
    revolute, prismatic = Revolute((0, 0, 1)), Prismatic((0, 0, 1))
    R, p = revolute.pose(np.array([0.7]))
    assert error(plucker(R.T, p), np.block([[E, zero], [zero, E]])) < ROUNDING
    assert revolute.motion_subspace(np.zeros(1))[:, 0].tolist() == [0, 0, 1, 0, 0, 0]
    R, p = prismatic.pose(np.array([d]))
    assert error(plucker(R.T, p), np.block([[np.eye(3), zero], [-r_tilde, np.eye(3)]])) < ROUNDING
    assert prismatic.motion_subspace(np.zeros(1))[:, 0].tolist() == [0, 0, 0, 0, 0, 1]


@every_tree
def test_velocities(name: str) -> None:
    """v_i = X_J Xtree v_lambda(i) + S q-dot, all in body coordinates."""
    model = loaded(name)
    q, v = np.random.default_rng(3).normal(size=(2, model.nv))
    motion = rd.Robot(model, compile="off").body_motion(q, v)
    velocity = {0: np.zeros(6)}
    for body, joint in model.moving:
        own = q[joint.q_index : joint.q_index + 1]
        R, p = joint.joint.pose(own)
        X = plucker(R.T, p) @ plucker(joint.rotation.T, joint.position)
        rate = joint.joint.motion_subspace(own) @ v[joint.v_index : joint.v_index + 1]
        velocity[body] = X @ velocity[joint.parent] + rate
        R_WB = motion.rotation[body]
        turning, moving = motion.angular_velocity[body], motion.linear_velocity[body]
        assert error(velocity[body], np.concatenate([R_WB.T @ turning, R_WB.T @ moving])) < ROUNDING
