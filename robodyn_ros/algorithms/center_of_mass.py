"""Position, velocity and acceleration of every body's centre of mass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.kinematics import BodyMotion, body_motion
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import Array, apply, cross

_DEFAULT = Environment()


class CenterOfMassMotion(NamedTuple):
    """Motion of the bodies' centres of mass, row = body, in world axes.

    Attributes:
        position: (..., nb, 3) m.
        velocity: (..., nb, 3) m/s.
        acceleration: (..., nb, 3) m/s^2, classical.
    """

    position: Array
    velocity: Array
    acceleration: Array


def center_of_mass_motion(
    model: Model,
    q: Array,
    v: Array | None = None,
    a: Array | None = None,
    *,
    environment: Environment = _DEFAULT,
) -> CenterOfMassMotion:
    """Return each body's centre-of-mass motion for q (..., nq), v and a (..., nv); None is 0.

    Source: document A, equations 4, 9 and 12.
    """
    return centers_of(model, body_motion(model, q, v, a, environment=environment))


def centers_of(model: Model, motion: BodyMotion) -> CenterOfMassMotion:
    """Return each body's centre-of-mass motion for the motion of the bodies.

    Source: document A, equations 4, 9 and 12.
    """
    offset = apply(motion.rotation, np.stack([body.com for body in model.bodies]))
    w, dw = motion.angular_velocity, motion.angular_acceleration
    turning = cross(w, offset)
    return CenterOfMassMotion(
        motion.position + offset,
        motion.linear_velocity + turning,
        motion.linear_acceleration + cross(dw, offset) + cross(w, turning),
    )
