"""The Bricard mechanism of the benchmark library by the directions of its joint axes.

Six rods of length 1, the last of them the ground, with revolute joints between them; the axes at
the two ends of a rod are at right angles to each other and to the rod. So the axes e_1 ... e_6 say
everything: rod k runs along SIGN[k] e_k x e_(k+1). e_1 and e_6 stand still; the other four obey
|e_k| = 1, e_k . e_(k+1) = 0 and the closure of the polygon: 12 equations of rank 11.
"""

from __future__ import annotations

import numpy as np

LENGTH, WIDTH, MASS = 1.0, 0.1, 1.0
GRAVITY = np.array([0.0, -9.81, 0.0])
#: Moments of inertia of a rod with square cross-section, along it and across.
ALONG = MASS * WIDTH**2 / 6
ACROSS = MASS * (LENGTH**2 + WIDTH**2) / 12

#: Axes and joints as the library draws them: rods along x, -y, z, -x and y.
AXES = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
SIGN = np.array(
    [np.dot(POINTS[k + 1] - POINTS[k], np.cross(AXES[k], AXES[k + 1])) for k in range(5)]
)
#: Rounds of Newton's method, at most.
_NEWTON = 30


def rods(axes: np.ndarray) -> np.ndarray:
    """Return the rods (5, 3) from joint to joint."""
    return SIGN[:, None] * np.cross(axes[:-1], axes[1:])


def joints(axes: np.ndarray) -> np.ndarray:
    """Return the positions of the joints (6, 3)."""
    return np.vstack([np.zeros(3), np.cumsum(rods(axes), axis=0)])


def _residual(axes: np.ndarray) -> np.ndarray:
    inner = axes[1:5]
    norms = (np.einsum("ij,ij->i", inner, inner) - 1) / 2
    angles = np.einsum("ij,ij->i", axes[:-1], axes[1:])
    return np.concatenate([norms, angles, joints(axes)[-1] - POINTS[-1]])


def _jacobian(axes: np.ndarray) -> np.ndarray:
    """Return the derivative of the residual by the inner axes (12, 12); it is linear in them."""
    columns = []
    for k in range(1, 5):
        for unit in np.eye(3):
            change = np.zeros((6, 3))
            change[k] = unit
            columns.append(_first(axes, change))
    return np.array(columns).T


