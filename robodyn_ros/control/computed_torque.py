"""Computed torque: the dynamics cancelled, what is left a linear error."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.control.friction import reference_friction
from robodyn_ros.control.reference import JointReference
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def computed_torque(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    reference: JointReference,
    frequency: ArrayLike,
    damping_ratio: ArrayLike,
    *,
    friction: bool = False,
) -> Floats:
    """Return M(q) (a_d + 2 ζ ω (v_d - v) + ω² (q_d - q)) + h(q, v).

    Stable: with an exact model the error obeys ë + 2 ζ ω ė + ω² e = 0 in every coordinate, whatever
    the motion; exponentially so for ω > 0, ζ > 0. With errors of the model it stays bounded by
    their effect over ω², as long as the error of M is below M itself (Siciliano et al. 2009,
    section 8.5.2 and 8.5.3). A delay T of the loop limits ω: ω T < 0.3 keeps a margin.

    Args:
        robot: The robot; payloads and gravity as its environment has them.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        reference: The motion that is wanted, accelerations included.
        frequency: (nv,) or one number, ω >= 0, rad/s.
        damping_ratio: (nv,) or one number, ζ >= 0.
        friction: Whether the friction of joints at the reference's rates is added: not at the
            measured ones, whose noise would have Coulomb friction chatter.

    Returns:
        (nv,) efforts, N m or N.

    Source:
        Siciliano et al. (2009), equations 8.57 and 8.58; Luh, Walker & Paul (1980).
    """
    omega, zeta = np.asarray(frequency, dtype=np.float64), np.asarray(damping_ratio)
    rates = np.asarray(v, dtype=np.float64)
    error = robot.difference(q, reference.q)
    wanted = reference.a + 2.0 * zeta * omega * (reference.v - rates) + omega * omega * error
    effort: Floats = robot.inverse_dynamics(q, rates, wanted)
    return effort + reference_friction(robot, reference.q, reference.v) if friction else effort
