"""Results with named arrays, cut out of one flat array only when they are asked for.

A kernel writes all of its outputs into one fresh array. Making six views of it would cost more
than the mathematics of an arm, so each is made at its first use and then kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
Result = TypeVar("Result", bound="LazyResult")
#: (begin, end, shape) in the flat array of each field.
Layout = tuple[tuple[int, int, tuple[int, ...]], ...]


class Field:
    """A named array of a `LazyResult`; the string given is its documentation."""

    def __init__(self, documentation: str) -> None:
        """Remember the documentation."""
        self.__doc__ = documentation

    def __set_name__(self, owner: type[LazyResult], name: str) -> None:
        """Take the next place in the owner's fields."""
        self.name = name
        self.place = len(owner.fields)
        owner.fields = (*owner.fields, name)

    def __get__(self, result: LazyResult | None, owner: type[LazyResult]) -> Any:
        """Cut the array out of the flat result and keep it in the instance."""
        if result is None:
            return self
        begin, end, shape = result.layout[self.place]
        array = result.flat[begin:end].reshape(shape)[()]  # a number where the shape is ()
        result.__dict__[self.name] = array
        return array


class LazyResult:
    """Base of results with named arrays; unpacks in the order of its fields."""

    fields: ClassVar[tuple[str, ...]] = ()
    layout: ClassVar[Layout] = ()

    #: All fields one after the other, each where the class's layout says; set by the kernel.
    flat: Floats

    @classmethod
    def laid_out(cls: type[Result], layout: Layout) -> type[Result]:
        """Return this class for one model's layout; instances then carry nothing but the array."""
        return type(cls.__name__, (cls,), {"layout": layout, "__module__": cls.__module__})

    @classmethod
    def arrays_of(cls, out: object) -> tuple[Floats, ...]:
        """Return the arrays of a result of this kind, to be filled, or raise ArgumentError."""
        if not isinstance(out, cls):
            raise ArgumentError(f"out must be a {cls.__name__}, got a {type(out).__name__}")
        return tuple(np.array(x) if np.ndim(x) == 0 else x for x in out)

    def take(self, arrays: Sequence[Floats]) -> None:
        """Hold arrays, in the order of the fields; those without axes as numbers."""
        numbers = (isinstance(x, np.ndarray) and x.ndim == 0 for x in arrays)
        values = (x[()] if number else x for x, number in zip(arrays, numbers, strict=True))
        self.__dict__.update(zip(self.fields, values, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as arrays of the public class: the class of one layout is found nowhere."""
        public = next(kind for kind in type(self).__mro__ if "layout" not in vars(kind))
        return public.of, (tuple(self),)  # type: ignore[attr-defined]

    @classmethod
    def of(cls: type[Result], arrays: Sequence[Floats]) -> Result:
        """Return a result of arrays that exist already, in the order of the fields."""
        result = cls.__new__(cls)
        result.take(arrays)
        return result

    def __iter__(self) -> Iterator[Floats]:
        """Iterate over the arrays."""
        return (getattr(self, name) for name in self.fields)

    def __repr__(self) -> str:
        """Show the fields with their shapes."""
        shapes = ", ".join(f"{name}{getattr(self, name).shape}" for name in self.fields)
        return f"{type(self).__name__}({shapes})"


class LazyBodyMotion(LazyResult):
    """Motion of all bodies; row = body, world axes, at the body frame's origin.

    A batch has its axis in front of each shape.
    """

    position = Field("(nb, 3) m")
    rotation = Field("R_WB (nb, 3, 3), body axes to world axes")
    angular_velocity = Field("(nb, 3) rad/s")
    linear_velocity = Field("(nb, 3) m/s")
    angular_acceleration = Field("(nb, 3) rad/s^2")
    linear_acceleration = Field("(nb, 3) m/s^2, classical: the second derivative of position")


class LazyCenterOfMassMotion(LazyResult):
    """Motion of the bodies' centres of mass; row = body, world axes."""

    position = Field("(nb, 3) m")
    velocity = Field("(nb, 3) m/s")
    acceleration = Field("(nb, 3) m/s^2, classical")


class LazyMarkerMotion(LazyResult):
    """Motion of all markers; row = marker, world axes."""

    value = Field("(n, 3) position in m, or direction, a unit vector")
    rate = Field("(n, 3) its first time derivative")
    acceleration = Field("(n, 3) its second time derivative")


class LazyEffortTerms(LazyResult):
    """Efforts by cause (nv,), N m or N; they add up to `total`. A batch has its axis in front."""

    inertial = Field("(nv,) rigid bodies, proportional to the accelerations")
    coriolis = Field("(nv,) rigid bodies, quadratic in the velocities")
    gravity = Field("(nv,) weight of the rigid bodies")
    friction = Field("(nv,) damping and Coulomb friction that the efforts overcome")
    armature = Field("(nv,) rotors, proportional to the accelerations")
    payload = Field("(nv,) all that the payloads cause")
    external = Field("(nv,) external wrenches, -J^T w: what the efforts add to hold against them")
    total = Field("(nv,) the sum")


class LazyEnergy(LazyResult):
    """Energies, a number each, or (N,) of a batch."""

    kinetic = Field("J, of all links, payloads and rotors")
    potential = Field("J, in the field of gravity, 0 with everything at the world's origin")


class LazyRobotCenterOfMass(LazyResult):
    """Motion of the whole robot's centre of mass, world axes."""

    position = Field("(3,) m")
    velocity = Field("(3,) m/s")
    acceleration = Field("(3,) m/s^2, classical")


class LazyEffortDerivatives(LazyResult):
    """Derivatives of inverse dynamics, (nv, nv) each; row: effort, column: coordinate."""

    effort_by_q = Field("along the tangent of q: column k is that along integrate(q, e_k)")
    effort_by_v = Field("with respect to v")
    effort_by_a = Field("with respect to a: the mass matrix")


class LazyAccelerationDerivatives(LazyResult):
    """Derivatives of forward dynamics, (nv, nv) each; row: acceleration, column: coordinate."""

    acceleration_by_q = Field("along the tangent of q: column k is that along integrate(q, e_k)")
    acceleration_by_v = Field("with respect to v")
    acceleration_by_tau = Field("with respect to tau: the inverse of the mass matrix")


class LazyCompletion(LazyResult):
    """Rates and accelerations that constraints allow."""

    v = Field("(nv,) rates")
    a = Field("(nv,) accelerations")


class LazyClosing(LazyResult):
    """Configurations that were closed from nearby."""

    q = Field("(nq,) coordinates")
    left = Field("() the norm of what is left, rad or shares of the mechanism's size; >= 1: none")
