"""Value, rate and acceleration of every marker: points and directions fixed in bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array, apply, cross

_DEFAULT = Environment()


class MarkerMotion(NamedTuple):
    """Motion of all markers, row = marker, in world axes.

    Attributes:
        value: (..., n, 3) position in m, or direction (a unit vector).
        rate: (..., n, 3) its first time derivative.
        acceleration: (..., n, 3) its second time derivative.
    """

    value: Array
    rate: Array
    acceleration: Array


def marker_motion(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> MarkerMotion:
    """Return every marker's motion for q (..., nq), v (..., nv) and a (..., nv); None is 0.

    Source: document A, equations 13-16 (points) and 17-19 (directions).
    """
    return markers_of(model, body_motion(model, q, v, a, environment=environment))


def markers_of(model: Model, motion: BodyMotion) -> MarkerMotion:
    """Return every marker's motion for the motion of the bodies.

    Source: document A, equations 13-19.
    """
    rows = [marker.body for marker in model.markers]
    vectors = np.reshape([marker.vector for marker in model.markers], (len(rows), 3))
    points = np.reshape([float(marker.kind == "position") for marker in model.markers], (-1, 1))
    arm = apply(motion.rotation[..., rows, :, :], vectors)
    w, dw = motion.angular_velocity[..., rows, :], motion.angular_acceleration[..., rows, :]
    turning = cross(w, arm)
    return MarkerMotion(
        arm + points * motion.position[..., rows, :],
        turning + points * motion.linear_velocity[..., rows, :],
        cross(dw, arm) + cross(w, turning) + points * motion.linear_acceleration[..., rows, :],
    )
