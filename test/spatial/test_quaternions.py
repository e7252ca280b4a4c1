"""Quaternions (x, y, z, w) against matrices, document A's equations and transforms3d."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transforms3d.quaternions import axangle2quat, mat2quat, quat2mat

from differentiation import FIRST_TOLERANCE, derivatives, error
from robodyn_ros.spatial import (
    apply,
    axis_rotation,
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_inverse,
    quaternion_logarithm,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
)
from sampling import bounded, unit_vectors, vectors

#: A few products of numbers of order 1.
ROUNDING = 2e-15

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
quaternions = unit_vectors(4)


def document_a_rate_matrix(epsilon: np.ndarray) -> np.ndarray:
    """Return E of document A, equation 5, as printed there."""
    a, b, c, d = epsilon
    return np.array([[d, -c, b], [c, d, -a], [-b, a, d], [-a, -b, -c]])


def document_a_rotation(epsilon: np.ndarray) -> np.ndarray:
    """Return the direction cosine matrix of document A, equation 2c, as printed there."""
    a, b, c, d = epsilon
    return np.array(
        [
            [a * a - b * b - c * c + d * d, 2 * (a * b - c * d), 2 * (a * c + b * d)],
            [2 * (a * b + c * d), -a * a + b * b - c * c + d * d, 2 * (b * c - a * d)],
            [2 * (a * c - b * d), 2 * (b * c + a * d), -a * a - b * b + c * c + d * d],
        ]
    )


@bounded
@given(quaternions)
def test_matrix_is_document_as_and_transforms3ds(q: np.ndarray) -> None:
    R = quaternion_to_matrix(q)
    assert error(R, document_a_rotation(q)) < ROUNDING
    assert error(R, quat2mat(np.roll(q, 1))) < ROUNDING
    assert error(quaternion_to_matrix(-q), R) == 0.0


@bounded
@given(quaternions, st.floats(0.5, 2.0))
def test_matrix_of_another_norm_is_still_a_rotation(q: np.ndarray, norm: float) -> None:
    R = quaternion_to_matrix(norm * q)
    assert error(R @ R.T, np.eye(3)) < ROUNDING
    assert error(R, quaternion_to_matrix(q)) < ROUNDING


@bounded
@given(quaternions, quaternions)
def test_product_is_the_product_of_rotations(a: np.ndarray, b: np.ndarray) -> None:
    product = quaternion_to_matrix(a) @ quaternion_to_matrix(b)
    assert error(quaternion_to_matrix(quaternion_product(a, b)), product) < ROUNDING


@bounded
@given(quaternions)
def test_inverse(q: np.ndarray) -> None:
    assert error(quaternion_product(q, quaternion_inverse(q)), IDENTITY) < ROUNDING
    assert error(quaternion_to_matrix(quaternion_inverse(q)), quaternion_to_matrix(q).T) < ROUNDING


@bounded
@given(quaternions)
def test_from_matrix_inverts_to_matrix(q: np.ndarray) -> None:
    R = quaternion_to_matrix(q)
    found = quaternion_from_matrix(R)
    assert found[3] >= 0.0
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=ROUNDING)
    assert error(quaternion_to_matrix(found), R) < ROUNDING
    assert abs(found @ q) == pytest.approx(1.0, abs=ROUNDING)
    assert abs(found @ np.roll(mat2quat(R), -1)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("axis", [*np.eye(3), np.array([0.6, 0.0, 0.8]), np.full(3, 3**-0.5)])
@pytest.mark.parametrize("off", [0.0, 1e-15, 1e-9, 1e-5])
def test_from_matrix_near_half_turns(axis: np.ndarray, off: float) -> None:
    """Where w vanishes, and with it the divisor of the naive formula."""
    for angle in (np.pi - off, -np.pi + off):
        R = axis_rotation(axis, angle)
        assert error(quaternion_to_matrix(quaternion_from_matrix(R)), R) < ROUNDING


def test_from_matrix_takes_integers_and_batches() -> None:
    rng = np.random.default_rng(1)
    q = rng.normal(size=(4, 3, 4))
    q /= np.copysign(np.linalg.norm(q, axis=-1), q[..., 3])[..., None]
    assert error(quaternion_from_matrix(quaternion_to_matrix(q)), q) < ROUNDING
    assert np.array_equal(quaternion_from_matrix(np.eye(3, dtype=int)), IDENTITY)


@bounded
@given(unit_vectors(), st.floats(-30.0, 30.0))
def test_exponential_equals_transforms3d(n: np.ndarray, angle: float) -> None:
    q = quaternion_exponential(n * angle)
    assert error(q, np.roll(axangle2quat(n, angle, is_normalized=True), -1)) < 8 * ROUNDING
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=ROUNDING)


@bounded
@given(vectors(largest=1.8))
def test_logarithm_inverts_the_exponential(r: np.ndarray) -> None:
    assert np.linalg.norm(r) < np.pi
    assert error(quaternion_logarithm(quaternion_exponential(r)), r) < ROUNDING


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-160, 1e-12, 1e-9, 2e-9, 1e-5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("axis", [np.array([0.0, 0.0, 1.0]), np.array([0.6, -0.48, 0.64])])
def test_small_turns_keep_their_relative_accuracy(angle: float, axis: np.ndarray) -> None:
    found = quaternion_logarithm(quaternion_exponential(angle * axis))
    assert np.max(np.abs(found - angle * axis)) <= 4e-15 * angle


@pytest.mark.parametrize("below", [1e-3, 1e-6, 1e-9, 1e-12, 0.0])
def test_turns_near_half_a_turn(below: float) -> None:
    axis = np.array([0.6, -0.48, 0.64])
    found = quaternion_logarithm(quaternion_exponential((np.pi - below) * axis))
    # At exactly pi rounding decides which way round is shorter.
    turn = min(error(found, sign * (np.pi - below) * axis) for sign in (1, -1)[: 1 + (below == 0)])
    assert turn < ROUNDING


@bounded
@given(quaternions)
def test_logarithm_takes_the_shorter_way(q: np.ndarray) -> None:
    r = quaternion_logarithm(q)
    assert np.linalg.norm(r) <= np.pi + ROUNDING
    assert abs(quaternion_exponential(r) @ q) == pytest.approx(1.0, abs=ROUNDING)
    if q[3] != 0.0:
        assert np.array_equal(quaternion_logarithm(-q), r)


@bounded
@given(quaternions, vectors(largest=3.0))
def test_rate_is_document_as_and_the_derivative(q: np.ndarray, omega: np.ndarray) -> None:
    E = document_a_rate_matrix(q)
    assert error(E.T @ E, np.eye(3)) < ROUNDING
    rate = quaternion_rate(q, omega)
    assert error(rate, 0.5 * E @ omega) < ROUNDING
    turning = derivatives(
        lambda t: quaternion_product(q, quaternion_exponential(omega * t[:, None]))
    )
    assert error(rate, turning[0]) < FIRST_TOLERANCE


def test_angular_velocity_of_a_rate_is_in_child_axes() -> None:
    """Rotating frame first turned by q, then spun about its own z: z stays, in parent axes too."""
    q = quaternion_exponential(np.array([0.4, -0.2, 0.9]))
    spun = quaternion_product(q, quaternion_exponential(np.array([0.0, 0.0, 0.3])))
    z = np.array([0.0, 0.0, 1.0])
    turned = apply(quaternion_to_matrix(spun), z)
    assert error(turned, apply(quaternion_to_matrix(q), z)) < ROUNDING
