"""Benchmark mechanisms in coordinates of their own, integrated as tightly as doubles allow.

The simple pendulum, the N four-bar and the flyball governor of the library of computational
benchmark problems (M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A benchmarking system for MBS
simulation software", Multibody System Dynamics 16, 2006), problems A01, A02 and A05.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

G = 9.81
TIGHT = 1e-13
"""Tolerance of integrations, relative and absolute."""

Derivative = Callable[[float, np.ndarray], np.ndarray]


def integrated(
    derivative: Derivative, start: Sequence[float], times: Sequence[float], method: str = "DOP853"
) -> np.ndarray:
    """Return the states (n, size) at the times."""
    found = solve_ivp(
        derivative, (0.0, times[-1]), start, method, t_eval=times, rtol=TIGHT, atol=TIGHT
    )
    assert found.success, found.message
    states: np.ndarray = found.y.T
    return states


def pendulum(times: np.ndarray, length: float = 1.0) -> np.ndarray:
    """Return x and y (n, 2) of a pendulum let go from (-length, 0), by elliptic functions.

    sin(a/2) = k sn(K - w t, k^2) for the angle a from below, with k = sin(90 deg / 2).
    """
    m = 0.5
    sn, _, dn, _ = ellipj(ellipk(m) - np.sqrt(G / length) * times, m)
    half = np.sqrt(m) * sn
    return length * np.stack([-2 * half * dn, 2 * half**2 - 1], axis=1)


def n_four_bar(count: int, times: Sequence[float]) -> np.ndarray:
    """Return angle from the vertical and rate (n, 2) of `count` loops that stay parallelograms.

    count + 1 rods turn about their ends, count rods go with their ends; all have mass 1 and length
    1. At the beginning they stand upright and their ends move with 1 m/s.
    """
    swinging = (count + 1) / 3 + count
    lever = (count + 1) / 2 + count

    def derivative(_: float, state: np.ndarray) -> np.ndarray:
        return np.array([state[1], G * np.sin(state[0]) * lever / swinging])

    return integrated(derivative, [0.0, 1.0], times)


class Governor:
    """The stiff flyball governor in three coordinates: turn of the shaft, height s, angle alpha.

    alpha is the angle of both arms below the horizontal. Spring-dampers pull between the slider and
    the middles of the arms; with `rigid` they are rods of the springs' rest length, and
    s = 1 - sin(alpha).
    """

    DENSITY, ARM, WIDTH, SLIDER, BALL = 3000.0, 1.0, 0.01, 0.1, 5.0
    HALF = 0.05
    """Distance of the arms' joints from the axis."""
    STIFFNESS, DAMPING, REST = 8e5, 4e4, 0.5
    START = (0.0, 0.5, np.pi / 6)
    SPEED = 2 * np.pi

    def __init__(self) -> None:
        self.arm = self.DENSITY * self.ARM * self.WIDTH**2
        self.slider = self.DENSITY * self.SLIDER**3
        self.along = self.arm * self.WIDTH**2 / 6
        self.across = self.arm * (self.ARM**2 + self.WIDTH**2) / 12
        # About the axis: the shaft is one more such box, the slider a cube.
        self.core = self.along + self.slider * self.SLIDER**2 / 6
        self.swing = 2 * (self.arm * self.ARM**2 / 4 + self.across + self.BALL * self.ARM**2)

    def turning(self, alpha: float) -> tuple[float, float]:
        """Return the moment of inertia about the axis and its derivative by alpha."""
        c, s, arm, half = np.cos(alpha), np.sin(alpha), self.ARM, self.HALF
        parts = ((self.arm, half + arm / 2 * c, arm / 2), (self.BALL, half + arm * c, arm))
        moment = sum(mass * x**2 for mass, x, _ in parts)
        slope = sum(-2 * mass * x * reach * s for mass, x, reach in parts)
        moment += self.across * c**2 + self.along * s**2
        slope += 2 * (self.along - self.across) * s * c
        return self.core + 2 * moment, 2 * slope

    def weight(self, alpha: float) -> float:
        """Return the potential energy of the arms but for a constant."""
        return -2 * G * self.ARM * np.sin(alpha) * (self.arm / 2 + self.BALL)

    def spring(self, s: float, alpha: float, s_1: float, alpha_1: float) -> tuple[float, ...]:
        """Return the tension of one spring-damper and its length's slopes by s and alpha."""
        x, z = self.ARM / 2 * np.cos(alpha), 1 - self.ARM / 2 * np.sin(alpha) - s
        length = np.hypot(x, z)
        by_s = -z / length
        by_alpha = -self.ARM / 2 * (x * np.sin(alpha) + z * np.cos(alpha)) / length
        rate = by_s * s_1 + by_alpha * alpha_1
        return self.STIFFNESS * (length - self.REST) + self.DAMPING * rate, by_s, by_alpha

    def derivative(self, _: float, state: np.ndarray) -> np.ndarray:
        """Return the rates of (turn, s, alpha, and their rates)."""
        _, s, alpha, turn_1, s_1, alpha_1 = state
        moment, slope = self.turning(alpha)
        tension, by_s, by_alpha = self.spring(s, alpha, s_1, alpha_1)
        weight_slope = -2 * G * self.ARM * np.cos(alpha) * (self.arm / 2 + self.BALL)
        force = 0.5 * slope * turn_1**2 - weight_slope - 2 * tension * by_alpha
        return np.array(
            [
                turn_1,
                s_1,
                alpha_1,
                -slope * alpha_1 * turn_1 / moment,
                -G - 2 * tension * by_s / self.slider,
                force / self.swing,
            ]
        )

    def rigid_derivative(self, _: float, state: np.ndarray) -> np.ndarray:
        """Return the rates of (turn, alpha, and their rates) where rods take the springs' place."""
        _, alpha, turn_1, alpha_1 = state
        moment, slope = self.turning(alpha)
        c, s = np.cos(alpha), np.sin(alpha)
        inertia = self.swing + self.slider * c**2
        weight_slope = -2 * G * self.ARM * c * (self.arm / 2 + self.BALL) - self.slider * G * c
        force = 0.5 * slope * turn_1**2 - weight_slope + self.slider * s * c * alpha_1**2
        turn_2 = -slope * alpha_1 * turn_1 / moment
        return np.array([turn_1, alpha_1, turn_2, force / inertia])

    def motion(self, times: Sequence[float], *, rigid: bool = False) -> np.ndarray:
        """Return turn, s and alpha (n, 3) at the times."""
        turn, s, alpha = self.START
        if rigid:
            start = [turn, alpha, self.SPEED, 0.0]
            states = integrated(self.rigid_derivative, start, times)
            return np.stack([states[:, 0], 1 - np.sin(states[:, 1]), states[:, 1]], axis=1)
        start = [turn, s, alpha, self.SPEED, 0.0, 0.0]
        return integrated(self.derivative, start, times, "Radau")[:, :3]


