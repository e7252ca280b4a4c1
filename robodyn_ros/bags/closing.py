"""Recorded states of closed mechanisms: the coordinates that were not recorded follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closing import closed_at, measured_inputs
from robodyn_ros.conditioning.dependence import partition_by_measured
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.constraints.elimination import partition_of
from robodyn_ros.errors import ClosureError, RobodynError
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

LONGEST = 256
"""Rows that are closed from the same one, at most."""
_REST = 100
"""Rows for which no slow way is tried after it failed."""


def by_recorded(robot: Robot, recorded: set[int]) -> Robot:
    """Return the robot with a mechanism that follows from recorded coordinates, if it can.

    Args:
        robot: A closed mechanism.
        recorded: Entries of v that the bag gives.
    """
    model = robot.model
    before = partition_of(model)
    if set(before.independent) <= recorded:
        return robot
    orders = (
        [k for k in model.closure.actuated if k in recorded],
        sorted(recorded),
        before.independent,
    )
    try:
        partition = partition_by_measured(model, model.defaults.q, orders)
    except RobodynError:
        return robot
    if len(set(partition.independent) & recorded) <= len(set(before.independent) & recorded):
        return robot
    chosen = replace(model, closure=replace(model.closure, partition=partition))
    found = Robot(chosen, compile=robot.compile_mode)
    found.environment = robot.environment
    return found


class MechanismCloser:
    """Closes the states of one mechanism, each near the one before."""

    def __init__(self, robot: Robot, plan: FramePlan) -> None:
        """Begin where the mechanism begins."""
        self.robot = robot
        self.independent: tuple[int, ...] = partition_of(robot.model).independent
        own = set(self.independent)
        of_slots = [
            int(q) for q, v in zip(plan.q_index, plan.v_index, strict=True) if int(v) in own
        ]
        of_poses = [
            k
            for entry in plan.multi
            if own & set(range(entry.v.start, entry.v.stop))
            for k in range(entry.q.start, entry.q.stop)
        ]
        self._of_q: Indices = np.array([*of_slots, *of_poses], dtype=np.intp)
        self._last: Floats = robot.model.defaults.q.copy()
        self._resting = 0

    def close(self, q: Floats) -> Floats:
        """Return closed configurations (n, nq) with the independent entries of q, NaN for none."""
        closed = np.full_like(q, np.nan)
        row, length = 0, LONGEST
        while row < len(q):
            guess = np.tile(self._last, (min(length, len(q) - row), 1))
            guess[:, self._of_q] = q[row : row + len(guess), self._of_q]
            found = self.robot.closed(guess)
            lost = np.isnan(found[:, 0])
            count = int(np.argmax(lost)) if lost.any() else len(found)
            if count:
                closed[row : row + count] = found[:count]
                self._last = found[count - 1].copy()
                row, length = row + count, min(LONGEST, 2 * max(length, 1))
                self._resting = 0
            elif length > 1:
                length = max(1, length // 8)
            else:
                closed[row] = self._gone_to(guess[0])
                row += 1
        return closed

    def _gone_to(self, guess: Floats) -> Floats:
        """Return the configuration that is reached from the last one in small steps, or NaN."""
        nothing = np.full_like(guess, np.nan)
        if self._resting > 0:
            self._resting -= 1
            return nothing
        model = self.robot.model
        found = closed_at(model, self._last, measured_inputs(model, guess))
        if found.q is None:
            self._resting = _REST
            return nothing
        self._last = np.array(found.q)
        return self._last


def where_determined(
    call: Callable[..., Any], arrays: tuple[Floats, ...]
) -> tuple[tuple[Floats, ...], Flags]:
    """Return what a function of a closed mechanism gives for rows, NaN where it is not determined.

    Args:
        call: Raises ClosureError where a row has no answer, else returns arrays.
        arrays: Its arguments, (n, ...) each.

    Returns:
        Arrays (n, ...), and which rows (n,) have an answer.
    """
    count = len(arrays[0])
    try:
        found = call(*arrays)
        return tuple(np.array(x) for x in found), np.ones(count, dtype=bool)
    except ClosureError:
        if count == 1:
            empty = call(*(np.full_like(x, np.nan) for x in arrays))
            return tuple(np.array(x) for x in empty), np.zeros(1, dtype=bool)
    half = count // 2
    first = where_determined(call, tuple(x[:half] for x in arrays))
    second = where_determined(call, tuple(x[half:] for x in arrays))
    both = (np.concatenate(pair) for pair in zip(first[0], second[0], strict=True))
    return tuple(both), np.concatenate([first[1], second[1]])
