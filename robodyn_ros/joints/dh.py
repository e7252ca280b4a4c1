"""Document D's joint-body elements: Denavit and Hartenberg's four numbers, one or two of them free.

D(a, alpha, s, theta) = Trans_y(a) Rot_y(alpha) Trans_x(s) Rot_x(theta): the common normal is F's y,
the joint's axis M's x. With the axes renamed (x, y, z as z, x, y) these are Craig's, or modified,
parameters, not the classic ones.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.parameter import Parameter, finite_number
from robodyn_ros.joints.prismatic import Prismatic
from robodyn_ros.joints.revolute import Revolute
from robodyn_ros.joints.screw import PITCH, Cylindrical, Helical, pitch_number
from robodyn_ros.spatial import Array, axis_rotation, compose, invert
from robodyn_ros.spatial.poses import Pose
from robodyn_ros.spatial.rotations import snapped

_X, _Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class DhElement(Joint):
    """Base of the elements: M's pose in F at q = 0 is D(a, alpha, s, theta).

    A variable's own number is its offset; q adds to it. S is constant; no singularity.
    """

    a: float = 0.0
    alpha: float = 0.0
    s: float = 0.0
    theta: float = 0.0
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "a", "number", "m", 0.0, "length of the common normal, along the predecessor's y"
        ),
        Parameter("alpha", "number", "rad", 0.0, "twist about the common normal"),
        Parameter(
            "s", "number", "m", 0.0, "offset along the joint's axis, the child's x, at q = 0"
        ),
        Parameter("theta", "number", "rad", 0.0, "angle about the joint's axis at q = 0"),
    )

    def __post_init__(self) -> None:
        """Look at the numbers."""
        for parameter in DhElement.parameters:
            name, unit = parameter.name, parameter.unit
            object.__setattr__(self, name, finite_number(name, getattr(self, name), unit))

    @property
    @abstractmethod
    def motion(self) -> Joint:
        """The joint about x that q moves."""

    @cached_property
    def home(self) -> Pose:
        """R_FM (3, 3) and p_FM (3,) at q = 0."""
        x, y = np.array(_X), np.array(_Y)
        turned = snapped(axis_rotation(y, np.array(self.alpha)))
        at_normal = turned, self.a * y
        along = snapped(axis_rotation(x, np.array(self.theta))), self.s * x
        R, p = compose(at_normal, along)
        return snapped(R), p

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return D at q."""
        return compose(self.home, self.motion.pose(q))

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array | None:
        """Return those of the joint about x."""
        return self.motion.coordinates_at(*compose(invert(self.home), (R_FM, p_FM)))

    def motion_subspace(self, q: Array) -> Array:
        """Return S (6, nv) of a turn about x, a slide along it, or both."""
        return self.motion.motion_subspace(q)

    def reaches(self) -> tuple[float, ...]:
        """Return those of the joint about x."""
        return self.motion.reaches()


@dataclass(frozen=True)
class DhRevolute(DhElement):
    """q: angle in rad, added to `theta`; v = dq/dt (document D, element R)."""

    type_name = "dh_revolute"
    nq = 1
    nv = 1

    @property
    def motion(self) -> Joint:
        """A turn about x."""
        return Revolute(_X)


@dataclass(frozen=True)
class DhPrismatic(DhElement):
    """q: displacement in m, added to `s`; v = dq/dt (document D, element P)."""

    type_name = "dh_prismatic"
    nq = 1
    nv = 1

    @property
    def motion(self) -> Joint:
        """A slide along x."""
        return Prismatic(_X)


@dataclass(frozen=True)
class DhCylindrical(DhElement):
    """q = (angle in rad, displacement in m), added to `theta` and `s`; v = dq/dt (element C)."""

    type_name = "dh_cylindrical"
    nq = 2
    nv = 2
    axes = ("rx", "x")

    @property
    def motion(self) -> Joint:
        """A turn about x and a slide along it."""
        return Cylindrical(_X)


@dataclass(frozen=True)
class DhHelical(DhElement):
    """q: angle in rad, added to `theta`, with `pitch` m along the axis per rad; v = dq/dt.

    Document D's element H has s = p theta with the whole angle: for that give s = pitch theta where
    theta is not 0, since `s` here is the offset at q = 0.
    """

    pitch: float = field(kw_only=True)
    type_name = "dh_helical"
    nq = 1
    nv = 1
    parameters = (*DhElement.parameters, PITCH)

    def __post_init__(self) -> None:
        """Look at the numbers."""
        super().__post_init__()
        object.__setattr__(self, "pitch", pitch_number(self.pitch))

    @property
    def motion(self) -> Joint:
        """A screw about x."""
        return Helical(_X, pitch=self.pitch)
