"""The graph of links and joints before it is a model: checks, re-rooting, order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import DescriptionError, did_you_mean
from robodyn_ros.joints import Fixed, Joint, JointLimits, Reversed
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial import invert


@dataclass(frozen=True, eq=False)
class JointSpec:
    """A joint as described: it hangs link `child` on link `parent`.

    `limits` and `parameters` (armature, damping, friction) are those of each rate.
    """

    name: str
    joint: Joint
    parent: str
    child: str
    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    limits: tuple[JointLimits, ...] = ()
    parameters: NDArray[np.float64] = field(default_factory=lambda: constant(np.zeros((0, 3))))
    initial: NDArray[np.float64] | None = None
    initial_velocity: NDArray[np.float64] | None = None
    where: str = ""

    @property
    def label(self) -> str:
        """How an error names it: the quoted name and the place in the description."""
        return labelled(self.name, self.where)


def labelled(name: str, where: str) -> str:
    """Return the quoted name, with the place it comes from where that is known."""
    return f"{name!r} ({where})" if where else repr(name)


def unused(name: str, *taken: Container[str]) -> str:
    """Return `name` with as many underscores appended as make it new."""
    while any(name in names for names in taken):
        name += "_"
    return name


def find_root(robot: str, links: list[str], joints: list[JointSpec]) -> str:
    """Return the only link without a parent, or raise DescriptionError where it is not a tree."""
    if not links:
        raise DescriptionError(f"robot {robot!r} has no links")
    known = set(links)
    inboard: dict[str, JointSpec] = {}
    for spec in joints:
        for role, link in (("parent", spec.parent), ("child", spec.child)):
            if link not in known:
                raise DescriptionError(
                    f"joint {spec.label} names the {role} link {link!r}, which does not exist;"
                    f" add the link or correct the name{did_you_mean(link, links)}"
                )
        if spec.child in inboard:
            raise DescriptionError(
                f"link {spec.child!r} has two parents: by joint {inboard[spec.child].label} and by"
                f" joint {spec.label}; a tree allows one, so remove one of the joints"
            )
        inboard[spec.child] = spec
    _refuse_loops(inboard)
    roots = [link for link in links if link not in inboard]
    if len(roots) > 1:
        raise DescriptionError(
            f"robot {robot!r} has {len(roots)} root links: {', '.join(map(repr, roots[:6]))};"
            " join them to one tree with (fixed) joints"
        )
    return roots[0]


def _refuse_loops(inboard: dict[str, JointSpec]) -> None:
    """Raise where following parents never ends."""
    safe: set[str] = set()
    for start in inboard:
        path: dict[str, JointSpec] = {}
        link = start
        while link in inboard and link not in safe:
            if link in path:
                cycle = list(path)[list(path).index(link) :]
                raise DescriptionError(
                    f"links {', '.join(map(repr, cycle))} form a loop through joints"
                    f" {', '.join(path[name].label for name in cycle)}; a tree has none, so"
                    " remove one of the joints"
                )
            path[link] = inboard[link]
            link = inboard[link].parent
        safe.update(path)


def rerooted(joints: list[JointSpec], root: str) -> list[JointSpec]:
    """Return the joints with those between the old root and `root` turned round."""
    inboard = {spec.child: spec for spec in joints}
    turned: dict[str, JointSpec] = {}
    link = root
    while link in inboard:
        turned[inboard[link].name] = _turned_round(inboard[link])
        link = inboard[link].parent
    return [turned.get(spec.name, spec) for spec in joints]


def _turned_round(spec: JointSpec) -> JointSpec:
    position, rotation = constant(np.zeros(3)), constant(np.eye(3))
    joint: Joint = Reversed(spec.joint, spec.rotation, spec.position)
    if isinstance(spec.joint, Fixed):
        R_CP, p_CP = invert((spec.rotation, spec.position))
        joint, position, rotation = spec.joint, constant(p_CP), constant(R_CP)
    return replace(
        spec,
        joint=joint,
        parent=spec.child,
        child=spec.parent,
        position=position,
        rotation=rotation,
    )


def depth_first(root: str, joints: list[JointSpec]) -> list[JointSpec]:
    """Return the joints parent first, each branch whole before the next, in the order given."""
    outboard: dict[str, list[JointSpec]] = defaultdict(list)
    for spec in joints:
        outboard[spec.parent].append(spec)
    ordered: list[JointSpec] = []
    pending = list(reversed(outboard[root]))
    while pending:
        spec = pending.pop()
        ordered.append(spec)
        pending.extend(reversed(outboard[spec.child]))
    return ordered
