"""What the rates alone contribute to a frame's acceleration."""

from __future__ import annotations

from robodyn_ros.algorithms.kinematics import body_motion
from robodyn_ros.model import Environment, Frame, Model
from robodyn_ros.spatial import Array, apply, cross, joined

_DEFAULT = Environment()


def jacobian_bias(
    model: Model,
    q: Array,
    v: Array,
    frame: Frame | str,
    *,
    environment: Environment = _DEFAULT,
) -> Array:
    """Return dJ/dt v (..., 6) of a frame, angular first, world axes.

    The frame's angular acceleration and the classical acceleration of its origin (the second
    derivative of its position) are J a + dJ/dt v, with J from `jacobian`. What a prescribed base
    adds by its own motion is in it too: it is the acceleration for a = 0.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv).
        frame: the frame or its name; see `Model.frame`.
        environment: its base motion moves a prescribed base.

    Returns:
        rad/s^2, then m/s^2.
    """
    if isinstance(frame, str):
        frame = model.frame(frame)
    motion = body_motion(model, q, v, environment=environment)
    i = frame.body
    arm = apply(motion.rotation[..., i, :, :], frame.position)
    w, dw = motion.angular_velocity[..., i, :], motion.angular_acceleration[..., i, :]
    linear = motion.linear_acceleration[..., i, :] + cross(dw, arm) + cross(w, cross(w, arm))
    return joined(dw, linear)
