"""Vector products and rotation matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from transforms3d.axangles import axangle2mat
from transforms3d.euler import euler2mat

from differentiation import FIRST_TOLERANCE, derivatives, error
from robodyn_ros.spatial import (
    apply,
    axis_alignment,
    axis_rotation,
    cross,
    rotation_from_rpy,
    skew,
    transpose,
)
from robodyn_ros.spatial.rotations import snapped
from sampling import bounded, unit_vectors, vectors

#: A product of a few rotations, each entry a sum of three rounded products.
ROUNDING = 2e-15

angles = st.floats(-10.0, 10.0)
Z = np.array([0.0, 0.0, 1.0])


def assert_rotation(R: np.ndarray) -> None:
    assert error(R @ R.T, np.eye(3)) < ROUNDING
    assert np.linalg.det(R) == pytest.approx(1.0, abs=ROUNDING)


@bounded
@given(vectors(largest=1.0), vectors(largest=1.0))
def test_cross_is_the_vector_product(a: np.ndarray, b: np.ndarray) -> None:
    assert np.array_equal(cross(a, b), np.cross(a, b))
    assert error(skew(a) @ b, np.cross(a, b)) < ROUNDING
    assert np.array_equal(skew(a), -skew(a).T)


def test_apply_and_transpose_take_leading_axes() -> None:
    rng = np.random.default_rng(0)
    matrix, vector = rng.normal(size=(5, 2, 4, 3)), rng.normal(size=(2, 3))
    assert error(apply(matrix, vector), np.einsum("nbij,bj->nbi", matrix, vector)) < ROUNDING
    assert np.array_equal(transpose(matrix)[3, 1], matrix[3, 1].T)


@bounded
@given(unit_vectors(), angles, angles)
def test_axis_rotation_is_a_group_of_one_parameter(n: np.ndarray, s: float, t: float) -> None:
    R = axis_rotation(n, t)
    assert_rotation(R)
    assert error(R @ n, n) < ROUNDING
    assert error(axis_rotation(n, s) @ R, axis_rotation(n, s + t)) < ROUNDING
    assert error(axis_rotation(n, -t), R.T) < ROUNDING
    assert np.trace(R) == pytest.approx(1.0 + 2.0 * np.cos(t), abs=ROUNDING)


@bounded
@given(unit_vectors(), angles)
def test_axis_rotation_equals_transforms3d(n: np.ndarray, t: float) -> None:
    assert error(axis_rotation(n, t), axangle2mat(n, t, is_normalized=True)) < ROUNDING


@bounded
@given(unit_vectors(), angles)
def test_axis_rotation_turns_at_the_rate_of_its_angle(n: np.ndarray, t: float) -> None:
    rate, _ = derivatives(lambda s: axis_rotation(n, t + s))
    assert error(rate, skew(n) @ axis_rotation(n, t)) < FIRST_TOLERANCE


@pytest.mark.parametrize("k", range(3))
def test_rotation_about_a_coordinate_axis_has_exact_entries(k: int) -> None:
    """Zeros and ones must be exact: a trace drops whole products for them."""
    t = 0.7
    R = axis_rotation(np.eye(3)[k], t)
    i, j = (k + 1) % 3, (k + 2) % 3
    expected = np.zeros((3, 3))
    expected[k, k] = 1.0
    expected[i, i] = expected[j, j] = np.cos(t)
    expected[j, i], expected[i, j] = np.sin(t), -np.sin(t)
    assert np.array_equal(R, expected)


NEAR_MINUS_Z = [10.0**-k for k in range(1, 13)]


@bounded
@given(unit_vectors())
@example(np.array([0.0, 0.0, 1.0]))
@example(np.array([0.0, 0.0, -1.0]))
@example(np.array([1.0, 0.0, 0.0]))
def test_alignment_is_the_smallest_rotation_onto_the_axis(n: np.ndarray) -> None:
    R = axis_alignment(n)
    assert_rotation(R)
    assert error(R @ Z, n) < ROUNDING
    assert np.trace(R) == pytest.approx(1.0 + 2.0 * n[2], abs=ROUNDING)
    assert R[1, 0] == pytest.approx(R[0, 1], abs=ROUNDING)  # it turns about an axis normal to z


@pytest.mark.parametrize("tilt", NEAR_MINUS_Z)
@pytest.mark.parametrize("heading", [0.0, 0.9, 2.5])
def test_alignment_keeps_its_accuracy_near_minus_z(tilt: float, heading: float) -> None:
    n = np.array([np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), -np.cos(tilt)])
    R = axis_alignment(n / np.linalg.norm(n))
    assert_rotation(R)
    assert error(R @ Z, n) < ROUNDING


def test_alignment_with_minus_z_is_the_half_turn_about_x() -> None:
    half_turn = np.diag([1.0, -1.0, -1.0])
    assert np.array_equal(axis_alignment(-Z), half_turn)
    noisy = np.array([1.2e-16, -6e-17, -1.0])  # what cos and sin of pi leave behind
    assert error(axis_alignment(noisy), half_turn) < ROUNDING


@bounded
@given(vectors(largest=4.0))
@example(np.array([0.3, np.pi / 2, 0.2]))
@example(np.array([0.3, -np.pi / 2, 0.2]))
@example(np.array([np.pi, np.pi, np.pi]))
def test_rpy_equals_transforms3d(rpy: np.ndarray) -> None:
    R = rotation_from_rpy(rpy)
    assert_rotation(R)
    assert error(R, euler2mat(*rpy, axes="sxyz")) < ROUNDING


def test_rpy_is_about_fixed_axes_roll_first() -> None:
    x, y, z = np.eye(3)
    expected = axis_rotation(z, 0.3) @ axis_rotation(y, -0.2) @ axis_rotation(x, 0.1)
    assert error(rotation_from_rpy([0.1, -0.2, 0.3]), expected) < ROUNDING


@pytest.mark.parametrize("digits", [20, 10, 7, 6])
def test_right_angles_come_out_exact(digits: int) -> None:
    """Seven digits of pi/2 are not a right angle: only rounding is snapped, never the text."""
    quarter = round(np.pi / 2, digits)
    R = rotation_from_rpy([quarter, 0, quarter])
    exact = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype=float)
    if digits == 20:
        assert np.array_equal(R, exact)
    else:
        assert not np.array_equal(R, exact)
        assert error(R, exact) < 4 * 10.0**-digits
        assert error(R, euler2mat(quarter, 0, quarter)) < ROUNDING


def test_snapping_moves_nothing_by_more_than_a_few_ulp() -> None:
    values = np.array([1e-16, -3e-16, 1.0 - 2e-16, -1.0 + 2e-16, 0.5, 1e-14, 1.0 - 1e-14])
    assert snapped(values).tolist() == [0.0, 0.0, 1.0, -1.0, 0.5, 1e-14, 1.0 - 1e-14]
    assert np.signbit(snapped([-1e-17])).sum() == 0


def test_snapping_leaves_its_argument_alone() -> None:
    values = np.full(3, 1e-17)
    snapped(values)
    assert np.all(values == 1e-17)
