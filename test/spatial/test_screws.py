"""Cross operators against their matrices and against moving frames."""

from __future__ import annotations

import numpy as np

from differentiation import error
from robodyn_ros.spatial import adjoint, rotation_from_rpy
from robodyn_ros.spatial.screws import carried, force_cross, forces_carried, motion_cross

ROUNDING = 1e-14


def vectors(count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 6))


def test_the_two_operators_are_dual() -> None:
    """M . (V x* F) = -(V x M) . F, and V x V = 0."""
    V, F = vectors(2, 1)
    M = vectors(5, 2)
    left = M @ force_cross(V[None, :], F)[0]
    assert error(left, -motion_cross(V, M) @ F) < ROUNDING
    assert error(motion_cross(V, V[None, :]), np.zeros((1, 6))) < ROUNDING


def test_the_motion_operator_is_a_lie_bracket() -> None:
    A, B, C = vectors(3, 3)

    def bracket(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return motion_cross(x, y[None, :])[0]

    jacobi = bracket(A, bracket(B, C)) + bracket(B, bracket(C, A)) + bracket(C, bracket(A, B))
    assert error(jacobi, np.zeros(6)) < 10 * ROUNDING


def test_carrying_is_the_adjoint_and_keeps_power() -> None:
    pose = (rotation_from_rpy([0.3, -1.0, 2.0]), np.array([0.4, -0.5, 0.6]))
    M, F = vectors(4, 4), vectors(4, 5)
    assert error(carried(pose, M), M @ adjoint(pose).T) < ROUNDING
    power = (carried(pose, M) * forces_carried(pose, F)).sum(axis=-1)
    assert error(power, (M * F).sum(axis=-1)) < 10 * ROUNDING


def test_carrying_keeps_cross_products() -> None:
    pose = (rotation_from_rpy([-0.3, 1.0, 0.2]), np.array([0.1, 0.2, -0.3]))
    V, F = vectors(2, 6)
    M = vectors(3, 7)
    V_A, F_A = carried(pose, V[None, :])[0], forces_carried(pose, F[None, :])[0]
    assert error(motion_cross(V_A, carried(pose, M)), carried(pose, motion_cross(V, M))) < 1e-13
    found = force_cross(carried(pose, M), F_A)
    assert error(found, forces_carried(pose, force_cross(M, F))) < 1e-13
