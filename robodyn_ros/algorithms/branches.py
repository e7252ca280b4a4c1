"""A tree in the axes of its branches, in which columns of different lumps can be multiplied.

A branch is a child of lump 0 with all that hangs on it. What happens in one branch does not depend
on where the others are, so each is looked at in its own inertial frame: the one with which its
first lump's frame coincides at this instant. The first joint's columns stay as sparse as they
are, and nothing cancels where a robot is far from the world's origin.

Sets of spatial vectors are arrays of rows (..., n, 6), angular first; see `spatial.screws`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from robodyn_ros.algorithms.joint_space import Pose
from robodyn_ros.model import Model
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import Array, apply, compose, cross, joined, transpose
from robodyn_ros.spatial.ldlt import mirrored

#: Rows by pair of lumps: entry (j, k) is (..., nv of joint j, nv of joint k).
Blocks = Mapping[tuple[int, int], Array]


class Inertia(NamedTuple):
    """Mass (...), first moments (..., 3) and second moments J (..., 3, 3) about an origin.

    The tensor of inertia is tr(J) 1 - J. For joint efforts they may be regrouped ones.
    """

    mass: Array
    first: Array
    second: Array

    @classmethod
    def of_parameters(cls, parameters: Array) -> Inertia:
        """Return the inertia of inertial parameters (..., 10); see `model.inertia`."""
        mass, first, tensor = moments(parameters)
        return cls(mass, first, _other_form(tensor, 0.5))

    @classmethod
    def of_moments(cls, row: Array) -> Inertia:
        """Return the inertia of (regrouped) moments (..., 10); see `model.regrouping`."""
        return cls(*moments(row))

    @property
    def tensor(self) -> Array:
        """The tensor of inertia (..., 3, 3)."""
        return _other_form(self.second, 1.0)

    def seen_from(self, pose: Pose) -> Inertia:
        """Return the same in frame A for this in frame B; `pose` is X_AB."""
        R, p = pose
        turned = apply(R, self.first)
        half = turned + 0.5 * self.mass * p
        dyad = p[..., :, None] * half[..., None, :]
        spread = R @ self.second @ transpose(R) + dyad + transpose(dyad)
        return Inertia(self.mass, turned + self.mass * p, mirrored(spread))

    def plus(self, other: Inertia) -> Inertia:
        """Return the inertia of both together."""
        return Inertia(self.mass + other.mass, self.first + other.first, self.second + other.second)

    def times(self, rows: Array) -> Array:
        """Return the momenta (..., n, 6) of motion vectors (..., n, 6)."""
        turn, slide = rows[..., :3], rows[..., 3:]
        first = self.first[..., None, :]
        moment = turn @ self.tensor + cross(first, slide)
        return joined(moment, np.asarray(self.mass)[..., None, None] * slide - cross(first, turn))


def _other_form(matrix: Array, share: float) -> Array:
    """Return share tr(m) 1 - m for matrices (..., 3, 3)."""
    x, y, z = (matrix[..., i, i] for i in range(3))
    if share == 1.0:
        diagonal = (y + z, z + x, x + y)
    else:
        half = share * (x + y + z)
        diagonal = (half - x, half - y, half - z)
    entries = np.stack([np.asarray(d) for d in diagonal], axis=-1)
    other: Array = np.eye(3) * entries[..., None, :] - matrix * (1.0 - np.eye(3))
    return other


def branch_poses(model: Model, poses: Sequence[Pose]) -> list[Pose]:
    """Return each moving lump's pose in its branch's frame, from those in the parent lumps."""
    found: list[Pose] = [(np.eye(3), np.zeros(3))]
    for (_, lump), pose in zip(model.lumped.moving, poses, strict=True):
        if lump.parent == 0:
            found.append((np.eye(3), np.zeros(3)))
        else:
            found.append(compose(found[lump.parent], pose))
    return found[1:]


def joint_columns(model: Model, q: Array) -> list[Array]:
    """Return each moving joint's motion subspace as rows (..., nv of the joint, 6), lump's axes."""
    return [
        transpose(lump.joint.joint.motion_subspace(lump.joint.coordinates.position(q)))
        for lump in model.lumped.lumps
    ]


def inner_lumps(model: Model, i: int) -> list[int]:
    """Return the lumps between lump i and the root, i and the root excluded, outermost first."""
    lumps = model.lumped.lumps
    found = []
    i = lumps[i - 1].parent
    while i:
        found.append(i)
        i = lumps[i - 1].parent
    return found


def coordinate_matrix(model: Model, q: Array, blocks: Blocks, lead: tuple[int, ...]) -> Array:
    """Return the matrix (..., nv, nv) by coordinate of one by joint rate: G^T B G.

    Args:
        model: the model.
        q: coordinates (..., nq).
        blocks: by (row's lump, column's lump); what is missing is zero.
        lead: leading axes of the result.
    """
    kind = np.result_type(np.float64, *(block.dtype for block in blocks.values()))
    matrix = np.full((*lead, model.nv, model.nv), 0.0, dtype=kind)
    lumps = model.lumped.lumps
    maps = [lump.joint.coordinates.velocity_map(q) for lump in lumps]
    columns = [np.array(lump.joint.coordinates.columns()) for lump in lumps]
    for (j, k), block in blocks.items():
        share = transpose(maps[j - 1]) @ block @ maps[k - 1]
        at = (..., columns[j - 1][:, None], columns[k - 1][None, :])
        matrix[at] = matrix[at] + share
    return matrix
