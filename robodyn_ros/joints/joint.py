"""The joint contract: all that an algorithm may ask of a joint.

F is the predecessor frame (fixed in the parent body), M the successor frame (the child's body
frame). Every method takes leading batch axes and works on floats or symbols; a joint is an
immutable value. A joint type is one class in one file of this room and one row in
`robodyn_ros.joints.catalogue`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.spatial import Array


@dataclass(frozen=True)
class JointLimits:
    """Limits of a joint in SI units; None where no limit is known."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None

    def span(self, reach: float) -> tuple[float, float]:
        """Return the range, cut to `reach` about the point of it that is nearest to zero.

        Drivers write 1e16 where they mean no limit; a range is then only a formality.
        """
        lower = -math.inf if self.lower is None else self.lower
        upper = max(lower, math.inf if self.upper is None else self.upper)
        middle = min(max(0.0, lower), upper)
        return max(lower, middle - reach), min(upper, middle + reach)


_QUATERNION = ("qx", "qy", "qz", "qw")
_TURNS = ("rx", "ry", "rz")

Limits: TypeAlias = JointLimits | Sequence[JointLimits]
"""One for a joint of one rate, or one for each rate."""


def per_rate(limits: Limits, nv: int) -> tuple[JointLimits, ...]:
    """Return the limits of each of nv rates; one alone says nothing of a joint with several."""
    if isinstance(limits, JointLimits):
        return (limits,) if nv == 1 else (JointLimits(),) * nv
    if len(limits) != nv:
        raise ArgumentError(f"limits must be one or {nv}, one for each rate, got {len(limits)}")
    return tuple(limits)


def drawn(
    rng: np.random.Generator, limits: Sequence[JointLimits], reaches: Sequence[float]
) -> NDArray[np.float64]:
    """Return one random number within each of the limits; see `JointLimits.span`."""
    ranges = zip(limits, reaches, strict=True)
    return np.array([rng.uniform(*limit.span(reach)) for limit, reach in ranges])


class Joint(ABC):
    """What a joint is, and nothing else: nq coordinates, nv rates, pose, subspace and bias."""

    type_name: ClassVar[str]
    #: What the constructor takes.
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    nq: int
    nv: int
    #: A suffix per rate for joints of more than one number; empty where the joint's name will do.
    axes: tuple[str, ...] = ()
    #: Whether its coordinates contain a quaternion, which must have norm 1, and where it begins.
    quaternion_start: int | None = None

    @abstractmethod
    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return R_FM (..., 3, 3) and p_FM (..., 3) in m for coordinates q (..., nq)."""

    @abstractmethod
    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv): V = S v is M's velocity relative to F, in M's axes, at M."""

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6) = dS/dt v, components in M's axes; None where S is constant."""
        return None

    def subspace_derivative(self, q: Array) -> Array | None:
        """Return D (..., 6, nv, nv) with D[:, j, k] the derivative of S's column j along rate k.

        Components in M's axes: what `integrate` with the k-th unit rate does to the numbers of
        `motion_subspace`. None where S is constant.
        """
        return None

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return dc/dq along each rate and dc/dv, both (..., 6, nv); None where c is 0."""
        return None

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array | None:
        """Return the coordinates (..., nq) whose pose is that given, or one near it. Floats only.

        Angles are within +-pi. Where several coordinates have the same pose, one of them is
        returned. None from a type that cannot tell.
        """
        return None

    def check(self, limits: Limits) -> None:
        """Raise an ArgumentError for limits of another number of rates.

        A type that is not a joint everywhere looks whether it is one within the limits.
        """
        per_rate(limits, self.nv)

    def turning(self) -> tuple[bool, ...]:
        """Return for each rate whether it turns M: rad/s and N m, else m/s and N."""
        columns = np.transpose(self.motion_subspace(self.neutral()))
        return tuple(bool(np.any(column[:3] != 0.0)) for column in columns)

    def rate_coordinates(self) -> tuple[int | None, ...]:
        """Return for each rate the entry of q that goes by its name.

        None for the turns of a quaternion, which has no entry for any of them.
        """
        start = self.quaternion_start
        if start is None:
            return tuple(range(self.nv))
        places = (k for k in range(self.nq) if not 0 <= k - start < len(_QUATERNION))
        return tuple(None if axis in _TURNS else next(places) for axis in self.axes)

    def coordinate_axes(self) -> tuple[str, ...]:
        """Return a suffix for each coordinate, as `axes` has one for each rate."""
        if not self.axes:
            return ()
        names = dict(zip(self.rate_coordinates(), self.axes, strict=True))
        if self.quaternion_start is not None:
            names |= dict(enumerate(_QUATERNION, start=self.quaternion_start))
        return tuple(names[place] for place in range(self.nq))

    def rate(self, q: Array, v: Array) -> Array:
        """Return dq/dt (..., nq) for rates v (..., nv)."""
        return v

    def integrate(self, q: Array, step: Array) -> Array:
        """Return the coordinates reached from q (..., nq) by the constant rate `step` for 1 s."""
        moved: Array = q + step
        return moved

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the step (..., nv) for which integrate(q0, step) is q1. Floats only."""
        step: Array = q1 - q0
        return step

    def neutral(self) -> NDArray[np.float64]:
        """Return the coordinates (nq,) at which M coincides with F."""
        return np.zeros(self.nq)

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return random coordinates (nq,) within the limits; see `JointLimits.span`."""
        return drawn(rng, per_rate(limits, self.nv), self.reaches())

    def reaches(self) -> tuple[float, ...]:
        """Return how far from zero `random` goes with each coordinate, limits or not."""
        return (1.0,) * self.nv
