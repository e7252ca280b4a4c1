"""States of closed mechanisms that commands are given: what is named holds, the rest follows."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]

_STEP = 0.05
"""rad or m: the longest step on the way to a position that is asked for."""
_MOST = 400
"""Steps on that way, at most."""
_CLOSED = 1e-9
"""Residual of a state that is taken as it is given, m or rad."""


class State(NamedTuple):
    """Coordinates q (nq,), rates v and accelerations a (nv,)."""

    q: Floats
    v: Floats
    a: Floats


def closed_state(robot: Robot, options: argparse.Namespace, state: State) -> State:
    """Return the state of a closed mechanism that the options ask for; that of a tree as it is.

    The positions that --q names are gone to from the initial state, in small steps and so on the
    branch on which the mechanism begins. Of rates and accelerations the independent ones count.

    Raises:
        ClosureError: it cannot be closed there.
        ArgumentError: --v or --a name a coordinate that depends on others.
    """
    model = robot.model
    if not model.is_closed:
        return state
    for key in ("v", "a"):
        depend = [n for n in _named(getattr(options, key, ())) if n not in robot.independent_names]
        if depend:
            raise ArgumentError(
                f"--{key}: {quoted(depend[0])} depends on others; give those that it depends on:"
                f" {', '.join(robot.independent_names)}"
            )
    q = state.q
    if np.max(np.abs(robot.constraint_residual(q)), initial=0.0) > _CLOSED:
        q = _gone_to(robot, q, [n for n in _named(options.q) if n in model.coordinate_names])
    moved = robot.complete(q, state.v, state.a)
    return State(q, np.array(moved.v), np.array(moved.a))


def _named(words: Sequence[str]) -> list[str]:
    """Return the names in an option's words."""
    tokens = [token for word in words for token in word.split(",")]
    return [token.rpartition("=")[0].strip() for token in tokens if "=" in token]


def _gone_to(robot: Robot, goal: Floats, names: Sequence[str]) -> Floats:
    """Return a closed configuration with the goal's values of what is named, or independent."""
    begin = robot.initial_state[0]
    names_of = zip(robot.model.coordinate_names, robot.model.rate_places, strict=True)
    places = {name: place for name, place in names_of if place >= 0}
    held = [name for name in (names or robot.independent_names) if name in places]
    way = {name: goal[places[name]] - begin[places[name]] for name in held}
    farthest = max((abs(x) for x in way.values()), default=0.0)
    count = min(max(1, math.ceil(farthest / _STEP)), _MOST)
    inputs = [
        {name: float(begin[places[name]] + k / count * way[name]) for name in held}
        for k in range(1, count + 1)
    ]
    return np.array(robot.follow(begin, inputs)[-1].q)