def _first(axes: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return the residual's derivative along a change of the axes."""
    norms = np.einsum("ij,ij->i", axes[1:5], change[1:5])
    angles = np.einsum("ij,ij->i", axes[:-1], change[1:])
    angles += np.einsum("ij,ij->i", change[:-1], axes[1:])
    return np.concatenate([norms, angles, _rod_rates(axes, change).sum(axis=0)])


def _second(change: np.ndarray) -> np.ndarray:
    """Return what a change adds to the residual's second derivative."""
    norms = np.einsum("ij,ij->i", change[1:5], change[1:5])
    angles = 2 * np.einsum("ij,ij->i", change[:-1], change[1:])
    turned = 2 * SIGN[:, None] * np.cross(change[:-1], change[1:])
    return np.concatenate([norms, angles, turned.sum(axis=0)])


def _rod_rates(axes: np.ndarray, change: np.ndarray) -> np.ndarray:
    turned = np.cross(axes[:-1], change[1:]) + np.cross(change[:-1], axes[1:])
    return SIGN[:, None] * turned


def _padded(inner: np.ndarray) -> np.ndarray:
    return np.vstack([np.zeros(3), inner.reshape(4, 3), np.zeros(3)])


def projected(axes: np.ndarray) -> np.ndarray:
    """Return the nearest axes that close the mechanism."""
    for _ in range(_NEWTON):
        residual = _residual(axes)
        if np.max(np.abs(residual)) < 1e-14:
            break
        axes = axes - _padded(_inverse(axes) @ residual)
    return axes


def _decomposed(axes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the singular value decomposition of the Jacobian, whose rank is 11."""
    left, values, right = np.linalg.svd(_jacobian(axes))
    if not values[10] > 1e-3:
        raise ArithmeticError(f"the mechanism has no single motion: {values}")
    return left, values, right


def _inverse(axes: np.ndarray) -> np.ndarray:
    """Return the generalised inverse of the Jacobian, of rank 11 also where rounding says 12."""
    left, values, right = _decomposed(axes)
    inverse: np.ndarray = (right[:11].T / values[:11]) @ left[:, :11].T
    return inverse


def mobility_direction(axes: np.ndarray) -> np.ndarray:
    """Return the one direction (6, 3) of norm 1 in which the axes can move."""
    return _padded(_decomposed(axes)[2][11])


def acceleration(axes: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the second derivative (6, 3) of the axes in free motion.

    Lagrange's equation along the one direction n in which they can move; every rod is seen as its
    centre and the three axes of its own frame.
    """
    n = mobility_direction(axes)
    inverse = _inverse(axes)
    drift = _padded(-inverse @ _second(rates))
    inertial = [_virtual_power(axes, rates, second, n) for second in (drift, drift + n)]
    return drift - inertial[0] / (inertial[1] - inertial[0]) * n


def _virtual_power(
    axes: np.ndarray, rates: np.ndarray, second: np.ndarray, change: np.ndarray
) -> float:
    """Return the power of inertial forces less that of gravity along a change of the axes."""
    r_2 = _rod_rates(axes, second) + 2 * SIGN[:, None] * np.cross(rates[:-1], rates[1:])
    r_change = _rod_rates(axes, change)
    along, r_1 = rods(axes), _rod_rates(axes, rates)
    center_2 = np.cumsum(r_2, axis=0) - r_2 / 2
    center_change = np.cumsum(r_change, axis=0) - r_change / 2
    power = MASS * np.sum((center_2 - GRAVITY) * center_change)
    # A frame of unit axes whose second moments are such that those about it are ALONG and ACROSS.
    spread, thickness = ACROSS - ALONG / 2, ALONG / 2
    power += spread * np.sum(r_2 * r_change)
    for k in range(5):
        first = axes[k]
        other_2 = _cross_second(along[k], r_1[k], r_2[k], first, rates[k], second[k])
        other_change = np.cross(r_change[k], first) + np.cross(along[k], change[k])
        power += thickness * (second[k] @ change[k] + other_2 @ other_change)
    return float(power)


def _cross_second(*parts: np.ndarray) -> np.ndarray:
    """Return the second derivative of a x b from a, a', a'', b, b', b''."""
    a, a_1, a_2, b, b_1, b_2 = parts
    return np.cross(a_2, b) + 2 * np.cross(a_1, b_1) + np.cross(a, b_2)


def energy(axes: np.ndarray, rates: np.ndarray) -> tuple[float, float]:
    """Return kinetic and potential energy of the five moving rods."""
    along, along_1 = rods(axes), _rod_rates(axes, rates)
    centers_1 = np.cumsum(along_1, axis=0) - along_1 / 2
    spread, thickness = ACROSS - ALONG / 2, ALONG / 2
    others = np.cross(along_1, axes[:5]) + np.cross(along, rates[:5])
    kinetic = MASS * np.sum(centers_1**2) + spread * np.sum(along_1**2)
    kinetic += thickness * (np.sum(rates[:5] ** 2) + np.sum(others**2))
    centers = np.cumsum(along, axis=0) - along / 2
    return 0.5 * float(kinetic), -MASS * float(np.sum(centers @ GRAVITY))


def motion(times: np.ndarray, tolerance: float = 1e-12) -> np.ndarray:
    """Return the axes and rates (n, 2, 6, 3) at given times, from rest in the drawn position."""
    from scipy.integrate import solve_ivp

    def derivative(_: float, state: np.ndarray) -> np.ndarray:
        axes, rates = _split(state)
        axes = projected(axes)
        rates = rates - _padded(_inverse(axes) @ _first(axes, rates))
        second = acceleration(axes, rates)
        return np.concatenate([rates[1:5].ravel(), second[1:5].ravel()])

    start = np.concatenate([AXES[1:5].ravel(), np.zeros(12)])
    found = solve_ivp(
        derivative, (0.0, float(times[-1])), start, "DOP853", times, rtol=tolerance, atol=tolerance
    )
    return np.array([_split(state) for state in found.y.T])


def _split(state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    axes = _padded(state[:12])
    axes[[0, 5]] = AXES[[0, 5]]
    return axes, _padded(state[12:])
