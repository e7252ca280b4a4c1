"""Rotations on plain floats are those of `spatial`."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros import spatial
from robodyn_ros.conditioning import one_frame

ROUNDING = 1e-15
SMALL = [0.0, 1e-12, 1e-9, 2e-9, 1e-6, 1e-3]


def quaternions(count: int = 200) -> np.ndarray:
    rng = np.random.default_rng(3)
    q = rng.normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def test_products_inverses_and_matrices() -> None:
    for a, b in zip(quaternions(), quaternions()[::-1], strict=True):
        assert one_frame.product(a, b) == pytest.approx(
            spatial.quaternion_product(a, b), abs=ROUNDING
        )
        assert one_frame.inverse(a).tolist() == spatial.quaternion_inverse(a).tolist()
        R = spatial.quaternion_to_matrix(a)
        assert one_frame.matrix(a) == pytest.approx(R, abs=4 * ROUNDING)
        assert one_frame.cross(a[:3], b[:3]) == pytest.approx(np.cross(a[:3], b[:3]), abs=ROUNDING)
        assert one_frame.norm(a) == pytest.approx(1.0, abs=ROUNDING)


def test_logarithms_and_exponentials() -> None:
    near = [np.append(size * np.array([0.6, 0.0, -0.8]), 1.0) for size in SMALL]
    ends = [np.array([1.0, 0, 0, 0]), np.array([0, -1.0, 0, -0.0]), np.array([0, 0, 1e-12, -1.0])]
    for q in (*quaternions(), *near, *ends):
        unit = q / np.linalg.norm(q)
        turn = one_frame.rotation_vector(unit)
        assert np.abs(turn) == pytest.approx(np.abs(spatial.quaternion_logarithm(unit)), abs=1e-14)
        assert np.linalg.norm(turn) <= np.pi
        back = one_frame.turned_by(turn)
        assert abs(back @ unit) == pytest.approx(1.0, abs=4 * ROUNDING)
        assert back == pytest.approx(spatial.quaternion_exponential(turn), abs=4 * ROUNDING)
