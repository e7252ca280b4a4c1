"""Document B's system of five bodies by its own equations: what Kane's formulation is held to.

Everything is written from the slides; what they leave out is marked. C_n takes axes of B_n to the
inertial ones; Gamma and Delta_ok are in axes of the outer body, Delta_ik in those of the inner one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from document_a import tilde

#: Of joint G_k: inner body, outer body.
BODIES = {1: (1, 2), 2: (1, 3), 3: (3, 4), 4: (3, 5)}
#: Which joints lie between B_1 and B_n.
PATH: dict[int, tuple[int, ...]] = {1: (), 2: (1,), 3: (2,), 4: (2, 3), 5: (2, 4)}
#: u and s in the order of the slides: two of a pair are (body, joint) of a slider.
SLIDERS = ((1, 1), (2, 1), (1, 2), (3, 2), (3, 3), (4, 3), (3, 4), (5, 4))

DELTA = {
    (1, 1): (0, 1, 0),
    (2, 1): (1, 0, 0),
    (1, 2): (0.6, 0, 0.8),
    (3, 2): (0, 1, 0),
    (3, 3): (0, 0, 1),
    (4, 3): (1, 0, 0),
    (3, 4): (0, 1, 0),
    (5, 4): (0, 0, 1),
}
#: r_ik and r_ok, from the body's origin towards G_k, in its axes.
R = {
    (1, 1): (0.1, 0.35, 0),
    (2, 1): (0, -0.25, 0.02),
    (1, 2): (0.45, 0, 0.1),
    (3, 2): (-0.3, 0, 0),
    (3, 3): (0.1, 0, 0.1),
    (4, 3): (0.03, 0, -0.02),
    (3, 4): (0.3, 0, -0.05),
    (5, 4): (0, 0.04, -0.2),
}


def turn(axis: int, angle: float) -> np.ndarray:
    """Return the rotation about axis 1, 2 or 3."""
    c, s = np.cos(angle), np.sin(angle)
    i, j = axis % 3, (axis + 1) % 3
    matrix = np.eye(3)
    matrix[[i, j], [i, j]] = c
    matrix[j, i], matrix[i, j] = s, -s
    return matrix


def gimbal(sequence: str, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rotation and Gamma, whose columns are the axes as the later turns leave them."""
    rotation, columns = np.eye(3), []
    for digit, angle in reversed(list(zip(sequence, angles, strict=True))):
        columns.insert(0, rotation.T @ np.eye(3)[int(digit) - 1])
        rotation = turn(int(digit), angle) @ rotation
    return rotation, np.column_stack(columns)


@dataclass
class Motion:
    """State of the five bodies and its partials, by number from 1; see the slides for the names."""

    C: dict[int, np.ndarray]
    p: dict[int, np.ndarray]
    w: dict[int, np.ndarray]
    v: dict[int, np.ndarray]
    alpha_r: dict[int, np.ndarray]
    a_r: dict[int, np.ndarray]
    gamma: dict[int, np.ndarray]
    G: dict[int, np.ndarray]

    def omega_rows(self, n: int) -> np.ndarray:
        """Return Omega's three rows of B_n: [omega_1, sigma_1..4, v_1, s]."""
        blocks = [self.C[1]]
        for k, (_, outer) in BODIES.items():
            block = self.C[outer] @ self.gamma[k]
            blocks.append(block if k in PATH[n] else 0.0 * block)
        return np.hstack([*blocks, np.zeros((3, 3 + len(SLIDERS)))])

    def v_rows(self, n: int) -> np.ndarray:
        """Return V's three rows of B_n, with path vectors that contain the sliders."""
        blocks = [tilde(self.p[1] - self.p[n]) @ self.C[1]]
        for k, (_, outer) in BODIES.items():
            block = tilde(self.G[k] - self.p[n]) @ self.C[outer] @ self.gamma[k]
            blocks.append(block if k in PATH[n] else 0.0 * block)
        return np.hstack([*blocks, np.eye(3), self.v_s_rows(n)])

    def v_s_rows(self, n: int) -> np.ndarray:
        """Return V_s's three rows of B_n, as printed."""
        C = {
            key: self.C[key[0]] @ np.array(axis) * (1.0 if key[0] == BODIES[key[1]][0] else -1.0)
            for key, axis in DELTA.items()
        }
        zero = np.zeros(3)
        printed = {
            1: [zero] * 8,
            2: [C[1, 1], C[2, 1], *[zero] * 6],
            3: [zero, zero, C[1, 2], C[3, 2], *[zero] * 4],
            4: [zero, zero, C[1, 2], C[3, 2], C[3, 3], C[4, 3], zero, zero],
            5: [zero, zero, C[1, 2], C[3, 2], zero, zero, C[3, 4], C[5, 4]],
        }
        return np.column_stack(printed[n])


def moved(
    C_1: np.ndarray,
    p_1: np.ndarray,
    w_1: np.ndarray,
    v_1: np.ndarray,
    turns: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]],
    d: dict[tuple[int, int], float],
    s: dict[tuple[int, int], float],
) -> Motion:
    """Return the motion from that of B_1, outwards.

    Args:
        C_1: axes of B_1 to inertial ones.
        p_1: position of B_1's origin.
        w_1: angular velocity of B_1, inertial axes.
        v_1: velocity of B_1's origin, inertial axes.
        turns: by joint: rotation, Gamma, sigma, and Gamma-dot sigma in axes of the outer body.
        d: displacements by (body, joint).
        s: their rates.
    """
    still = np.zeros(3)
    gamma = {k: part[1] for k, part in turns.items()}
    motion = Motion({1: C_1}, {1: p_1}, {1: w_1}, {1: v_1}, {1: still}, {1: still}, gamma, {})
    for k, (i, o) in BODIES.items():
        rotation, partial, sigma, carried = turns[k]
        C_i, C_o = motion.C[i], motion.C[i] @ rotation
        rho_i = C_i @ (np.array(R[i, k]) + np.array(DELTA[i, k]) * d[i, k])
        rho_o = C_o @ (np.array(R[o, k]) + np.array(DELTA[o, k]) * d[o, k])
        xdot_i = C_i @ np.array(DELTA[i, k]) * s[i, k]
        xdot_o = C_o @ np.array(DELTA[o, k]) * s[o, k]
        w_i, relative = motion.w[i], C_o @ (partial @ sigma)
        w_o = w_i + relative
        # The slides leave alpha_r out: the derivative of w_o without sigma-dot.
        alpha_i = motion.alpha_r[i]
        alpha_o = alpha_i + np.cross(w_i, relative) + C_o @ carried
        # As printed.
        v_o = motion.v[i] + np.cross(w_i, rho_i) + xdot_i - np.cross(w_o, rho_o) - xdot_o
        a_o = motion.a_r[i] + np.cross(alpha_i, rho_i) + np.cross(w_i, np.cross(w_i, rho_i))
        a_o = a_o + 2 * np.cross(w_i, xdot_i) - np.cross(alpha_o, rho_o)
        a_o = a_o - np.cross(w_o, np.cross(w_o, rho_o)) - 2 * np.cross(w_o, xdot_o)
        motion.C[o], motion.w[o], motion.v[o] = C_o, w_o, v_o
        motion.alpha_r[o], motion.a_r[o] = alpha_o, a_o
        motion.G[k] = motion.p[i] + rho_i
        motion.p[o] = motion.G[k] - rho_o
    return motion
