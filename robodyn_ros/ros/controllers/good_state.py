"""The state that a controller acts on: where a value is not good now, the last one that was."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.control import Commanded, RobotState

Floats = NDArray[np.float64]


class GoodState:
    """Follows the state of a path, without the outliers that a path shows.

    Attributes:
        state: The newest; None before the first.
    """

    def __init__(self, path: StatePath) -> None:
        """Begin where the path is."""
        self._path = path
        self._q: Floats = path.result.q
        self._v: Floats = path.result.v
        self.state: RobotState | None = None

    def take(self, stamp: int) -> RobotState:
        """Return the state after a message, whose stamp is in ns."""
        path = self._path
        result, count = path.result, len(path.plan.slots)
        good = path.usable(stamp)[0][:count]
        q, v = result.q, result.v
        if not good.all():
            bad = np.flatnonzero(~good)
            q, v = q.copy(), v.copy()
            q[path.plan.q_index[bad]] = self._q[path.plan.q_index[bad]]
            v[path.plan.v_index[bad]] = self._v[path.plan.v_index[bad]]
        self._q, self._v = q, v
        self.state = RobotState(q, v, stamp)
        return self.state

    def inherit(self, mine: Commanded, state: RobotState | None, theirs: Commanded) -> None:
        """Have commanded coordinates stand where they were known before, with another robot.

        Args:
            mine: Those of this path's robot.
            state: What was known; None for nothing.
            theirs: The same ones in it.
        """
        if state is None:
            return
        q, v = self._q.copy(), self._v.copy()
        q[mine.place], v[mine.column] = state.q[theirs.place], state.v[theirs.column]
        self._q, self._v = q, v
        self.state = RobotState(q, v, state.stamp)
