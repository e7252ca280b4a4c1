"""Links that nothing but constraint elements holds: they float, each with its own branch."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np

from robodyn_ros.joints import Floating, JointLimits
from robodyn_ros.model.elements import Note, constant
from robodyn_ros.model.tree import JointSpec, unused


def clusters_hung(
    links: Sequence[str],
    joints: Sequence[JointSpec],
    root: str | None,
    taken: Container[str] = (),
) -> tuple[list[JointSpec], list[Note]]:
    """Return the joints with a floating one for each loose link but the root, and notes on them.

    The root is the link given, or the loose one at whose branch it is, else the first loose link.
    No joint added is called as one of those given, or as in `taken`.
    """
    parents = {spec.child: spec.parent for spec in joints}
    loose = [link for link in links if link not in parents]
    if len(loose) < 2:
        return list(joints), []
    first = _outermost(root, parents) if root is not None else loose[0]
    known = {spec.name for spec in joints}
    hung = [(link, unused(f"{link}_free", known, taken)) for link in loose if link != first]
    still, upright = constant(np.zeros(3)), constant(np.eye(3))
    limits = (JointLimits(),) * Floating().nv
    free = [JointSpec(name, Floating(), first, link, still, upright, limits) for link, name in hung]
    notes = [
        Note("cluster", name, f"no joint carries link {link!r}: it floats, held by constraints")
        for link, name in hung
    ]
    return [*joints, *free], notes


def _outermost(link: str, parents: dict[str, str]) -> str:
    """Return the link that a link's branch begins with."""
    seen = {link}
    while link in parents and parents[link] not in seen:
        link = parents[link]
        seen.add(link)
    return link
