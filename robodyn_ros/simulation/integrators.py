"""Fixed-step methods: the classical one of Runge and Kutta, and the semi-implicit Euler method.

Efforts are held through a step. Source: Hairer, Lubich and Wanner, Geometric Numerical Integration,
chapters I.1 and IV.4 (projection back onto a manifold keeps the order).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.simulation.mechanics import Mechanics

Floats = NDArray[np.float64]
Integrator = Literal["rk4", "semi_implicit_euler"]


class Method(Protocol):
    """A fixed-step method for one robot and one step."""

    def __call__(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return q (nq,) and v (nv,) one step later, under efforts (nv,) held through it."""


class RungeKutta4:
    """The classical method of order 4, for coordinates in the space that they are numbers in.

    Stages are rows of one array, so that each next state is one product.
    """

    def __init__(self, mechanics: Mechanics, step: float) -> None:
        """Take a step in s."""
        self._mechanics = mechanics
        model = mechanics.robot.model
        self._nq = model.nq
        rows = np.zeros((5, model.nq + model.nv))
        self._rows = rows
        self._state = rows[0]
        self._parts = [(row[: model.nq], row[model.nq :]) for row in rows]
        h = step
        self._second = np.array([1.0, h / 2.0, 0.0, 0.0, 0.0])
        self._third = np.array([1.0, 0.0, h / 2.0, 0.0, 0.0])
        self._fourth = np.array([1.0, 0.0, 0.0, h, 0.0])
        self._end = np.array([1.0, h / 6.0, h / 3.0, h / 3.0, h / 6.0])

    def __call__(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return q (nq,) and v (nv,) one step later, under efforts (nv,) held through it."""
        rows, parts, nq, stage = self._rows, self._parts, self._nq, self._mechanics.stage
        first_q, first_v = parts[0]
        first_q[:], first_v[:] = q, v
        rows[1:] = 0.0  # what is left of a step beyond all numbers would spoil this one
        slope_q, slope_v = parts[1]
        slope_q[:], slope_v[:] = stage(q, v, tau)
        for weights, (slope_q, slope_v) in zip(
            (self._second, self._third, self._fourth), parts[2:], strict=True
        ):
            state = weights.dot(rows)
            slope_q[:], slope_v[:] = stage(state[:nq], state[nq:], tau)
        state = self._end.dot(rows)
        return self._mechanics.settled(state[:nq], state[nq:])


class SemiImplicitEuler:
    """v first, then q with the new v: order 1, symplectic for mechanisms without constraints."""

    def __init__(self, mechanics: Mechanics, step: float) -> None:
        """Take a step in s."""
        self._mechanics = mechanics
        self._step = np.array(step)

    def __call__(self, q: Floats, v: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return q (nq,) and v (nv,) one step later, under efforts (nv,) held through it."""
        mechanics = self._mechanics
        v = v + self._step * mechanics.stage(q, v, tau)[1]
        return mechanics.settled(mechanics.moved(q, v, self._step), v)


METHODS: Mapping[str, Callable[[Mechanics, float], Method]] = {
    "rk4": RungeKutta4,
    "semi_implicit_euler": SemiImplicitEuler,
}
