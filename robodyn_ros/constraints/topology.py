"""How the links of a mechanism hang together: loops, clusters, chains (document D, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from robodyn_ros.constraints.relative_motion import RelativeMotion
from robodyn_ros.joints import Joint, Placed, Reversed
from robodyn_ros.model import Model, Weld

Topology = Literal["tree", "network with loops", "closed chain"]

#: Document D's joints and constraint elements are lower pairs or, as a gimbal, chains of them.
_NO_LOWER_PAIR = ("floating", "six_dof", "user_defined")


@dataclass(frozen=True)
class Loop:
    """A way round through the tree that an element closes.

    Attributes:
        element: the loop joint or constraint element that closes it.
        kind: its type, "loop" for a joint.
        joints: the joints on the way, from one side of the element to the other.
    """

    element: str
    kind: str
    joints: tuple[str, ...]


def loops(model: Model) -> tuple[Loop, ...]:
    """Return the loop of each element."""
    motion = RelativeMotion(model, model.defaults.q)
    lumps, places = model.lumped.lumps, model.lumped.places
    found = []
    for element in model.closure.elements:
        anchor = motion.anchor(element.body_1, element.body_2)
        out, back = (
            motion.path(places[body].lump, anchor) for body in (element.body_1, element.body_2)
        )
        names = tuple(lumps[lump - 1].joint.name for lump in (*reversed(out), *back))
        found.append(Loop(element.name, element.type_name, names))
    return tuple(found)


def clusters(model: Model) -> tuple[tuple[str, ...], ...]:
    """Return the links that joints connect, set by set; only elements hold one set to another."""
    group = {body: body for body in _links(model)}
    for one, other in _joined(model):
        kept, gone = group[one], group[other]
        group = {body: kept if first == gone else first for body, first in group.items()}
    names = model.body_names
    sets = dict.fromkeys(group.values())
    return tuple(
        tuple(names[body] for body, first in group.items() if first == leader) for leader in sets
    )


def topology(model: Model) -> Topology:
    """Return whether links form a tree, a network, or a chain in which each is held twice.

    A constraint element counts as what it stands for, a link with a joint at each end.
    """
    if not model.is_closed:
        return "tree"
    places = model.lumped.places
    holds = dict.fromkeys((places[body].lump for body in _links(model)), 0)
    for one, other in (*_joined(model), *_held(model)):
        first, second = places[one].lump, places[other].lump
        if first != second:
            holds[first] += 1
            holds[second] += 1
    return "network with loops" if min(holds.values()) < 2 else "closed chain"


def is_linkage(model: Model) -> bool:
    """Return whether lower pairs alone connect the links, and nothing couples them."""
    return all(
        not joint.is_follower and kind_of(joint.joint) not in _NO_LOWER_PAIR
        for _, joint in model.moving
        if not _sets_free(joint.joint)
    )


def kind_of(joint: Joint) -> str:
    """Return a joint's type, wherever it is put on its links."""
    while isinstance(joint, (Placed, Reversed)):
        joint = joint.inner
    return joint.type_name


def _sets_free(joint: Joint) -> bool:
    """Return whether a joint leaves its bodies all freedom, and so does not connect them."""
    return joint.nv == 6 and np.linalg.matrix_rank(joint.motion_subspace(joint.neutral())) == 6


def _links(model: Model) -> list[int]:
    """Return the numbers of the bodies that are links."""
    first = 0 if model.base == "fixed" else 1
    return [i for i, body in enumerate(model.bodies) if i >= first and not body.auxiliary]


def _joined(model: Model) -> Iterator[tuple[int, int]]:
    """Yield the pairs of links that joints connect, loop joints included."""
    links = set(_links(model))
    for i, joint in model.moving:
        if {i, joint.parent} <= links and not _sets_free(joint.joint):
            yield joint.parent, i
    for element in model.closure.elements:
        if isinstance(element, Weld):
            copy = model.joints[element.body_1]
            if copy is not None:
                yield copy.parent, element.body_2


def _held(model: Model) -> Iterator[tuple[int, int]]:
    """Yield the pairs of links that constraint elements hold to each other."""
    for element in model.closure.elements:
        if not isinstance(element, Weld):
            yield element.body_1, element.body_2
