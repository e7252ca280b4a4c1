"""Friction of joints: viscous and Coulomb, smooth through zero."""

from __future__ import annotations

from robodyn_ros.kernels.scalar import less
from robodyn_ros.spatial import Array, where

#: Joint speed (rad/s or m/s) from which Coulomb friction acts in full.
COULOMB_SPEED = 0.01


def friction_effort(rate: Array, damping: Array, friction: Array) -> Array:
    """Return damping rate + friction s(rate), the effort that overcomes friction.

    s is the sign of the rate, exactly so from COULOMB_SPEED on, and in between the polynomial of
    degree five that has two continuous derivatives: zero at rest, so that a resting joint needs
    no effort of either sign.
    """
    x = rate / COULOMB_SPEED
    x = where(less(x, -1.0), -1.0, where(less(1.0, x), 1.0, x))
    square = x * x
    sign = x * (15.0 - square * (10.0 - 3.0 * square)) / 8.0
    effort: Array = damping * rate + friction * sign
    return effort
