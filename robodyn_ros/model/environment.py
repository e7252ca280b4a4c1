"""What may change at run time, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import constant
from robodyn_ros.model.inertia import moved, parameters_of
from robodyn_ros.spatial.arrays import FrozenArrays

if TYPE_CHECKING:
    from robodyn_ros.model.model import Model

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
class Payload(FrozenArrays):
    """Something rigid that a frame of the robot carries.

    Attributes:
        name: by which it is replaced and removed.
        frame: name of the body or frame that carries it.
        mass: kg.
        com: centre of mass (3,) in the frame, m.
        inertia: (3, 3) about the payload's own centre of mass, axes of the frame, kg m^2.
    """

    name: str
    frame: str
    mass: float
    com: Vector
    inertia: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Environment(FrozenArrays):
    """What may change at run time, replaced as a whole.

    Attributes:
        gravity: (3,) the physical vector, world axes, m/s^2.
        base_motion: of a prescribed base.
        payloads: what the robot carries; names are unique.
        joint_parameters: (nz, 3) armature, damping and friction of each joint rate in place of the
            model's; see `LumpedTree`. None for the model's.
    """

    gravity: Vector = field(default_factory=lambda: constant([0.0, 0.0, -9.81]))
    base_motion: BaseMotion = field(default_factory=BaseMotion)
    payloads: tuple[Payload, ...] = ()
    joint_parameters: NDArray[np.float64] | None = None

    def with_gravity(self, gravity: Vector) -> Environment:
        """Return this environment with another gravity vector (3,)."""
        return replace(self, gravity=constant(gravity))

    def with_base_motion(self, motion: BaseMotion) -> Environment:
        """Return this environment with another motion of a prescribed base."""
        return replace(self, base_motion=motion)

    def with_payload(self, payload: Payload) -> Environment:
        """Return this environment with a payload added, or replaced in its place."""
        kept = {known.name: known for known in self.payloads}
        kept[payload.name] = payload
        return replace(self, payloads=tuple(kept.values()))

    def without_payload(self, name: str | None = None) -> Environment:
        """Return this environment without the payload `name`, or without any."""
        kept = tuple(known for known in self.payloads if name not in (None, known.name))
        return replace(self, payloads=kept)

    def with_joint_parameters(self, parameters: NDArray[np.float64] | None) -> Environment:
        """Return this environment with other armatures, dampings and frictions (nz, 3)."""
        given = None if parameters is None else constant(parameters)
        return replace(self, joint_parameters=given)

    def payload_inertias(self, model: Model) -> NDArray[np.float64]:
        """Return the payloads' share (n, 10) of the lumps' inertial parameters.

        Raises:
            UnknownNameError: the model has no such frame.
        """
        tree = model.lumped
        inertias = np.zeros_like(tree.inertias)
        for payload in self.payloads:
            place = tree.place(model.frame(payload.frame))
            own = parameters_of(payload.mass, payload.com, payload.inertia)
            inertias[place.lump] += moved(own, place.rotation, place.position)
        return inertias
