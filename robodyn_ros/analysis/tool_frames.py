"""Where a robot may carry a tool: the links at the ends of its chains."""

from __future__ import annotations

from robodyn_ros.model import Model

MOST = 4
"""Ends that are looked at by default: others are named by the operator."""
_HAND = 0.15
"""Share of the robot's mass up to which a body with several chains on it is a hand of fingers."""


def tool_frames(model: Model) -> tuple[str, ...]:
    """Return the names of links at the ends of a robot's chains, those of most joints first.

    Of several links that are fixed to each other it is the last one. A hand with its fingers is one
    end: a body with several chains on it that all together are light.
    """
    tree = model.lumped
    parents = {number: lump.parent for number, lump in tree.moving}
    carries: dict[int, list[int]] = {number: [] for number in (0, *parents)}
    for number, parent in parents.items():
        carries[parent].append(number)
    hanging = {number: float(tree.inertias[number, 0]) for number in (0, *parents)}
    for number in reversed(list(parents)):
        hanging[parents[number]] += hanging[number]
    total = max(hanging[0], 1e-9)
    ends = [number for number, on_it in carries.items() if number and not on_it]
    chosen: dict[int, int] = {}
    for end in ends:
        path = _path(end, parents)
        hands = [x for x in path[1:] if len(carries[x]) > 1 and hanging[x] <= _HAND * total]
        found = hands[-1] if hands else end
        chosen[found] = len(_path(found, parents))
    longest = sorted(chosen, key=lambda number: (-chosen[number], number))[:MOST]
    return tuple(_last_link(model, number) for number in longest)


def _path(number: int, parents: dict[int, int]) -> list[int]:
    """Return the moving lumps from one to the root."""
    path = []
    while number:
        path.append(number)
        number = parents[number]
    return path


def _last_link(model: Model, lump: int) -> str:
    """Return the link of a lump that is farthest from its joint, in joints."""
    depth = {0: 0}
    for body, joint in model.moving:
        depth[body] = depth[joint.parent] + 1
    places = model.lumped.places
    inside = [
        body
        for body in range(model.nb)
        if places[body].lump == lump and not model.bodies[body].auxiliary
    ]
    deepest = max(inside, key=lambda body: (depth[body], -body))
    return model.body_names[deepest]
