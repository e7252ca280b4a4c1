"""Joints that are another joint seen differently, with its coordinates and rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, Limits
from robodyn_ros.spatial import Array
from robodyn_ros.spatial.arrays import FrozenArrays


class WrappedJoint(FrozenArrays, Joint):
    """Base of joints around `inner`, whose coordinates and rates they have."""

    inner: Joint

    def __post_init__(self) -> None:
        """Take over what `inner` says of its coordinates."""
        for field in ("type_name", "nq", "nv", "axes", "quaternion_start"):
            object.__setattr__(self, field, getattr(self.inner, field))

    def rate_coordinates(self) -> tuple[int | None, ...]:
        """Return those of `inner`."""
        return self.inner.rate_coordinates()

    def check(self, limits: Limits) -> None:
        """Check `inner`."""
        self.inner.check(limits)

    def rate(self, q: Array, v: Array) -> Array:
        """Return the rate of `inner`'s coordinates."""
        return self.inner.rate(q, v)

    def integrate(self, q: Array, step: Array) -> Array:
        """Return the integral of `inner`'s coordinates."""
        return self.inner.integrate(q, step)

    def difference(self, q0: Array, q1: Array) -> Array:
        """Return the difference of `inner`'s coordinates."""
        return self.inner.difference(q0, q1)

    def neutral(self) -> NDArray[np.float64]:
        """Return `inner`'s neutral coordinates."""
        return self.inner.neutral()

    def random(self, rng: np.random.Generator, limits: Limits) -> NDArray[np.float64]:
        """Return random coordinates of `inner`."""
        return self.inner.random(rng, limits)
