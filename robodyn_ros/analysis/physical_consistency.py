"""Possible bodies and friction that is not negative, nearest to what was described and measured.

What least squares says of base parameters need not belong to any body. Here every body is written
by ten numbers that always give a possible one, as seen from the described body's own axes and size,
P = L0 U U' L0', so that 0 is what is described. Friction and armature are squares. Then

    | data |^2 + | U U' - 1 |^2 + | logarithms of U's diagonal |^2 b + | other changes / much |^2

is made least: where the data say something they outweigh the rest by far, and what they do not say
stays as described. The second term is the distance of Lee, Wensing and Park 2020 ("Geometric robot
dynamic identification", constant pull-back metric), the third keeps bodies off the edge of what is
possible.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.pseudo_inertia import (
    parameters_from,
    root,
    triangle,
    triangle_derivatives,
)
from robodyn_ros.model.inertia import PARAMETERS

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_EDGE = 0.02
"""Square root of the weight b."""
_UNSEEN = 1e-13
"""Of the largest eigenvalue: less information than that is rounding."""
_STARTS_AT = 1e-3
_ROWS, _COLUMNS = np.tril_indices(4, -1)
_DIAGONAL = np.arange(4)
_MOST_STEPS = 150
_SETTLED = 1e-9


@dataclass(frozen=True)
class Problem:
    """What is looked for, about what is described; k bodies and r other numbers.

    Attributes:
        bodies: (k, 10) as described.
        others: (r,) as described.
        at_least_zero: (r,) which of the others cannot be negative.
        much: (r,) changes of the others that would be much.
        combined: (p, 10 k + r) from all of them to what the data tell.
        information: (p, p) squares of the data's columns, over the noise's variance.
        gradient: (p,) of the data for a change from what is described.
        usual: Mass, kg, and length, m, of a body of which nothing is described.
    """

    bodies: Floats
    others: Floats
    at_least_zero: Flags
    much: Floats
    combined: Floats
    information: Floats
    gradient: Floats
    usual: tuple[float, float] = (1.0, 0.1)


def consistent(problem: Problem) -> tuple[Floats, Floats]:
    """Return possible bodies (k, 10), and the others (r,)."""
    from scipy.optimize import least_squares  # it is slow to import

    search = _Search(problem)
    found = least_squares(
        search.residuals,
        search.start,
        search.jacobian,
        max_nfev=_MOST_STEPS,
        ftol=_SETTLED,
        xtol=_SETTLED,
        gtol=_SETTLED,
    )
    bodies, others, _ = search.values(found.x)
    return bodies, others


class _Search:
    """Residuals and their derivatives by the numbers that are looked for."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._count = len(problem.bodies)
        self._roots = np.array([root(body, *problem.usual) for body in problem.bodies])
        described = np.concatenate([problem.bodies.ravel(), problem.others])
        self._described = problem.combined @ described
        values, vectors = np.linalg.eigh(problem.information)
        seen = values > _UNSEEN * max(float(values[-1]), 1e-300)
        size = np.sqrt(values[seen])
        self._data = size[:, None] * vectors[:, seen].T
        self._wanted = (vectors[:, seen].T @ problem.gradient) / size
        squares = np.sqrt(np.maximum(problem.others, _STARTS_AT * problem.much))
        others = np.where(problem.at_least_zero, squares, problem.others)
        self.start: Floats = np.concatenate([np.zeros(PARAMETERS * self._count), others])

    def values(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the bodies (k, 10), the others (r,) and the triangles U (k, 4, 4)."""
        inner = PARAMETERS * self._count
        U = triangle(x[:inner].reshape(-1, PARAMETERS))
        whole = self._roots @ U if self._count else np.zeros((0, 4, 4))
        bodies = parameters_from(whole @ np.swapaxes(whole, 1, 2))
        y = x[inner:]
        return bodies, np.where(self._problem.at_least_zero, y * y, y), U

    def residuals(self, x: Floats) -> Floats:
        problem = self._problem
        bodies, others, U = self.values(x)
        told = problem.combined @ np.concatenate([bodies.ravel(), others]) - self._described
        apart = U @ np.swapaxes(U, 1, 2) - np.eye(4)
        logarithms = x[: PARAMETERS * self._count].reshape(-1, PARAMETERS)[:, :4]
        return np.concatenate(
            [
                self._data @ told - self._wanted,
                _ten(apart).ravel(),
                _EDGE * logarithms.ravel(),
                (others - problem.others) / problem.much,
            ]
        )

    def jacobian(self, x: Floats) -> Floats:
        problem, k = self._problem, self._count
        inner = PARAMETERS * k
        _, _, U = self.values(x)
        by_number = np.zeros((inner + len(problem.others), len(x)))
        apart, edges = np.zeros((inner, len(x))), np.zeros((4 * k, len(x)))
        for body in range(k):
            own = slice(PARAMETERS * body, PARAMETERS * (body + 1))
            dU = triangle_derivatives(x[own])
            half = dU @ U[body].T
            change = half + np.swapaxes(half, 1, 2)
            L = self._roots[body]
            by_number[own, own] = parameters_from(L @ change @ L.T).T
            apart[own, own] = _ten(change).T
            edges[4 * body : 4 * body + 4, own] = _EDGE * np.eye(4, PARAMETERS)
        slope = np.where(problem.at_least_zero, 2.0 * x[inner:], 1.0)
        by_number[inner:, inner:] = np.diag(slope)
        others = np.zeros((len(slope), len(x)))
        others[:, inner:] = np.diag(slope / problem.much)
        told = self._data @ (problem.combined @ by_number)
        return np.concatenate([told, apart, edges, others])


def _ten(symmetric: Floats) -> Floats:
    """Return ten numbers (..., 10) with the Frobenius norm of symmetric matrices (..., 4, 4)."""
    on = symmetric[..., _DIAGONAL, _DIAGONAL]
    return np.concatenate([on, np.sqrt(2.0) * symmetric[..., _ROWS, _COLUMNS]], axis=-1)
