"""The rates that a step ends with under forces that resist them, however stiff.

With x the rates without, N the possible directions (v = N y) and C the rows on which forces r act,
the rates v = x + N d of the step's end satisfy

    N^T M N d + h (C N)^T (r(C v) - r_0) = 0,

r_0 being what x was found with. It is the condition for the least of a strictly convex energy, as r
does not fall: Newton's method with a line search along its slope finds it from anywhere. Sources:
Stewart and Trinkle 1996; Qi and Sun 1993 (Newton's method where slopes jump).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from robodyn_ros.simulation.resistance import Resistance

Floats = NDArray[np.float64]

_STEPS = 60
_SEARCHES = 40
_DONE = 1e-10
"""A step of Newton's, of the rates' size or of 1, that need not be made any more."""
_FLAT = 0.3
"""Share of the slope of the energy that a search along a line may leave."""


def resisted(
    M: Floats,
    A: Floats | None,
    u: Floats,
    resistance: Resistance,
    at_beginning: tuple[Floats, Floats],
    before: Floats,
    step: float,
) -> tuple[Floats, Floats]:
    """Return the rates of the rows (count,) at the end of a step, and the forces (count,) there.

    Args:
        M: inertia (m, m) of the possible directions.
        A: C N (count, m); None where it is the identity.
        u: rates (count,) that the forces `before` lead to.
        resistance: the forces.
        at_beginning: what it says at u.
        before: forces (count,) that u was found with.
        step: h in s.
    """
    d: Floats = np.zeros(len(M))
    force, slope = at_beginning
    gradient = step * _spread(A, force - before)
    for _ in range(_STEPS):
        p = -_solved(M, A, step * slope, gradient)
        along = p if A is None else A.dot(p)
        descent = float(p.dot(gradient))
        if along.dot(along) <= _DONE**2 * (1.0 + u.dot(u)) or not descent < 0.0:
            break
        share, low, high = 1.0, 0.0, 1.0
        for _ in range(_SEARCHES):
            ahead = u + share * along
            force, slope = resistance.at(ahead)
            residue = M.dot(d + share * p) + step * _spread(A, force - before)
            left = float(p.dot(residue))
            if left <= -_FLAT * descent and (left >= _FLAT * descent or share == 1.0):
                break
            low, high = (low, share) if left > 0.0 else (share, high)
            share = 0.5 * (low + high)
        u, d, gradient = ahead, d + share * p, residue
    return u, force


def _spread(A: Floats | None, force: Floats) -> Floats:
    return force if A is None else A.T.dot(force)


def _solved(M: Floats, A: Floats | None, slope: Floats, right: Floats) -> Floats:
    """Return (M + A^T diag(slope) A)^-1 right."""
    if A is None:
        H = M.copy()
        H.ravel()[:: len(M) + 1] += slope
    else:
        H = M + (A.T * slope).dot(A)
    _, found, failed = dposv(H, right, lower=1)
    if failed:
        found = np.linalg.lstsq(H, right, rcond=None)[0]
    solution: Floats = found
    return solution
