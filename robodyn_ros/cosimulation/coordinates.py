"""Our coordinates and MuJoCo's: two ways to write down the same state.

MuJoCo has quaternions with the scalar first; of what moves freely it has the velocity of the origin
in the axes that carry it, where ours are the body's own. Rates of balls are in the body's axes with
both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.model import TreeJoint
from robodyn_ros.spatial import quaternion_exponential, quaternion_logarithm

Floats = NDArray[np.float64]
_BACK: Floats = np.array([1.0, -1.0, -1.0, -1.0])
"""Makes a quaternion, scalar first, turn the other way."""
Indices = NDArray[np.intp]


class Place(NamedTuple):
    """Where one motion's numbers are.

    Attributes:
        kind: as of `Motion`.
        q: entries of our q.
        v: entries of our v.
        qpos: first entry of MuJoCo's qpos.
        dof: first entry of its qvel.
    """

    kind: str
    q: tuple[int, ...]
    v: tuple[int, ...]
    qpos: int
    dof: int


class Follower(NamedTuple):
    """A joint that follows another one of ours, and has a coordinate of its own in MuJoCo."""

    joint: TreeJoint
    qpos: int
    dof: int


class CoordinateMap:
    """Takes states and efforts to MuJoCo and back.

    Attributes:
        followers: joints that follow, in the order of our tree.
        are_turning: whether efforts that are constant in our axes turn in theirs.
    """

    def __init__(
        self,
        places: Sequence[Place],
        followers: Sequence[Follower],
        ours: tuple[int, int],
        theirs: tuple[int, int],
    ) -> None:
        """Take the places, and nq and nv of ours and of theirs."""
        self._engine = mujoco_engine()
        single = [place for place in places if len(place.q) == 1]
        self._several = [place for place in places if len(place.q) > 1]
        self._q = _indices([place.q[0] for place in single])
        self._v = _indices([place.v[0] for place in single])
        self._qpos = _indices([place.qpos for place in single])
        self._dof = _indices([place.dof for place in single])
        self.followers = tuple(followers)
        self.are_turning = any(place.kind == "free" for place in places)
        self._nq, self._nv = ours
        self._their_nq, self._their_nv = theirs

    def dofs(self) -> dict[int, int]:
        """Return the entry of qvel of each entry of our v; of free motion its axes differ."""
        found = dict(zip(self._v.tolist(), self._dof.tolist(), strict=True))
        for place in self._several:
            order = (3, 4, 5, 0, 1, 2) if place.kind == "free" else range(len(place.v))
            found.update({v: place.dof + k for v, k in zip(place.v, order, strict=True)})
        return found

    def theirs(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return qpos and qvel of our state q (nq,), v (nv,)."""
        qpos, qvel = np.zeros(self._their_nq), np.zeros(self._their_nv)
        qpos[self._qpos], qvel[self._dof] = q[self._q], v[self._v]
        for place in self._several:
            z, dz = q[list(place.q)], v[list(place.v)]
            at, dof = place.qpos, place.dof
            if place.kind == "free":
                qpos[at : at + 3], qpos[at + 3 : at + 7] = z[:3], np.roll(z[3:], 1)
                qvel[dof : dof + 3] = self._turned(qpos[at + 3 : at + 7], dz[3:])
                qvel[dof + 3 : dof + 6] = dz[:3]
            else:
                quaternion = z if len(z) == 4 else quaternion_exponential(z)
                qpos[at : at + 4], qvel[dof : dof + 3] = np.roll(quaternion, 1), dz
        for follower in self.followers:
            coordinates = follower.joint.coordinates
            qpos[follower.qpos] = coordinates.position(q)[0]
            qvel[follower.dof] = coordinates.velocity(q, v)[0]
        return qpos, qvel

    def ours(self, qpos: Floats, qvel: Floats) -> tuple[Floats, Floats]:
        """Return our q (nq,) and v (nv,) of their state; followers are not asked."""
        q, v = np.zeros(self._nq), np.zeros(self._nv)
        q[self._q], v[self._v] = qpos[self._qpos], qvel[self._dof]
        for place in self._several:
            at, dof, rates = place.qpos, place.dof, list(place.v)
            if place.kind == "free":
                turn = _unit(qpos[at + 3 : at + 7])
                q[list(place.q)] = [*qpos[at : at + 3], *turn[1:], turn[0]]
                v[rates[:3]] = qvel[dof + 3 : dof + 6]
                v[rates[3:]] = self._turned(turn * _BACK, qvel[dof : dof + 3])
                continue
            turn = _unit(qpos[at : at + 4])
            quaternion = np.array([*turn[1:], turn[0]])
            q[list(place.q)] = quaternion if len(place.q) == 4 else quaternion_logarithm(quaternion)
            v[rates] = qvel[dof : dof + 3]
        return q, v

    def their_efforts(self, tau: Floats, qpos: Floats) -> Floats:
        """Return efforts on their coordinates that do the work of ours (nv,)."""
        efforts = np.zeros(self._their_nv)
        efforts[self._dof] = tau[self._v]
        for place in self._several:
            own, dof = tau[list(place.v)], place.dof
            if place.kind == "free":
                turn = qpos[place.qpos + 3 : place.qpos + 7]
                efforts[dof : dof + 3] = self._turned(turn, own[3:])
                efforts[dof + 3 : dof + 6] = own[:3]
            else:
                efforts[dof : dof + 3] = own
        return efforts

    def our_efforts(self, efforts: Floats, q: Floats, qpos: Floats) -> Floats:
        """Return the efforts (nv,) that do the work of efforts on their coordinates.

        Those on followers count to what they follow.
        """
        tau = np.zeros(self._nv)
        tau[self._v] = efforts[self._dof]
        for place in self._several:
            rates, dof = list(place.v), place.dof
            if place.kind == "free":
                tau[rates[:3]] = efforts[dof + 3 : dof + 6]
                turn = qpos[place.qpos + 3 : place.qpos + 7]
                tau[rates[3:]] = self._turned(turn * _BACK, efforts[dof : dof + 3])
            else:
                tau[rates] = efforts[dof : dof + 3]
        for follower in self.followers:
            coordinates = follower.joint.coordinates
            slopes = coordinates.velocity_map(q)[0]
            tau[list(coordinates.columns())] += slopes * efforts[follower.dof]
        return tau

    def _turned(self, turn: Floats, vector: Floats) -> Floats:
        """Return a vector (3,) turned by a quaternion whose scalar is first."""
        found: Floats = np.zeros(3)
        self._engine.mju_rotVecQuat(found, vector, turn)
        return found


def _unit(quaternion: Floats) -> Floats:
    """Return a quaternion (4,) with norm 1, which MuJoCo keeps to rounding only."""
    unit: Floats = quaternion / math.sqrt(quaternion.dot(quaternion))
    return unit


def _indices(numbers: list[int]) -> Indices:
    return np.array(numbers, dtype=np.intp)
