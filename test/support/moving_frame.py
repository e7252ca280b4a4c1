"""A frame that moves smoothly, with exact velocity and acceleration."""

from __future__ import annotations

import numpy as np

from robodyn_ros.conditioning.frame_motion import Motion
from robodyn_ros.spatial import axis_rotation, quaternion_from_matrix

X, Y, Z = np.eye(3)


def flight(t: float) -> Motion:
    """Return the motion at a time in s: a swinging path, heading and pitch, all derivatives exact.

    The attitude is Rz(heading) Ry(pitch), so omega = heading' z + pitch' y', where y' = Rz y turns
    about z at heading'.
    """
    phase = np.array([0.7, 1.3, 0.9]) * t + np.array([0.2, 1.0, -0.4])
    rates = np.array([0.7, 1.3, 0.9])
    size = np.array([1.0, 0.6, 0.3])
    heading, dheading = 0.5 + 0.8 * t + 0.3 * np.sin(t), 0.8 + 0.3 * np.cos(t)
    ddheading = -0.3 * np.sin(t)
    pitch, dpitch = 0.4 * np.cos(1.1 * t), -0.44 * np.sin(1.1 * t)
    ddpitch = -1.21 * pitch
    Rz = axis_rotation(Z, heading)
    nod = Rz @ Y
    return Motion(
        size * np.sin(phase),
        quaternion_from_matrix(Rz @ axis_rotation(Y, pitch)),
        dheading * Z + dpitch * nod,
        size * rates * np.cos(phase),
        ddheading * Z + ddpitch * nod + dpitch * dheading * np.cross(Z, nod),
        -size * rates**2 * np.sin(phase),
    )


def drive(t: float) -> Motion:
    """Return the motion at a time in s of a frame that stays in the plane z = 0, upright."""
    phase, rates, size = np.array([0.7 * t, 1.3 * t]), np.array([0.7, 1.3]), np.array([1.0, 0.6])
    heading, dheading, ddheading = 3.0 + 0.8 * t, 0.8, 0.0
    return Motion(
        np.append(size * np.sin(phase), 0.0),
        quaternion_from_matrix(axis_rotation(Z, heading)),
        dheading * Z,
        np.append(size * rates * np.cos(phase), 0.0),
        ddheading * Z,
        np.append(-size * rates**2 * np.sin(phase), 0.0),
    )
