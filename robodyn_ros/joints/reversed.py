"""A joint seen from its other end, as re-rooting a tree needs it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints.joint import Joint
from robodyn_ros.joints.wrapped import WrappedJoint
from robodyn_ros.spatial import Array, apply_adjoint, compose, invert, transpose
from robodyn_ros.spatial.screws import motion_cross


@dataclass(frozen=True, eq=False, repr=False)
class Reversed(WrappedJoint):
    """`inner` with child and parent exchanged: M becomes the predecessor frame.

    The new successor frame is the old parent's body frame P, in which `inner`'s predecessor frame
    sits at (`R_PF`, `p_PF`), so that link frames stay where the description put them. Coordinates
    and rates, their signs included, are those of `inner`.
    """

    inner: Joint
    R_PF: NDArray[np.float64]
    p_PF: NDArray[np.float64]

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

    def _carry_columns(self, q: Array, columns: Array) -> Array:
        """Return `_carry` of the columns of (..., 6, n)."""
        carried = [self._carry(q, columns[..., k]) for k in range(columns.shape[-1])]
        return np.stack(carried, axis=-1) if carried else np.zeros((6, 0))

    def motion_subspace(self, q: Array) -> Array:
        """Return S (..., 6, nv) = -Ad(X_PM) S_inner."""
        if self.subspace_derivative(q) is None:
            q = self.neutral()  # the same for all, and a constant in a trace
        return self._carry_columns(q, self.inner.motion_subspace(q))

    def subspace_derivative(self, q: Array) -> Array | None:
        """Return D (..., 6, nv, nv): D_jk = -Ad(X_PM) (S_k x S_j + D_jk of `inner`).

        None for one rate with a constant S, since the screw carries itself along.
        """
        inner = self.inner.subspace_derivative(q)
        if self.nv <= 1 and inner is None:
            return None
        S = self.inner.motion_subspace(q)
        along = []
        for k in range(self.nv):
            moved = motion_cross(S[..., :, k], transpose(S))
            columns = transpose(moved)
            if inner is not None:
                columns = columns + inner[..., k]
            along.append(self._carry_columns(q, columns))
        return np.stack(along, axis=-1)

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return -Ad(X_PM) (S_k x c + dc/dq_k) and -Ad(X_PM) dc/dv of `inner`."""
        inner = self.inner.bias_derivatives(q, v)
        bias = self.inner.bias(q, v)
        if inner is None or bias is None:
            return None
        rows = transpose(self.inner.motion_subspace(q))
        moved = -transpose(motion_cross(bias, rows))
        return self._carry_columns(q, moved + inner[0]), self._carry_columns(q, inner[1])

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6) = -Ad(X_PM) c_inner: the transport terms cancel, since V x V = 0."""
        inner_bias = self.inner.bias(q, v)
        if inner_bias is not None:
            return self._carry(q, inner_bias)
        return None

    def coordinates_at(self, R_FM: Array, p_FM: Array) -> Array | None:
        """Return those of `inner` where P is at the given pose in M."""
        inverse = invert(compose((R_FM, p_FM), (self.R_PF, self.p_PF)))
        return self.inner.coordinates_at(*inverse)
