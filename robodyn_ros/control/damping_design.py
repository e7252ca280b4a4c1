"""Springs that suit an inertia and a loop's delay, and damping that suits both."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Springs(NamedTuple):
    """What acts between a robot and its reference.

    Attributes:
        stiffness: (n, n) symmetric, not negative.
        damping: (n, n) likewise.
    """

    stiffness: Floats
    damping: Floats


def damped_springs(
    inertia: Floats, stiffness: Floats, damping_ratio: float, fastest: float = np.inf
) -> Springs:
    """Return K and D that damp every mode of M ẍ + D ẋ + K x = 0 with the ratio ζ.

    The generalised eigenvectors of K with respect to M give M = Qᵀ Q and K = Qᵀ diag(ω²) Q;
    D = 2 ζ Qᵀ diag(ω) Q. Modes that would be faster than `fastest` are softened to it, since a loop
    with the delay T is stable only for 2 ζ ω T well below π/2: a light wrist is fast however soft
    its springs look.

    Args:
        inertia: (n, n) symmetric, positive definite.
        stiffness: (n, n) symmetric, not negative.
        damping_ratio: ζ >= 0.
        fastest: Highest natural frequency, rad/s.

    Raises:
        numpy.linalg.LinAlgError: the inertia is not positive definite.

    Source:
        Albu-Schäffer, Ott, Frese & Hirzinger (2003), double diagonalisation design.
    """
    squares, vectors = scipy.linalg.eigh(stiffness, inertia)  # vectorsᵀ M vectors = 1
    across = inertia @ vectors  # = Qᵀ
    rates = np.minimum(np.sqrt(np.maximum(squares, 0.0)), fastest)
    return Springs(
        (across * rates**2) @ across.T, (across * (2.0 * damping_ratio * rates)) @ across.T
    )
