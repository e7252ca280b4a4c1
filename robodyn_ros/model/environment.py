"""What may change at run time, as one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model.elements import constant
from robodyn_ros.model.inertia import moved, parameters_of
from robodyn_ros.spatial.arrays import FrozenArrays, real_array

if TYPE_CHECKING:
    from robodyn_ros.model.model import Model

Vector = NDArray[np.float64]


#: Inertial parameters of a payload are below this: their sums and products cannot overflow.
_ENDLESS = 1e100


def _zeros() -> Vector:
    return constant(np.zeros(3))


def _own(name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return read-only numbers that nobody else can change."""
    array = real_array(name, values)
    return array if array.base is None and not array.flags.writeable else constant(array)


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

    def __post_init__(self) -> None:
        """Keep arrays of its own, and refuse what is none of an environment."""
        gravity = _own("gravity", self.gravity)
        if gravity.shape != (3,):
            raise ArgumentError(f"gravity must be three numbers, got shape {gravity.shape}")
        object.__setattr__(self, "gravity", gravity)
        if self.joint_parameters is not None:
            parameters = _own("joint_parameters", self.joint_parameters)
            object.__setattr__(self, "joint_parameters", parameters)
        if not isinstance(self.base_motion, BaseMotion):
            raise ArgumentError(f"a BaseMotion is needed, got {quoted(self.base_motion)}")
        payloads = tuple(self.payloads)
        if not all(isinstance(payload, Payload) for payload in payloads):
            raise ArgumentError(f"payloads must be of type Payload, got {quoted(payloads)}")
        object.__setattr__(self, "payloads", payloads)

    def with_gravity(self, gravity: Vector) -> Environment:
        """Return this environment with another gravity vector (3,)."""
        return replace(self, gravity=gravity)

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
        return replace(self, joint_parameters=parameters)

    def joints(self, model: Model) -> NDArray[np.float64]:
        """Return armature, damping and friction (nz, 3) of a model's joint rates.

        Raises:
            ArgumentError: they belong to a model with other joints.
        """
        own = model.lumped.joint_parameters
        given = self.joint_parameters
        if given is None:
            return own
        if given.shape != own.shape:
            raise ArgumentError(
                f"joint_parameters of robot {quoted(model.name)} must have shape {own.shape}, got"
                f" {given.shape}: the environment belongs to another robot"
            )
        return given

    def payload_inertias(self, model: Model) -> NDArray[np.float64]:
        """Return the payloads' share (n, 10) of the lumps' inertial parameters.

        Raises:
            UnknownNameError: the model has no such frame.
            ArgumentError: a payload without bounds.
        """
        tree = model.lumped
        inertias = np.zeros_like(tree.inertias)
        for payload in self.payloads:
            place = tree.place(model.frame(payload.frame))
            with np.errstate(all="ignore"):
                own = parameters_of(payload.mass, payload.com, payload.inertia)
                own = moved(own, place.rotation, place.position)
            if not np.all(np.abs(own) < _ENDLESS):
                raise ArgumentError(
                    f"payload {quoted(payload.name)}: inertial parameters must be finite and less"
                    f" than {_ENDLESS:g}, got {own.tolist()}; give a smaller mass, com or inertia"
                )
            inertias[place.lump] += own
        return inertias
