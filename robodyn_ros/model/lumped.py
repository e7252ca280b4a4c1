"""The tree as dynamics sees it: links that are fixed to each other are one rigid body.

A `Model` keeps every link as a body. Links behind fixed joints move with the body that carries
them, so dynamics works on *lumps*: maximal sets of links without a moving joint between them. A
lump's frame is the body frame of its first link, the one behind the moving joint.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import Frame, TreeJoint, constant
from robodyn_ros.model.inertia import PARAMETERS, moved, parameters_of
from robodyn_ros.model.regrouping import regrouped, structural_zeros, unnoticed
from robodyn_ros.spatial import compose
from robodyn_ros.spatial.arrays import FrozenArrays
from robodyn_ros.spatial.rotations import snapped

if TYPE_CHECKING:
    from robodyn_ros.model.model import Model

Floats = NDArray[np.float64]


class Place(NamedTuple):
    """Where a body or frame sits: its lump's number, rotation R_LB (3, 3), position p_LB (3,)."""

    lump: int
    rotation: Floats
    position: Floats


@dataclass(frozen=True, eq=False)
class Lump(FrozenArrays):
    """A rigid body behind one moving joint.

    Attributes:
        body: number of its first link's body in the model.
        joint: the joint that moves it; its own `parent`, `rotation` and `position` refer to the
            parent link and are replaced by those here.
        parent: number of the parent lump.
        rotation: R_PF (3, 3), predecessor frame to the parent lump's frame.
        position: p_PF (3,) in the parent lump's frame, m.
        rates: its joint's entries among all joint rates, followers included.
    """

    body: int
    joint: TreeJoint
    parent: int
    rotation: Floats
    position: Floats
    rates: slice


@dataclass(frozen=True, eq=False)
class LumpedTree(FrozenArrays):
    """All lumps of a model; lump 0 is what is fixed to the root (or prescribed with it).

    Attributes:
        root_body: number of the body whose frame is lump 0's: 0, or 1 for a prescribed base.
        lumps: the moving lumps; lump i is lumps[i - 1].
        places: of every body of the model.
        inertias: (n, 10) inertial parameters of all n lumps, lump 0 first; see `inertia`.
        joint_parameters: (nz, 3) armature, damping and friction of each joint rate.
    """

    root_body: int
    lumps: tuple[Lump, ...]
    places: tuple[Place, ...]
    inertias: Floats
    joint_parameters: Floats

    @property
    def size(self) -> int:
        """Number of lumps, lump 0 included."""
        return len(self.lumps) + 1

    @property
    def rates(self) -> int:
        """Number of joint rates, those of followers included."""
        return len(self.joint_parameters)

    @property
    def moving(self) -> tuple[tuple[int, Lump], ...]:
        """(number, lump) of every moving lump, parent first."""
        return tuple(enumerate(self.lumps, start=1))

    @cached_property
    def unnoticed(self) -> tuple[Floats, ...]:
        """Of every moving lump the moments (., 10) that do not notice its joint's motion."""
        return tuple(constant(unnoticed(lump.joint.joint)) for lump in self.lumps)

    @cached_property
    def regrouped(self) -> Floats:
        """The lumps' moments (n, 10) for joint efforts; see `regrouping`."""
        return constant(regrouped(self, self.inertias))

    @cached_property
    def structural_zeros(self) -> NDArray[np.bool_]:
        """Which entries (n, 10) of regrouped moments are zero whatever the inertias are."""
        return structural_zeros(self)

    def place(self, frame: Frame) -> Place:
        """Return where a frame of the model sits in its lump."""
        body = self.places[frame.body]
        rotation, position = compose(body[1:], (frame.rotation, frame.position))
        return Place(body.lump, rotation, position)


def lumped(model: Model) -> LumpedTree:
    """Return the lumped tree of a model."""
    root = 1 if model.base == "prescribed" else 0
    identity = (constant(np.eye(3)), constant(np.zeros(3)))
    places: list[Place] = [Place(0, *identity)] * (root + 1)
    lumps: list[Lump] = []
    rates = 0
    for i, joint in model.moving:
        if i <= root:
            continue
        parent = places[joint.parent]
        rotation, position = compose(parent[1:], (joint.rotation, joint.position))
        if joint.joint.nv == 0:
            R_FM, p_FM = joint.joint.pose(np.zeros(0))
            pose = compose((rotation, position), (R_FM, p_FM))
            places.append(Place(parent.lump, constant(snapped(pose[0])), constant(pose[1])))
            continue
        span = slice(rates, rates + joint.joint.nv)
        rates = span.stop
        lumps.append(
            Lump(i, joint, parent.lump, constant(snapped(rotation)), constant(position), span)
        )
        places.append(Place(len(lumps), *identity))
    inertias = np.zeros((len(lumps) + 1, PARAMETERS))
    for body, place in zip(model.bodies, places, strict=True):
        own = parameters_of(body.mass, body.com, body.inertia)
        inertias[place.lump] += moved(own, place.rotation, place.position)
    parameters = [lump.joint.rate_parameters for lump in lumps]
    return LumpedTree(
        root,
        tuple(lumps),
        tuple(places),
        constant(inertias),
        constant(np.concatenate([np.zeros((0, 3)), *parameters])),
    )
