"""Which inputs move which bodies, and which inputs a body's pose rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.told_coordinates import ToldCoordinate
from robodyn_ros.model import FunctionFollower, Model


def bodies_by_slot(
    model: Model, movers: Sequence[str], told: Sequence[ToldCoordinate]
) -> tuple[tuple[int, ...], ...]:
    """Return the bodies whose joints each slot moves: by its name, or as one of several drivers."""
    moved: list[list[int]] = [[] for _ in movers]
    columns = {one.v: slot for slot, one in enumerate(told)}
    slots_of: dict[str, list[int]] = {}
    for slot, name in enumerate(movers):
        slots_of.setdefault(name, []).append(slot)
    for body, joint in model.moving:
        slots = slots_of.get(joint.driver or joint.name, [])
        if isinstance(joint.coordinates, FunctionFollower):
            slots = [columns[k] for k in joint.coordinates.columns() if k in columns]
        for slot in slots:
            moved[slot].append(body)
    return tuple(map(tuple, moved))


def supports(
    model: Model, moved_by: tuple[tuple[int, ...], ...], follows: Mapping[int, Sequence[int]]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return (nb, n + m) slots that a body's pose rests on, and (nb,) bodies nothing can place."""
    rests_on = np.zeros((model.nb, len(moved_by)), dtype=bool)
    unreachable = np.zeros(model.nb, dtype=bool)
    slots_of: dict[int, list[int]] = {body: list(slots) for body, slots in follows.items()}
    for slot, bodies in enumerate(moved_by):
        for body in bodies:
            slots_of.setdefault(body, []).append(slot)
    for body, joint in model.moving:
        rests_on[body] = rests_on[joint.parent]
        unreachable[body] = unreachable[joint.parent]
        if body in slots_of:
            rests_on[body, slots_of[body]] = True
        elif joint.joint.nv > 0:
            unreachable[body] = True
    return rests_on, unreachable
