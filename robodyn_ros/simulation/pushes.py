"""Wrenches on frames of a robot, for a time or until they are taken away."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.robot import Robot
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]

_WHOLE = 1e-9
"""Share of a step that rounding may add to a duration."""


@dataclass
class _Push:
    frame: str
    wrench: Floats
    left: int


class Pushes:
    """The wrenches that act, counted in steps; each in its frame's axes at its frame's origin."""

    def __init__(self, robot: Robot) -> None:
        """Begin without any."""
        self._robot = robot
        self._held: dict[str, Floats] = {}
        self._pushes: list[_Push] = []

    def push(self, frame: str, wrench: ArrayLike, duration: float, step: float) -> None:
        """Let a wrench (6,) act for a duration in s, which ends with a step."""
        checked = self._checked(frame, wrench)
        number = real_array("duration", duration)
        if number.shape or not 0.0 < number < math.inf:
            raise ArgumentError(
                f"the duration of a push must be a positive number of seconds, got"
                f" {quoted(duration)}"
            )
        steps = max(1, math.ceil(float(number) / step - _WHOLE))
        self._pushes.append(_Push(frame, checked, steps))

    def hold(self, frame: str, wrench: ArrayLike | None) -> None:
        """Let a wrench (6,) act until another takes its place; None for none."""
        if wrench is None:
            self._robot.model.frame(frame)
            self._held.pop(frame, None)
        else:
            self._held[frame] = self._checked(frame, wrench)

    def clear(self) -> None:
        """Let nothing act."""
        self._held.clear()
        self._pushes.clear()

    def passed(self) -> bool:
        """Count a step; True where a push ended with it."""
        if not self._pushes:
            return False
        for push in self._pushes:
            push.left -= 1
        left = [push for push in self._pushes if push.left > 0]
        ended = len(left) < len(self._pushes)
        self._pushes = left
        return ended

    @property
    def acting(self) -> dict[str, Floats]:
        """The wrench (6,) on each frame: [moment; force], N m and N, the frame's own axes."""
        total = {frame: wrench.copy() for frame, wrench in self._held.items()}
        for push in self._pushes:
            total[push.frame] = total.get(push.frame, np.zeros(6)) + push.wrench
        return total

    def packed(self) -> Floats | None:
        """Return them as `Robot.packed_wrenches` does; None for none."""
        acting = self.acting
        return self._robot.packed_wrenches(acting, "local") if acting else None

    def _checked(self, frame: str, wrench: ArrayLike) -> Floats:
        self._robot.model.frame(frame)
        array = real_array("wrench", wrench)
        if array.shape != (6,) or not np.all(np.isfinite(array)):
            raise ArgumentError(
                f"a wrench is six finite numbers, [moment; force], got {quoted(array.tolist())}"
            )
        return array.copy()
