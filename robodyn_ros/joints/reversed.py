"""A joint seen from its other end, as re-rooting a tree needs it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint, JointLimits
from robodyn_ros.spatial import Array, apply_adjoint, compose, invert
from robodyn_ros.spatial.arrays import FrozenArrays


@dataclass(frozen=True, eq=False, repr=False)
class Reversed(FrozenArrays, Joint):
    """`inner` with child and parent exchanged: M becomes the predecessor frame.

    The new successor frame is the old parent's body frame P, in which `inner`'s predecessor frame
    sits at (`R_PF`, `p_PF`), so that link frames stay where the description put them. Coordinates
    and rates, their signs included, are those of `inner`.
    """

    inner: Joint
    R_PF: NDArray[np.float64]
    p_PF: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Take over what `inner` says of its coordinates."""
        for field in ("type_name", "nq", "nv", "axes", "quaternion_start"):
            object.__setattr__(self, field, getattr(self.inner, field))

    def __repr__(self) -> str:
        """Return a text with every digit, since the model's fingerprint is made from it."""
        return f"Reversed({self.inner!r}, {self.R_PF.tolist()!r}, {self.p_PF.tolist()!r})"

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the pose of P in M."""
        return invert(compose((self.R_PF, self.p_PF), self.inner.pose(q)))

    def _carry(self, q: Array, V_M: Array) -> Array:
        """Return minus a motion vector of M, seen in P's frame."""
        X_PM = compose((self.R_PF, self.p_PF), self.inner.pose(q))
        carried: Array = -apply_adjoint(X_PM, V_M)
        return carried

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv) = -Ad(X_PM) S_inner."""
        S_inner = self.inner.motion_subspace(q)
        columns = [self._carry(q, S_inner[..., k]) for k in range(self.nv)]
        return np.stack(columns, axis=-1) if columns else np.zeros((6, 0))

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6) = -Ad(X_PM) c_inner: the transport terms cancel, since V x V = 0."""
        inner_bias = self.inner.bias(q, v)
        if inner_bias is not None:
            return self._carry(q, inner_bias)
        return None

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

    def random(self, rng: np.random.Generator, limits: JointLimits) -> NDArray[np.float64]:
        """Return random coordinates of `inner`."""
        return self.inner.random(rng, limits)