def n_four_bar_text(count: int) -> str:
    """Return the mechanism file of the N four-bar."""
    rod = "mass: 1, inertia: {shape: rod, length: 1, axis: "
    lines = [
        "mechanism: 1",
        f"name: four_bar_of_{count}_loops",
        "gravity: [0, -9.81, 0]",
        "bodies:",
        "  base:",
    ]
    joints = ["joints:"]
    loops = ["loops:"]
    for k in range(count + 1):
        lines.append(f"  rod_{k}: {{{rod}[0, 1, 0]}}, com: [0, 0.5, 0]}}")
        joints.append(_joint(f"A{k}", "base", f"rod_{k}", [k, 0, 0], 1))
        if k:
            lines.append(f"  bar_{k}: {{{rod}[1, 0, 0]}}, com: [0.5, 0, 0]}}")
            joints.append(_joint(f"B{k - 1}", f"rod_{k - 1}", f"bar_{k}", [0, 1, 0], -1))
            pin = _joint(f"C{k}", f"rod_{k}", f"bar_{k}", [0, 1, 0], None)
            loops.append(pin.replace("}}", "}, on_child: {position: [1, 0, 0]}}"))
    lines += joints + loops
    lines += ["markers:", "  B0: {body: rod_0, position: [0, 1, 0]}", "actuated: [A0]"]
    return "\n".join(lines) + "\n"


def _joint(name: str, parent: str, child: str, place: list[int], rate: int | None) -> str:
    start = "" if rate is None else f"initial_velocity: {rate}, "
    return (
        f"  {name}: {{type: continuous, parent: {parent}, child: {child}, axis: [0, 0, -1],"
        f" {start}on_parent: {{position: {place}}}}}"
    )
