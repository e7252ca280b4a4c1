"""The friction that a motion along a reference has to overcome."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


def reference_friction(robot: Robot, q: Floats, v: Floats) -> Floats:
    """Return the efforts (nv,) of damping and Coulomb friction at rates (nv,), N m or N.

    Smooth through zero, as `inverse_dynamics` with friction has them; followers' on their drivers.

    Args:
        robot: The robot, friction as its environment has it.
        q: (nq,) coordinates.
        v: (nv,) rates, rad/s or m/s.
    """
    found: Floats = robot.bias_force(q, v, friction=True) - robot.bias_force(q, v)
    return found
