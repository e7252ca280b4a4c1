"""Joints that are several motions one after another, each along screws of its own.

What a later motion does to an earlier one's screws is the same for all of them: seen in M's axes,
moving along S_k turns the screw S_j of an earlier stage by dS_j = S_j x S_k, and leaves those of
its own and of later stages alone. The bias and all derivatives follow from the subspace and from
the stage of every rate. With V_g the velocity of stage g, V_<h that of all before h, and so on:

* c = sum over g < h of V_g x V_h;
* along v: S_l x V_>h + V_<h x S_l for a rate l of stage h;
* along q: (V_<h x S_l) x V_>=h + c_<h x S_l, by Jacobi's identity.
"""

from __future__ import annotations

import numpy as np

from robodyn_ros.joints.joint import Joint
from robodyn_ros.spatial import Array, apply, cross, joined, transpose


class SuccessiveJoint(Joint):
    """A joint whose rates move it in stages, from the predecessor outwards."""

    #: The stage of every rate: rates of one stage leave each other's screws alone.
    stages: tuple[int, ...]
    #: Whether no screw is ever changed, so that there is neither bias nor derivative.
    constant_subspace: bool = False

    def subspace_derivative(self, q: Array) -> Array | None:
        """Return D (..., 6, nv, nv): S_j x S_k where stage j comes before stage k, else 0."""
        if self.constant_subspace:
            return None
        rows = transpose(self.motion_subspace(q))
        along = []
        for k, stage in enumerate(self.stages):
            carried = np.array([1.0 if other < stage else 0.0 for other in self.stages])
            along.append(transpose(_crossed(rows, rows[..., k : k + 1, :]) * carried[:, None]))
        return np.stack(along, axis=-1)

    def bias(self, q: Array, v: Array) -> Array | None:
        """Return c (..., 6): every stage's velocity crossed by those of the stages before it."""
        if self.constant_subspace:
            return None
        rows = transpose(self.motion_subspace(q))
        before: Array = np.zeros(6)
        bias: Array = np.zeros(6)
        for rates in self._by_stage():
            own = apply(transpose(rows[..., rates, :]), v[..., rates])
            bias = bias + _crossed(before, own)
            before = before + own
        return bias

    def bias_derivatives(self, q: Array, v: Array) -> tuple[Array, Array] | None:
        """Return dc/dq along each rate and dc/dv, both (..., 6, nv)."""
        if self.constant_subspace:
            return None
        rows = transpose(self.motion_subspace(q))
        stages = self._by_stage()
        own = [apply(transpose(rows[..., rates, :]), v[..., rates]) for rates in stages]
        later: list[Array] = [np.zeros(6)]
        for velocity in reversed(own):
            later.append(later[-1] + velocity)
        later.reverse()
        before: Array = np.zeros(6)
        bias: Array = np.zeros(6)
        along_q, along_v = [], []
        for h, rates in enumerate(stages):
            S = rows[..., rates, :]
            turned = _crossed(before[..., None, :], S)
            bent = _crossed(bias[..., None, :], S)
            along_q.append(_crossed(turned, later[h][..., None, :]) + bent)
            along_v.append(_crossed(S, later[h + 1][..., None, :]) + turned)
            bias = bias + _crossed(before, own[h])
            before = before + own[h]
        order = np.argsort([rate for rates in stages for rate in rates])
        dq, dv = (joined(*rows, axis=-2)[..., order, :] for rows in (along_q, along_v))
        return transpose(dq), transpose(dv)

    def _by_stage(self) -> list[list[int]]:
        """Return the rates of every stage, innermost first."""
        return [
            [rate for rate, other in enumerate(self.stages) if other == stage]
            for stage in sorted(set(self.stages))
        ]


def _crossed(A: Array, B: Array) -> Array:
    """Return A x B (..., 6) of motion vectors (..., 6) that are broadcast against each other."""
    turn, other = A[..., :3], B[..., :3]
    return joined(cross(turn, other), cross(turn, B[..., 3:]) + cross(A[..., 3:], other))
