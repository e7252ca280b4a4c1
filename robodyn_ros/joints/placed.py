"""A joint whose successor frame sits anywhere in the child body: document D's A on both bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.wrapped import WrappedJoint
from robodyn_ros.spatial import Array, apply_adjoint, compose, invert


@dataclass(frozen=True, eq=False, repr=False)
class Placed(WrappedJoint):
    """`inner` with its successor frame M at (`R_CM`, `p_CM`) in the child's body frame C.

    The pose of C in F is T(q) A^-1 (document D, equation 3-3, with A = (R_CM, p_CM)); coordinates
    and rates are those of `inner`.
    """

    inner: Joint
    R_CM: NDArray[np.float64]
    p_CM: NDArray[np.float64]

    def __repr__(self) -> str:
        """Return a text with every digit, since the model's fingerprint is made from it."""
        return f"Placed({self.inner!r}, {self.R_CM.tolist()!r}, {self.p_CM.tolist()!r})"

    def _carry(self, V_M: Array) -> Array:
        """Return a motion vector of M, seen in C's frame."""
        return apply_adjoint((self.R_CM, self.p_CM), V_M)

    def _carry_columns(self, columns: Array) -> Array:
        """Return `_carry` of the columns of (..., 6, n)."""
        carried = [self._carry(columns[..., k]) for k in range(columns.shape[-1])]
        return np.stack(carried, axis=-1) if carried else np.zeros((6, 0))

    def pose(self, q: Array) -> tuple[Array, Array]:
        """Return the pose of C in F."""
        return compose(self.inner.pose(q), invert((self.R_CM, self.p_CM)))

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv), C's velocity in C's axes, at C."""
        return self._carry_columns(self.inner.motion_subspace(q))

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6) = Ad(X_CM) c of `inner`: X_CM is constant."""
        bias = self.inner.bias(q, v)
        return None if bias is None else self._carry(bias)

    def subspace_derivative(self, q: Array) -> Array | None:
        """Return D (..., 6, nv, nv), each column of `inner`'s carried."""
        inner = self.inner.subspace_derivative(q)
        if inner is None:
            return None
        carried = [self._carry_columns(inner[..., k]) for k in range(self.nv)]
        return np.stack(carried, axis=-1)

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return dc/dq and dc/dv of `inner`, carried."""
        inner = self.inner.bias_derivatives(q, v)
        if inner is None:
            return None
        return self._carry_columns(inner[0]), self._carry_columns(inner[1])

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array | None:
        """Return those of `inner` where C is at the given pose in F."""
        return self.inner.coordinates_at(*compose((R_FM, p_FM), (self.R_CM, self.p_CM)))
