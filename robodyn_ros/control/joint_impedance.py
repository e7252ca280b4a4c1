"""Joint impedance: a spring and a damper at every joint, about a motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.control.damping_design import damped_springs
from robodyn_ros.control.reference import JointReference
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def joint_impedance(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    reference: JointReference,
    stiffness: ArrayLike,
    damping_ratio: float,
    fastest: float = np.inf,
) -> Floats:
    """Return M a_d + C v_d + g + D (v_d - v) + K (q_d - q), the robot's own inertia left as it is.

    D is designed for the damping ratio at this position, and modes that are too fast for the loop
    are softened: see `damped_springs`.

    Stable: from the error to external efforts the closed loop M ë + (C + D) ė + K e = τ_ext is
    passive, since Ṁ - 2 C is skew; the equilibrium is globally asymptotically stable without
    contact and with passive surroundings, for K > 0, D > 0 and an exact model (Ott 2008). What the
    model lacks shows as an offset K⁻¹ Δτ.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        reference: The motion about which the springs act.
        stiffness: (nv,) K >= 0, N m/rad or N/m.
        damping_ratio: ζ >= 0 of every mode.
        fastest: Highest natural frequency of a mode, rad/s.

    Returns:
        (nv,) efforts, N m or N.

    Source:
        Ott, Cartesian Impedance Control of Redundant and Flexible-Joint Robots (2008), sections
        3.2 and 3.3; Slotine & Li (1987) for C v_d.
    """
    rates = np.asarray(v, dtype=np.float64)
    springs = np.broadcast_to(np.asarray(stiffness, dtype=np.float64), rates.shape)
    inertia = robot.mass_matrix(q)
    error = robot.difference(q, reference.q)
    rate_error = reference.v - rates
    acting = damped_springs(inertia, np.diag(springs), damping_ratio, fastest)
    effort: Floats = (
        inertia @ reference.a
        + robot.coriolis_matrix(q, rates) @ reference.v
        + robot.gravity_force(q)
        + acting.damping @ rate_error
        + acting.stiffness @ error
    )
    return effort
