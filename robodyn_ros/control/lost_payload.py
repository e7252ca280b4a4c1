"""How much of a payload is not there any more, by what measured efforts do not explain."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NOTHING = 1e-6
"""Share of effort limits below which a payload's weight is none."""


def lost_share(weight: Floats, residual: Floats, limit: Floats) -> float:
    """Return the share of payloads that explains a residual best.

    A payload whose weight w = g(loaded) - g(unloaded) the model has and the robot has not looks
    like external efforts w. The share s in [0, 1] makes the residual less s w smallest, each joint
    in terms of its effort limit: the share of a push, which has another pattern, is small, and what
    is taken away is never more than what the payload was said to weigh.

    Args:
        weight: (n,) efforts that hold the payloads, N m or N.
        residual: (n,) external efforts by a momentum observer, N m or N; NaN where unknown.
        limit: (n,) effort limits, above 0.

    Returns:
        From 0, all is there, to 1, nothing is; 0 without payloads or without a residual.

    Source:
        Least squares; the residual is that of `robodyn_ros.analysis.momentum_observer`.
    """
    known = np.isfinite(residual)
    w, r = weight[known] / limit[known], residual[known] / limit[known]
    size = float(w @ w)
    if size < _NOTHING**2:
        return 0.0
    return float(np.clip(w @ r / size, 0.0, 1.0))
