"""Gravity compensation: the efforts that hold a robot's weight, with damping."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def gravity_compensation(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike,
    damping: ArrayLike,
    damping_rate: float = 0.0,
    *,
    unloaded: Robot | None = None,
) -> Floats:
    """Return g(q) - (D + M(q) / T) v: the robot floats where it is put, and comes to rest.

    g(q) is of links and payloads, as the robot's environment has them.

    Stable: with D + M / T > 0, and g exact, the energy of motion decreases at vᵀ (D + M / T) v, so
    that every position is an equilibrium and every motion ends. With an error Δg the robot drifts
    until friction holds it. Damping by M slows all motions down at the one rate 1/T, so that a
    delay of the loop below about T/2 does no harm; D may not be more than inertia over delay, which
    is little for wrists.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        damping: (nv,) or one number, D >= 0, N m s/rad or N s/m.
        damping_rate: 1/T >= 0, 1/s.
        unloaded: The robot whose M damping goes by, `robot` by default. Without payloads it is
            never more than the truth: a payload that is lost does not make a wrist swing.

    Returns:
        (nv,) efforts, N m or N.

    Source:
        Siciliano, Sciavicco, Villani & Oriolo, Robotics: Modelling, Planning and Control (2009),
        section 8.5.1, with K_P = 0.
    """
    rates = np.asarray(v, dtype=np.float64)
    effort: Floats = robot.gravity_force(q) - np.asarray(damping) * rates
    if damping_rate > 0.0:
        effort = effort - damping_rate * ((unloaded or robot).mass_matrix(q) @ rates)
    return effort
