"""The bodies that Gazebo makes of a robot's links.

Its reader (libsdformat) takes links that are fixed to each other for one, under the name of the
first, except behind fixed joints that are kept and behind the link `world`. A body that still has
no mass is dropped, with everything behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.model.inertia import central, moved, parameters_of
from robodyn_ros.spatial import compose
from robodyn_ros.spatial.arrays import FrozenArrays
from robodyn_ros.spatial.poses import Pose

Floats = NDArray[np.float64]

WORLD = "world"
"""The link that Gazebo takes for the world itself."""


@dataclass(frozen=True, eq=False)
class GazeboBody(FrozenArrays):
    """One <link> of the SDF.

    Attributes:
        links: the links that it consists of; it has the name and the frame of the first.
        joint: what joins it to the body before; None for the root.
        parent: the name of that body.
        anchored: whether it is fixed to the world.
        mass: kg.
        com: centre of mass (3,) in the first link's frame, m.
        inertia: (3, 3) about the centre of mass, axes of the first link's frame, kg m^2.
    """

    links: tuple[str, ...]
    joint: str | None
    parent: str | None
    anchored: bool
    mass: float
    com: Floats
    inertia: Floats

    @property
    def name(self) -> str:
        """The name that Gazebo knows it by."""
        return self.links[0]


def gazebo_bodies(model: Model, kept: Collection[str] = ()) -> tuple[GazeboBody, ...]:
    """Return the bodies of a model on a fixed base, the root's first.

    A root called `world` is none of them.

    Args:
        model: the robot.
        kept: names of fixed joints that Gazebo keeps.
    """
    here: Pose = (np.eye(3), np.zeros(3))
    places: list[tuple[int, Pose]] = [(0, here)]
    members = [[0]]
    joints: list[TreeJoint | None] = [None]
    for i, joint in model.moving:
        if joint.joint.nv or joint.name in kept or model.body_names[joint.parent] == WORLD:
            places.append((len(members), here))
            members.append([i])
            joints.append(joint)
            continue
        body, pose = places[joint.parent]
        at = compose(compose(pose, (joint.rotation, joint.position)), joint.joint.pose(np.zeros(0)))
        places.append((body, at))
        members[body].append(i)
    names = model.body_names
    found: list[GazeboBody] = []
    for links, carrier in zip(members, joints, strict=True):
        parent = None if carrier is None else names[members[places[carrier.parent][0]][0]]
        moments = sum(_moments(model, i, places[i][1]) for i in links)
        found.append(
            GazeboBody(
                tuple(names[i] for i in links),
                carrier.name if carrier else None,
                parent,
                carrier is not None and parent == WORLD and carrier.joint.nv == 0,
                *central(np.asarray(moments)),
            )
        )
    return tuple(body for body in found if body.joint is not None or body.name != WORLD)


def _moments(model: Model, i: int, pose: Pose) -> Floats:
    """Return the inertial parameters (10,) of a link in the frame of its body's first link."""
    body = model.bodies[i]
    own = parameters_of(body.mass, body.com, body.inertia)
    return np.asarray(moved(own, pose[0], pose[1]))


def dropped(bodies: Collection[GazeboBody], tokens: Mapping[str, float]) -> dict[str, str]:
    """Return the bodies that Gazebo drops: each one's name, and the massless one that it is behind.

    Args:
        bodies: of the robot, parents first.
        tokens: masses that are given to bodies which have none, by name.
    """
    gone: dict[str, str] = {}
    for body in bodies:
        if body.parent in gone:
            gone[body.name] = gone[body.parent]
        elif body.mass <= 0.0 and body.name not in tokens:
            gone[body.name] = body.name
    return gone


def is_physical(body: GazeboBody) -> bool:
    """Return whether a body can have its inertia, as libsdformat sees it.

    No principal moment is negative, and none is larger than the two others together.
    """
    small, middle, large = np.linalg.eigvalsh(body.inertia)
    slack = 10.0 * np.finfo(float).eps * (abs(small) + abs(middle) + abs(large))
    return bool(small >= -slack and small + middle + slack >= large)
