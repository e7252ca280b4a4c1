"""Poses and the motion transform between their frames."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from differentiation import FIRST_TOLERANCE, derivatives, error, vee
from robodyn_ros.spatial import (
    adjoint,
    apply_adjoint,
    axis_rotation,
    compose,
    cross,
    invert,
    quaternion_to_matrix,
    skew,
)
from sampling import bounded, unit_vectors, vectors

#: Sums of products of lengths up to 10.
ROUNDING = 1e-13

rotations = unit_vectors(4).map(quaternion_to_matrix)
positions = vectors()


def homogeneous(pose: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose
    return matrix


@bounded
@given(rotations, positions, rotations, positions)
def test_compose_is_the_product_of_homogeneous_matrices(
    R: np.ndarray, p: np.ndarray, S: np.ndarray, r: np.ndarray
) -> None:
    product = homogeneous((R, p)) @ homogeneous((S, r))
    assert error(homogeneous(compose((R, p), (S, r))), product) < ROUNDING


@bounded
@given(rotations, positions)
def test_invert(R: np.ndarray, p: np.ndarray) -> None:
    for pose in (compose((R, p), invert((R, p))), compose(invert((R, p)), (R, p))):
        assert error(homogeneous(pose), np.eye(4)) < ROUNDING


@bounded
@given(rotations, positions, vectors(6))
def test_apply_adjoint_is_the_adjoint_matrix(R: np.ndarray, p: np.ndarray, V: np.ndarray) -> None:
    assert error(apply_adjoint((R, p), V), adjoint((R, p)) @ V) < ROUNDING


@bounded
@given(rotations, positions, rotations, positions)
def test_adjoint_is_a_homomorphism(
    R: np.ndarray, p: np.ndarray, S: np.ndarray, r: np.ndarray
) -> None:
    both = adjoint(compose((R, p), (S, r)))
    assert error(both, adjoint((R, p)) @ adjoint((S, r))) < ROUNDING
    assert error(adjoint(invert((R, p))) @ adjoint((R, p)), np.eye(6)) < ROUNDING


@bounded
@given(rotations, positions)
def test_adjoint_is_the_inverse_of_featherstones_transform(R: np.ndarray, p: np.ndarray) -> None:
    """Document C: X = [[E, 0], [-E r~, E]] from A to B coordinates, E = R^T."""
    E = R.T
    X_BA = np.block([[E, np.zeros((3, 3))], [-E @ skew(p), E]])
    assert error(X_BA @ adjoint((R, p)), np.eye(6)) < ROUNDING


def test_adjoint_moves_the_point_a_velocity_belongs_to() -> None:
    """A body turning about a line through B's origin: A's origin, if on the body, moves."""
    rng = np.random.default_rng(3)
    axis = np.array([0.6, 0.0, 0.8])
    R_AB, p_AB = axis_rotation(np.array([0.0, 1.0, 0.0]), 0.4), rng.normal(size=3)
    V_A = apply_adjoint((R_AB, p_AB), np.concatenate([axis, np.zeros(3)]))
    assert error(V_A[:3], R_AB @ axis) < ROUNDING
    assert error(V_A[3:], cross(R_AB @ axis, -p_AB)) < ROUNDING


@bounded
@given(rotations, positions, vectors(6, largest=1.0))
def test_adjoint_carries_twists_of_moving_frames(
    R: np.ndarray, p: np.ndarray, V: np.ndarray
) -> None:
    """For X_AB fixed and X_BC moving with twist V in B at B: the same twist in A at A."""

    def moving(t: np.ndarray) -> np.ndarray:
        spin = np.stack([axis_rotation(np.array([0.0, 0.0, 1.0]), V[2] * s) for s in t])
        body = np.zeros((t.size, 4, 4))
        body[:, :3, :3], body[:, :3, 3], body[:, 3, 3] = spin, V[3:] * t[:, None], 1.0
        return homogeneous((R, p)) @ body

    rate, _ = derivatives(moving)
    twist = rate @ np.linalg.inv(moving(np.zeros(1))[0])
    carried = apply_adjoint((R, p), np.concatenate([[0.0, 0.0, V[2]], V[3:]]))
    assert error(np.concatenate([vee(twist[:3, :3]), twist[:3, 3]]), carried) < FIRST_TOLERANCE
