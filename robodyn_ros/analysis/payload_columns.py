"""What a body's inertial parameters add to the joint efforts, column by column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.inertia import PARAMETERS
from robodyn_ros.spatial import skew

Floats = NDArray[np.float64]

#: Entries of a symmetric matrix in the order of `model.inertia`.
_ENTRIES = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))


class FrameMotion(NamedTuple):
    """How a frame F moves, in the axes of an inertial frame S.

    Attributes:
        jacobian: (6, nv) of its origin, angular rows first.
        rotation: R_SF (3, 3).
        angular_velocity: (3,) rad/s.
        angular_acceleration: (3,) rad/s^2.
        linear_acceleration: (3,) classical, of its origin, m/s^2.
    """

    jacobian: Floats
    rotation: Floats
    angular_velocity: Floats
    angular_acceleration: Floats
    linear_acceleration: Floats


def payload_columns(motion: FrameMotion, gravity: Floats) -> Floats:
    """Return Y (nv, 10): a body on the frame needs the joint efforts Y @ parameters.

    The parameters are those of `model.inertia`: mass, first moments and inertia about the frame's
    origin, in the frame's axes.

    Args:
        motion: How the frame moves.
        gravity: (3,) the physical vector, axes of S, m/s^2.
    """
    R_FS = motion.rotation.T
    w, dw = R_FS @ motion.angular_velocity, R_FS @ motion.angular_acceleration
    a = R_FS @ (motion.linear_acceleration - gravity)
    turn = skew(w)
    columns = np.zeros((6, PARAMETERS))
    columns[3:, 0] = a
    columns[3:, 1:4] = skew(dw) + turn @ turn
    columns[:3, 1:4] = -skew(a)
    for k, (i, j) in enumerate(_ENTRIES, start=4):
        unit = np.zeros((3, 3))
        unit[i, j] = unit[j, i] = 1.0
        columns[:3, k] = unit @ dw + turn @ (unit @ w)
    R_SF = motion.rotation
    moment, force = R_SF @ columns[:3], R_SF @ columns[3:]
    needed: Floats = motion.jacobian[:3].T @ moment + motion.jacobian[3:].T @ force
    return needed
