"""Independent differentiation: central differences of order eight on a smooth curve."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Step and tolerances: with |derivatives| of order 1 the truncation error of an eighth-order
# stencil at h = 0.03 is about 1e-12, its rounding error eps/h (first) and eps/h^2 (second).
STEP = 0.03
FIRST_TOLERANCE = 1e-9
SECOND_TOLERANCE = 1e-8

_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])


def derivatives(
    curve: Callable[[np.ndarray], np.ndarray], h: float = STEP
) -> tuple[np.ndarray, np.ndarray]:
    """Return two derivatives at 0 of `curve`, which takes times (n,) to values (n, ...)."""
    samples = np.asarray(curve(h * np.arange(-4.0, 5.0)))
    first = np.tensordot(_FIRST, samples, 1) / h
    second = np.tensordot(_SECOND, samples, 1) / h**2
    return first, second


def vee(matrix: np.ndarray) -> np.ndarray:
    """Return the vector of the skew part of matrices (..., 3, 3)."""
    return 0.5 * np.stack(
        [
            matrix[..., 2, 1] - matrix[..., 1, 2],
            matrix[..., 0, 2] - matrix[..., 2, 0],
            matrix[..., 1, 0] - matrix[..., 0, 1],
        ],
        axis=-1,
    )


def error(x: np.ndarray, y: np.ndarray) -> float:
    """Return the norm-wise error max|x - y| / max(1, max|y|); 0 for empty arrays."""
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape, (x.shape, y.shape)
    if y.size == 0:
        return 0.0
    return float(np.max(np.abs(x - y)) / max(1.0, np.max(np.abs(y))))
