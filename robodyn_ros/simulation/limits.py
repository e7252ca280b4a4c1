"""Joints that come to the end of their range: one-sided springs with dampers.

Stiffness and damping follow from a time constant, a damping ratio and the inertia that hits the
limit, so that a finger and a crane give way alike. Source: MuJoCo's documentation, "solver
parameters" (its solref).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.simulation.joint_rates import JointRates
from robodyn_ros.simulation.resistance import Stops

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


class LimitLaw(NamedTuple):
    """How limits give way.

    Attributes:
        time_constant: s, in which what is beyond a limit comes back; at least a step.
        damping_ratio: 1 without overshoot.
    """

    time_constant: float
    damping_ratio: float


class Reached(NamedTuple):
    """Limits that are reached, or would be at the end of a step.

    Attributes:
        rows: (k,) of `JointRates`.
        signs: (k,) 1 at a lower limit, -1 at an upper one.
        gaps: (k,) from each limit into the range, rad or m.
    """

    rows: Numbers
    signs: Floats
    gaps: Floats


class Limits:
    """The limits of a robot's joints, followers among them."""

    def __init__(self, rates: JointRates, law: LimitLaw, step: float) -> None:
        """Take the rows, a law, and a step in s."""
        self._rates = rates
        self._law = law._replace(time_constant=max(law.time_constant, step))
        self._step = step
        self._rows = np.flatnonzero(np.isfinite(rates.lower) | np.isfinite(rates.upper))
        self._lower, self._upper = rates.lower[self._rows], rates.upper[self._rows]

    def reached(self, q: Floats, u: Floats) -> Reached | None:
        """Return the limits that rates u (count,) at q (nq,) lead to in a step; None for none."""
        rows = self._rows
        if not len(rows):
            return None
        z = self._rates.positions(rows, q)
        ahead = z + self._step * (u if len(rows) == len(u) else u[rows])
        low = ahead < self._lower
        beyond = low | (ahead > self._upper)
        if not beyond.any():
            return None
        found = np.flatnonzero(beyond)
        signs = np.where(low[found], 1.0, -1.0)
        bounds = np.where(low[found], self._lower[found], self._upper[found])
        return Reached(rows[found], signs, signs * (z[found] - bounds))

    def stops(self, reached: Reached, mass: Floats) -> Stops:
        """Return the forces of limits, for the inertia (k,) that each feels.

        What is still within its range is let go to the limit in the step, and no farther.
        """
        time, ratio = self._law
        spring, damper = mass / (time * ratio) ** 2, 2.0 * mass / time
        slopes = spring * self._step + damper
        gaps = reached.gaps
        targets = -gaps * np.where(gaps < 0.0, spring / slopes, 1.0 / self._step)
        return Stops(reached.rows, reached.signs, slopes, targets)
