"""Lagrange's equation of a planar mechanism with one degree of freedom, by sympy.

The pose of every moving body is an expression of one coordinate q and of few dependent numbers z,
which are closed forms of q; dz/dq is an expression of q and z. With v the rate of q,

    T = m(q) v^2 / 2,   V = V(q),   tau = m a + m' v^2 / 2 + V'.

m, m', V and V' are derived symbolically and compiled once for all parameters and branches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp


@dataclass(frozen=True)
class Link:
    """A body of the mechanism.

    Attributes:
        name: prefix of its parameters: NAME_m (kg), NAME_i (kg m^2 about the centre of mass),
            NAME_x and NAME_y (m, centre of mass in its own axes).
        origin: x and y of its origin.
        heading: cosine and sine of the angle of its x axis; constant where it only slides.
    """

    name: str
    origin: tuple[Any, Any]
    heading: tuple[Any, Any]


def link_parameters(name: str) -> list[sp.Symbol]:
    """Return the four parameters of a link, in the order mass, inertia, x, y."""
    return list(sp.symbols(" ".join(f"{name}_{part}" for part in "mixy"), real=True))


@dataclass(frozen=True)
class Dependent:
    """A number that depends on q.

    Attributes:
        symbol: what stands for it in expressions.
        value: its closed form, of q and parameters.
        slope: its derivative by q, of q, parameters and dependent numbers.
    """

    symbol: sp.Symbol
    value: Any
    slope: Any


class OneDegree:
    """A mechanism with one degree of freedom.

    Args:
        q: the coordinate.
        parameters: all others that the expressions name, g_x and g_y (gravity) besides.
        dependent: the numbers that depend on q.
        links: the moving bodies.
        outputs: further expressions by name, whose values and derivatives are wanted.
    """

    def __init__(
        self,
        q: sp.Symbol,
        parameters: Sequence[sp.Symbol],
        dependent: Sequence[Dependent],
        links: Sequence[Link],
        outputs: Mapping[str, Any],
    ) -> None:
        def slope(expression: Any) -> Any:
            parts = [sp.diff(expression, one.symbol) * one.slope for one in dependent]
            return sp.Add(sp.diff(expression, q), *parts)

        g_x, g_y = sp.symbols("g_x g_y", real=True)
        inertia, potential = sp.Integer(0), sp.Integer(0)
        names = list(parameters)
        for link in links:
            mass, moment, x, y = link_parameters(link.name)
            names += [mass, moment, x, y]
            c, s = link.heading
            center = (link.origin[0] + c * x - s * y, link.origin[1] + s * x + c * y)
            rates = [slope(part) for part in center]
            turning = c * slope(s) - s * slope(c)
            inertia += mass * (rates[0] ** 2 + rates[1] ** 2) + moment * turning**2
            potential -= mass * (g_x * center[0] + g_y * center[1])
        self._names = [str(name) for name in (*names, g_x, g_y)]
        self._outputs = list(outputs)
        symbols = [q, *names, g_x, g_y]
        self._dependent = _compiled(symbols, [one.value for one in dependent])
        symbols += [one.symbol for one in dependent]
        terms = [inertia, slope(inertia), potential, slope(potential)]
        self._dynamics = _compiled(symbols, terms)
        values = list(outputs.values())
        first = [slope(value) for value in values]
        self._motion = _compiled(symbols, [values, first, [slope(rate) for rate in first]])

    def _arguments(self, q: float, parameters: Mapping[str, float]) -> list[float]:
        known = [q, *(parameters[name] for name in self._names)]
        return [*known, *self._dependent(*known)]

    def terms(self, q: float, parameters: Mapping[str, float]) -> tuple[float, ...]:
        """Return m, m', V, V' at q."""
        return tuple(float(part) for part in self._dynamics(*self._arguments(q, parameters)))

    def motion(
        self, q: float, v: float, a: float, parameters: Mapping[str, float]
    ) -> dict[str, tuple[float, float, float]]:
        """Return value, rate and acceleration of every output."""
        parts = self._motion(*self._arguments(q, parameters))
        value, first, second = (np.array(part, dtype=float) for part in parts)
        columns = np.array([value, first * v, second * v**2 + first * a])
        return dict(zip(self._outputs, map(tuple, columns.T), strict=True))

    def slopes(self, q: float, parameters: Mapping[str, float]) -> dict[str, float]:
        """Return the derivative of every output by q."""
        first = self._motion(*self._arguments(q, parameters))[1]
        return dict(zip(self._outputs, map(float, first), strict=True))

    def inverse_dynamics(
        self, q: float, v: float, a: float, parameters: Mapping[str, float]
    ) -> float:
        """Return the effort conjugate to q that makes it move so."""
        m, m_q, _, v_q = self.terms(q, parameters)
        return m * a + 0.5 * m_q * v**2 + v_q

    def forward_dynamics(
        self, q: float, v: float, effort: float, parameters: Mapping[str, float]
    ) -> float:
        """Return the acceleration of q under a generalised effort conjugate to it."""
        m, m_q, _, v_q = self.terms(q, parameters)
        return (effort - 0.5 * m_q * v**2 - v_q) / m

    def energy(self, q: float, v: float, parameters: Mapping[str, float]) -> tuple[float, float]:
        """Return kinetic and potential energy."""
        m, _, potential, _ = self.terms(q, parameters)
        return 0.5 * m * v**2, potential


def _compiled(symbols: Sequence[sp.Symbol], expressions: list[Any]) -> Callable[..., Any]:
    return sp.lambdify(symbols, expressions, modules="numpy", cse=True)
