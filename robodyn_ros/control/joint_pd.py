"""Proportional-derivative control of joints with gravity compensation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.control.reference import JointReference
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def joint_pd(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    reference: JointReference,
    stiffness: ArrayLike,
    damping: ArrayLike,
) -> Floats:
    """Return g(q) + K (q_d - q) + D (v_d - v), the difference taken along the tangent.

    Stable: for a reference at rest the only equilibrium is q = q_d, globally asymptotically so for
    K > 0, D > 0 and exact g (Lyapunov function T + eᵀ K e / 2; Takegaki & Arimoto 1981). A moving
    reference is followed with an error, since inertia and Coriolis forces are not compensated.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        reference: Where it is to be, and at which rates.
        stiffness: (nv,) or one number, K >= 0, N m/rad or N/m.
        damping: (nv,) or one number, D >= 0, N m s/rad or N s/m.

    Returns:
        (nv,) efforts, N m or N.

    Source:
        Siciliano et al. (2009), section 8.5.1, equation 8.51.
    """
    error = robot.difference(q, reference.q)
    rate_error = reference.v - np.asarray(v, dtype=np.float64)
    effort: Floats = (
        robot.gravity_force(q) + np.asarray(stiffness) * error + np.asarray(damping) * rate_error
    )
    return effort
