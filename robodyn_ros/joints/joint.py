"""The joint contract: all that an algorithm may ask of a joint.

F is the predecessor frame (fixed in the parent body), M the successor frame (the child's body
frame). Every method takes leading batch axes and works on floats or symbols; a joint is an
immutable value. A joint type is one class in one file of this room and one row in
`robodyn_ros.joints.catalogue`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

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


class Joint(ABC):
    """What a joint is, and nothing else: nq coordinates, nv rates, pose, subspace and bias."""

    type_name: ClassVar[str]
    nq: ClassVar[int]
    nv: ClassVar[int]
    #: A suffix per rate for joints of more than one number; empty where the joint's name will do.
    axes: ClassVar[tuple[str, ...]] = ()
    #: Whether its coordinates contain a quaternion, which must have norm 1, and where it begins.
    quaternion_start: ClassVar[int | None] = None

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

    def random(self, rng: np.random.Generator, limits: JointLimits) -> NDArray[np.float64]:
        """Return random coordinates (nq,) within the limits; see `JointLimits.span`."""
        return rng.uniform(*limits.span(1.0), self.nq)
