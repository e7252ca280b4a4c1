"""Weighted least squares over joints of unlike noise, with outliers, about what is described.

The weight of a joint's rows is one over the variance of its residuals, and Huber's where a residual
is far beyond that. What a recording does not tell stays near what the description says: each
unknown has a change that would be much for it as its standard deviation beforehand, which matters
nowhere else. Standard deviations count residuals that follow from each other as fewer.

Source: Gautier and Poignet 2001, "Extended Kalman filtering and weighted least squares dynamic
identification of robot"; Huber 1981, "Robust statistics".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_HUBER = 2.5
_TO_SIGMA = 1.4826
"""Standard deviation over the median of absolute residuals, of a normal distribution."""
_ITERATIONS = 30
_SETTLED = 1e-6
_LEAST_NOISE = 1e-7
"""Of a joint's efforts: less noise than that is taken for so much."""
_MOST_INFLATION = 100.0


@dataclass(frozen=True)
class Fit:
    """The outcome; p unknowns, nv joints.

    Attributes:
        change: (p,) from what is described.
        covariance: (p, p) of it.
        noise: (nv,) standard deviation of the residuals of windows; NaN for joints without any.
        information: (p, p) the weighted squares of columns, without what was known beforehand.
        gradient: (p,) columns times residuals, weighted.
        outliers: (nv,) share of rows with less than full weight.
        rows: (nv,) how many rows there are.
    """

    change: Floats
    covariance: Floats
    noise: Floats
    information: Floats
    gradient: Floats
    outliers: Floats
    rows: NDArray[np.intp]

    @property
    def deviation(self) -> Floats:
        """Standard deviations (p,)."""
        found: Floats = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        return found


def robust_fit(
    columns: Floats, residual: Floats, use: Flags, beforehand: Floats, *, adjacent: bool = True
) -> Fit:
    """Fit.

    Args:
        columns: (n, nv, p) efforts of one unit of each unknown.
        residual: (n, nv) what they are to explain.
        use: (n, nv) which rows count.
        beforehand: (p,) changes that would be much.
        adjacent: Whether rows follow each other without gaps, so that correlation can be seen.
    """
    joints = [j for j in range(residual.shape[1]) if use[:, j].any()]
    rows = {j: (columns[use[:, j], j], residual[use[:, j], j]) for j in joints}
    least = {j: _LEAST_NOISE * max(_size(y), 1e-9) for j, (_, y) in rows.items()}
    noise = {j: max(_size(y), least[j]) for j, (_, y) in rows.items()}
    weights: dict[int, Floats] = {j: np.ones(len(y)) for j, (_, y) in rows.items()}
    prior = np.diag(beforehand**-2.0)
    change: Floats = np.zeros(len(beforehand))
    for _ in range(_ITERATIONS):
        before = change
        information, gradient = _normal(rows, weights, noise, len(change))
        change = np.asarray(np.linalg.solve(information + prior, gradient), np.float64)
        left = {j: y - A @ change for j, (A, y) in rows.items()}
        noise = {j: max(_TO_SIGMA * float(np.median(abs(e))), least[j]) for j, e in left.items()}
        weights = {j: _huber(e, noise[j]) for j, e in left.items()}
        if np.all(np.abs(change - before) <= _SETTLED * beforehand):
            break
    information, gradient = _normal(rows, weights, noise, len(change))
    inverse = np.linalg.inv(information + prior)
    change = inverse @ gradient
    told = prior.copy()
    for j, (A, y) in rows.items():
        inflation = _inflation(y - A @ change) if adjacent else 1.0
        told += inflation * (A.T * weights[j]) @ A / noise[j] ** 2
    nv = residual.shape[1]
    spread, outliers = np.full(nv, np.nan), np.zeros(nv)
    counts = np.zeros(nv, dtype=np.intp)
    for j in joints:
        spread[j], counts[j] = noise[j], len(weights[j])
        outliers[j] = float(np.mean(weights[j] < 1.0 / 2.0))
    return Fit(change, inverse @ told @ inverse, spread, information, gradient, outliers, counts)


def _normal(
    rows: dict[int, tuple[Floats, Floats]],
    weights: dict[int, Floats],
    noise: dict[int, float],
    count: int,
) -> tuple[Floats, Floats]:
    """Return the weighted normal equations' matrix and right-hand side."""
    information, gradient = np.zeros((count, count)), np.zeros(count)
    for j, (A, y) in rows.items():
        weighted = A.T * (weights[j] / noise[j] ** 2)
        information += weighted @ A
        gradient += weighted @ y
    return information, gradient


def _size(y: Floats) -> float:
    return float(np.sqrt(np.mean(y * y))) if len(y) else 0.0


def _huber(left: Floats, noise: float) -> Floats:
    found: Floats = np.minimum(1.0, _HUBER * noise / np.maximum(np.abs(left), 1e-300))
    return found


def _inflation(left: Floats) -> float:
    """Return by how much the correlation of residuals, one after the other, enlarges variances."""
    if len(left) < 3 or not (square := float(left @ left)):
        return 1.0
    following = min(max(float(left[1:] @ left[:-1]) / square, 0.0), 0.999)
    return min((1.0 + following) / (1.0 - following), _MOST_INFLATION)
