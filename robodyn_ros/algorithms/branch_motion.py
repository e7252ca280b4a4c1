"""Motion, momenta and forces of a tree in the axes of its branches, and how motion depends on q, v.

Spatial vectors are rows (..., n, 6) about the origin of the branch's frame, see `branches`. The
notation is that of Singh, Russell and Wensing 2022, widened to joints whose subspace S depends on
q: of a joint k with columns J, parent velocity V_p and own velocity V,

* the velocity of every lump further out changes along q by eta more than by being carried along,
  eta = V_p x J + dS/dq v, and its acceleration by zeta + eta x V_i,
  zeta = A_p x J + dS/dq a + dc/dq + V x (dS/dq v) + V_p x eta;
* along v they change by J and by zeta_v + J x V_i, zeta_v = dc/dv + (V_p + V) x J.

Here V_i is the lump's velocity, and c = dS/dt v the joint's bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.branches import Inertia
from robodyn_ros.algorithms.joint_space import Pose
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import AffineFollower, Model, OwnCoordinates
from robodyn_ros.model.lumped import Lump
from robodyn_ros.spatial import Array, apply, cross, joined, transpose
from robodyn_ros.spatial.screws import carried, force_cross, motion_cross


class JointMotion(NamedTuple):
    """A lump's motion and its changes along its joint's rates, rows (..., nv of the joint, 6).

    Attributes:
        J: columns of the joint.
        V: velocity (..., 6) of the lump.
        A: spatial acceleration (..., 6), less gravity.
        eta: velocity further out along q, beyond being carried along.
        zeta: acceleration further out along q, likewise.
        zeta_v: acceleration further out along v, likewise.
        bending: (..., j, k, 6) change of column j of S along rate k; None where S is constant.
    """

    J: Array
    V: Array
    A: Array
    eta: Array
    zeta: Array
    zeta_v: Array
    bending: Array | None


class Momenta(NamedTuple):
    """Inertia, momentum and force of one or several lumps in branch axes.

    Attributes:
        inertia: mass, first and second moments.
        spread: (..., 3, 3) rate of the second moments.
        momentum: (..., 6) angular first.
        force: (..., 6) inertial wrench, moment first.
    """

    inertia: Inertia
    spread: Array
    momentum: Array
    force: Array

    @classmethod
    def of(cls, inertia: Inertia, V: Array, A: Array) -> Momenta:
        """Return those of a rigid body with velocity V and acceleration A, both (..., 6)."""
        w, velocity = V[..., :3], V[..., 3:]
        turning = transpose(cross(w[..., None, :], inertia.second))
        shifting = inertia.first[..., :, None] * velocity[..., None, :]
        half = turning + shifting
        momentum = inertia.times(V[..., None, :])[..., 0, :]
        gyroscopic = force_cross(V[..., None, :], momentum)[..., 0, :]
        force = inertia.times(A[..., None, :])[..., 0, :] + gyroscopic
        return cls(inertia, half + transpose(half), momentum, force)

    def plus(self, other: Momenta) -> Momenta:
        """Return those of both together."""
        return Momenta(
            self.inertia.plus(other.inertia),
            self.spread + other.spread,
            self.momentum + other.momentum,
            self.force + other.force,
        )

    @property
    def tensor_rate(self) -> Array:
        """The rate (..., 3, 3) of the tensor of inertia."""
        return self.inertia._replace(second=self.spread).tensor

    def answer(self, zeta: Array, eta: Array) -> Array:
        """Return I zeta + B eta, rows (..., n, 6): the force that these changes of motion take."""
        turn = eta[..., :3]
        angular, linear = self.momentum[..., None, :3], self.momentum[..., None, 3:]
        moment = turn @ self.tensor_rate - cross(angular, turn)
        return self.inertia.times(zeta) + joined(moment, 2.0 * cross(turn, linear))

    def turning_answer(self, J: Array) -> Array:
        """Return the angular part (..., n, 3) of B^T J; the rest of it is zero."""
        turn, slide = J[..., :3], J[..., 3:]
        angular, linear = self.momentum[..., None, :3], self.momentum[..., None, 3:]
        return turn @ self.tensor_rate + cross(angular, turn) + 2.0 * cross(linear, slide)


def branch_motions(
    model: Model,
    q: Array,
    v: Array,
    a: Array,
    surroundings: Surroundings,
    poses: Sequence[Pose],
    placed: Sequence[Pose],
) -> list[JointMotion]:
    """Return the motion of every moving lump in the axes of its branch.

    Args:
        model: the model.
        q: coordinates (..., nq).
        v: rates (..., nv).
        a: accelerations (..., nv).
        surroundings: gravity, and motion of a prescribed base.
        poses: of the lumps in their parent lumps.
        placed: of the lumps in their branches, as from `branch_poses`.
    """
    _, w, dw, acceleration = surroundings.root_state(model)
    # Seen from an inertial frame that moves along with the root's origin at this instant.
    root_V, root_A = joined(w, np.zeros(3)), joined(dw, acceleration)
    motions: list[JointMotion] = []
    for (_, lump), pose, place in zip(model.lumped.moving, poses, placed, strict=True):
        if lump.parent == 0:
            parent = _seen_by(pose, root_V), _seen_by(pose, root_A)
        else:
            inner = motions[lump.parent - 1]
            parent = inner.V, inner.A
        motions.append(_joint_motion(lump, q, v, a, place, *parent))
    return motions


def refuse_curved_couplings(model: Model) -> None:
    """Raise ArgumentError where a coupling is not affine: its own derivatives are not there yet."""
    for lump in model.lumped.lumps:
        if not isinstance(lump.joint.coordinates, (OwnCoordinates, AffineFollower)):
            raise ArgumentError(
                f"joint {lump.joint.name!r} follows by a coupling that is not affine; derivatives"
                " of dynamics know only own coordinates and affine followers"
            )


def _joint_motion(
    lump: Lump, q: Array, v: Array, a: Array, place: Pose, V_p: Array, A_p: Array
) -> JointMotion:
    coordinates, joint = lump.joint.coordinates, lump.joint.joint
    z, dz = coordinates.position(q), coordinates.velocity(q, v)
    ddz = coordinates.acceleration(q, v, a)
    J = carried(place, transpose(joint.motion_subspace(z)))
    own = _combined(dz, J)
    V = V_p + own
    A = A_p + _combined(ddz, J) + motion_cross(V_p, own[..., None, :])[..., 0, :]
    bias = joint.bias(z, dz)
    if bias is not None:
        A = A + carried(place, bias[..., None, :])[..., 0, :]
    eta = motion_cross(V_p, J)
    zeta_v = motion_cross(V_p + V, J)
    zeta = motion_cross(A_p, J)
    bending = _bending(joint.subspace_derivative(z), place)
    if bending is not None:
        bent = _bent(bending, dz)
        eta = eta + bent
        zeta = zeta + _bent(bending, ddz) + motion_cross(V, bent)
    changes = joint.bias_derivatives(z, dz)
    if changes is not None:
        zeta = zeta + carried(place, transpose(changes[0]))
        zeta_v = zeta_v + carried(place, transpose(changes[1]))
    zeta = zeta + motion_cross(V_p, eta)
    return JointMotion(J, V, A, eta, zeta, zeta_v, bending)


def _combined(weights: Array, rows: Array) -> Array:
    """Return the sum (..., 6) of rows (..., n, 6) times weights (..., n)."""
    return apply(transpose(rows), weights)


def _bent(bending: Array, rates: Array) -> Array:
    """Return (..., k, 6): the change of S rates along each rate k."""
    bent: Array = (bending * rates[..., :, None, None]).sum(axis=-3)
    return bent


def _bending(derivative: Array | None, place: Pose) -> Array | None:
    """Return (..., j, k, 6) in branch axes of D (..., 6, j, k) in the lump's."""
    if derivative is None:
        return None
    columns = [carried(place, transpose(derivative[..., k])) for k in range(derivative.shape[-1])]
    return np.stack(columns, axis=-2)


def _seen_by(pose: Pose, V_A: Array) -> Array:
    """Return a motion vector (..., 6) in B's frame of one in A's; `pose` is X_AB."""
    R_BA = transpose(pose[0])
    turn = V_A[..., :3]
    return joined(apply(R_BA, turn), apply(R_BA, V_A[..., 3:] + cross(turn, pose[1])))
