"""Document A's own equations 2 to 12, written as printed: what the model's recursion is held to.

Misprints are corrected as noted at each place. Joint types: JT 1 slider, JT 2 three sliders, JT 3
revolute, JT 4 ball.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix, rotation_from_rpy

SLIDER, THREE_SLIDERS, REVOLUTE, BALL = 1, 2, 3, 4
ONE = np.eye(3)


def tilde(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@dataclass
class Joint:
    """Data and state of one joint: document A's d, g or g-hat, C-bar, s, gamma and its rates."""

    jt: int
    d: np.ndarray  # nominal joint position from the parent's joint, parent axes
    s: np.ndarray  # centre of mass from the joint, own axes
    g: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0]))
    C_bar: np.ndarray = field(default_factory=lambda: np.eye(3))
    gamma: np.ndarray = field(default_factory=lambda: np.zeros(1))
    rate: np.ndarray = field(default_factory=lambda: np.zeros(1))
    rate_rate: np.ndarray = field(default_factory=lambda: np.zeros(1))


@dataclass
class BodyState:
    """A body's C, eta, omega, eta-dot, omega-dot, eta-dot-dot and the motion of its centre."""

    C: np.ndarray
    eta: np.ndarray
    w: np.ndarray
    v: np.ndarray
    dw: np.ndarray
    dv: np.ndarray

    def centre(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return equations 4, 9 and 12."""
        s = self.C @ s
        r = self.eta + s
        dr = self.v + np.cross(self.w, s)
        return r, dr, self.dv + np.cross(self.dw, s) + np.cross(self.w, np.cross(self.w, s))


def attitude(joint: Joint) -> np.ndarray:
    """Return C_i^ip: equations 2a, 2b, 2c."""
    if joint.jt in (SLIDER, THREE_SLIDERS):
        return ONE
    if joint.jt == REVOLUTE:
        theta, g = joint.gamma[0], joint.g
        c, s = np.cos(theta), np.sin(theta)
        return joint.C_bar @ ((1.0 - c) * np.outer(g, g) + c * ONE + s * tilde(g))
    a, b, c, d = joint.gamma
    return np.array(
        [
            [a * a - b * b - c * c + d * d, 2 * (a * b - c * d), 2 * (a * c + b * d)],
            [2 * (a * b + c * d), -a * a + b * b - c * c + d * d, 2 * (b * c - a * d)],
            [2 * (a * c - b * d), 2 * (b * c + a * d), -a * a - b * b + c * c + d * d],
        ]
    )


def outward(p: BodyState, joint: Joint) -> BodyState:
    """Return body i's state from its parent's: equations 2, 3, 6, 8, 10 and 11."""
    C = p.C @ attitude(joint)
    # d-bar below (8); d_i is fixed in the parent, so its superscript must be ip for every type.
    arm = joint.d.copy()
    if joint.jt == SLIDER:
        arm += joint.g * joint.gamma[0]
    elif joint.jt == THREE_SLIDERS:
        arm += joint.gamma
    arm = p.C @ arm
    w, dw = p.w, p.dw
    v = p.v + np.cross(p.w, arm)
    dv = p.dv + np.cross(p.dw, arm) + np.cross(p.w, np.cross(p.w, arm))
    if joint.jt == REVOLUTE:
        g = C @ joint.g
        w = w + g * joint.rate
        dw = dw + g * joint.rate_rate + np.cross(p.w, g * joint.rate)
    elif joint.jt == BALL:
        w = w + C @ joint.rate
        dw = dw + C @ joint.rate_rate + np.cross(p.w, C @ joint.rate)
    else:
        # (8) prints g-hat delta for JT 1; its rate is meant. x-dot in (11) is C_ip x-dot.
        along = p.C @ (joint.g if joint.jt == SLIDER else ONE).reshape(3, -1)
        v = v + along @ joint.rate
        dv = dv + along @ joint.rate_rate + 2.0 * np.cross(p.w, along @ joint.rate)
    return BodyState(C, p.eta + arm, w, v, dw, dv)


def random_joint(jt: int, rng: np.random.Generator) -> Joint:
    g = rng.normal(size=3)
    size = 1 if jt in (SLIDER, REVOLUTE) else 3
    gamma = quaternion_exponential(rng.normal(size=3)) if jt == BALL else rng.normal(size=size)
    C_bar = rotation_from_rpy(rng.normal(size=3)) if jt == REVOLUTE else ONE
    return Joint(
        jt,
        rng.normal(size=3),
        rng.normal(size=3),
        g / np.linalg.norm(g),
        C_bar,
        gamma,
        rng.normal(size=size),
        rng.normal(size=size),
    )


def random_root(rng: np.random.Generator) -> BodyState:
    C = quaternion_to_matrix(quaternion_exponential(rng.normal(size=3)))
    return BodyState(C, *rng.normal(size=(5, 3)))
