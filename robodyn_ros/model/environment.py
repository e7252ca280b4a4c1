"""What may change at run time, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import constant
from robodyn_ros.spatial.arrays import FrozenArrays

Vector = NDArray[np.float64]


def _zeros() -> Vector:
    return constant(np.zeros(3))


@dataclass(frozen=True, eq=False)
class BaseMotion(FrozenArrays):
    """Motion of a prescribed root body in the world: document A's starting values for b_1.

    Attributes:
        position: (3,) of the root link's origin, world axes, m.
        rotation: R_WB (3, 3).
        angular_velocity: (3,) world axes, rad/s.
        linear_velocity: (3,) of the origin, world axes, m/s.
        angular_acceleration: (3,) world axes, rad/s^2.
        linear_acceleration: (3,) classical, of the origin, world axes, m/s^2.
    """

    position: Vector = field(default_factory=_zeros)
    rotation: NDArray[np.float64] = field(default_factory=lambda: constant(np.eye(3)))
    angular_velocity: Vector = field(default_factory=_zeros)
    linear_velocity: Vector = field(default_factory=_zeros)
    angular_acceleration: Vector = field(default_factory=_zeros)
    linear_acceleration: Vector = field(default_factory=_zeros)

    @property
    def lead(self) -> tuple[int, ...]:
        """The leading axes of all fields, broadcast; () for a single motion."""
        vectors = (
            self.position,
            self.angular_velocity,
            self.linear_velocity,
            self.angular_acceleration,
            self.linear_acceleration,
        )
        shapes = (vector.shape[:-1] for vector in vectors)
        return np.broadcast_shapes(self.rotation.shape[:-2], *shapes)


@dataclass(frozen=True, eq=False)
class Environment(FrozenArrays):
    """Gravity (3,), the physical vector in world axes, m/s^2, and a prescribed base's motion."""

    gravity: Vector = field(default_factory=lambda: constant([0.0, 0.0, -9.81]))
    base_motion: BaseMotion = field(default_factory=BaseMotion)

    def with_gravity(self, gravity: Vector) -> Environment:
        """Return this environment with another gravity vector (3,)."""
        return replace(self, gravity=constant(gravity))

    def with_base_motion(self, motion: BaseMotion) -> Environment:
        """Return this environment with another motion of a prescribed base."""
        return replace(self, base_motion=motion)
