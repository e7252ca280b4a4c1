"""Damping that suits a stiffness and an inertia."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def damping_matrix(inertia: Floats, stiffness: Floats, damping_ratio: float) -> Floats:
    """Return the D (n, n) that damps every mode of M ẍ + D ẋ + K x = 0 with the ratio ζ.

    The generalised eigenvectors Q of K with respect to M give M = Qᵀ Q and K = Qᵀ diag(k) Q;
    D = 2 ζ Qᵀ diag(√k) Q. D is symmetric and, for K and ζ not negative, not negative.

    Args:
        inertia: (n, n) symmetric, positive definite.
        stiffness: (n, n) symmetric, not negative.
        damping_ratio: ζ >= 0.

    Raises:
        numpy.linalg.LinAlgError: the inertia is not positive definite.

    Source:
        Albu-Schäffer, Ott, Frese & Hirzinger (2003), double diagonalisation design.
    """
    squares, vectors = scipy.linalg.eigh(stiffness, inertia)  # vectorsᵀ M vectors = 1
    across = inertia @ vectors  # = Qᵀ
    rates = 2.0 * damping_ratio * np.sqrt(np.maximum(squares, 0.0))
    damping: Floats = (across * rates) @ across.T
    return damping
