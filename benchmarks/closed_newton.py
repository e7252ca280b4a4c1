"""Which equations of a mechanism count, so that others close it by square systems."""

from __future__ import annotations

import numpy as np


def independent_rows(jacobian: np.ndarray) -> np.ndarray:
    """Return rows of a Jacobian (m, n) of rank n that are independent, by pivoting."""
    work, rows = jacobian.copy(), []
    for _ in range(jacobian.shape[1]):
        row = int(np.argmax(np.linalg.norm(work, axis=1)))
        unit = work[row] / np.linalg.norm(work[row])
        work = work - np.outer(work @ unit, unit)
        rows.append(row)
    return np.array(sorted(rows))
