"""Gravity compensation: the efforts that hold a robot's weight, with damping."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def gravity_compensation(robot: Robot, q: ArrayLike, v: ArrayLike, damping: ArrayLike) -> Floats:
    """Return g(q) - D v: the robot floats where it is put, and comes to rest.

    g(q) is of links and payloads, as the robot's environment has them.

    Stable: with D > 0, and g exact, the energy of motion decreases, dT/dt = -vᵀ D v, so that every
    position is an equilibrium and every motion ends. With an error Δg the robot drifts until
    friction holds it, at most at the velocity D⁻¹ Δg.

    Args:
        robot: The robot.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
        damping: (nv,) or one number, D >= 0, N m s/rad or N s/m.

    Returns:
        (nv,) efforts, N m or N.

    Source:
        Siciliano, Sciavicco, Villani & Oriolo, Robotics: Modelling, Planning and Control (2009),
        section 8.5.1, with K_P = 0.
    """
    rates = np.asarray(v, dtype=np.float64)
    effort: Floats = robot.gravity_force(q) - np.asarray(damping) * rates
    return effort
