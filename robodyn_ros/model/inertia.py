"""The ten inertial parameters of a rigid body, in which its dynamics is linear.

    [m, m cx, m cy, m cz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz]

mass, first moments and the inertia about the *frame's origin* (not the centre of mass), in the
frame's axes: the order of the literature on identification, and of Pinocchio.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.spatial import Array, apply, skew, transpose

#: How many parameters a body has.
PARAMETERS = 10

_ROWS = (0, 1, 1, 2, 2, 2)
_COLUMNS = (0, 0, 1, 0, 1, 2)
#: The entry of each element of the 3 x 3 inertia, row by row.
_ENTRIES = (4, 5, 7, 5, 6, 8, 7, 8, 9)


def parameters_of(mass: float, com: Array, inertia: Array) -> NDArray[np.float64]:
    """Return the parameters (10,) of a body.

    Args:
        mass: kg.
        com: centre of mass (3,) in the frame, m.
        inertia: (3, 3) about the centre of mass, frame's axes, kg m^2.
    """
    about_origin = inertia - mass * (skew(com) @ skew(com))
    return np.concatenate([[mass], mass * com, about_origin[_ROWS, _COLUMNS]])


def moments(parameters: Array) -> tuple[Array, Array, Array]:
    """Return mass (...), first moments (..., 3) and inertia about the origin (..., 3, 3)."""
    inertia = np.stack([parameters[..., k] for k in _ENTRIES], axis=-1)
    shape = (*parameters.shape[:-1], 3, 3)
    return parameters[..., 0], parameters[..., 1:4], inertia.reshape(shape)


def moved(parameters: Array, R_AB: Array, p_AB: Array) -> Array:
    """Return parameters (10,) given in frame B about the origin of A, in A's axes.

    Floats only; an identity pose leaves every bit as it is.
    """
    if np.array_equal(R_AB, np.eye(3)) and not np.any(p_AB):
        return parameters
    mass, first, second = moments(parameters)
    turned = apply(R_AB, first)
    inertia = R_AB @ second @ transpose(R_AB)
    shift, arm = skew(p_AB), skew(turned)
    inertia = inertia - shift @ arm - arm @ shift - mass * (shift @ shift)
    inertia = 0.5 * (inertia + transpose(inertia))
    return np.concatenate([[mass], turned + mass * p_AB, inertia[_ROWS, _COLUMNS]])


def central(parameters: Array) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Return mass, centre of mass (3,) and inertia (3, 3) about it, of parameters (10,).

    A body without mass has its centre at the origin.
    """
    mass, first, second = moments(parameters)
    com = first / mass if mass else np.zeros(3)
    inertia = second + mass * (skew(com) @ skew(com))
    return float(mass), com, 0.5 * (inertia + transpose(inertia))
