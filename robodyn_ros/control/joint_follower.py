"""The reference of commanded joints: where they stand, or a trajectory that is under way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.commanded import Commanded
from robodyn_ros.control.joint_trajectory import JointTrajectory, TrajectoryPoints
from robodyn_ros.control.reference import JointReference
from robodyn_ros.control.state import RobotState
from robodyn_ros.errors import ArgumentError

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Planned(NamedTuple):
    """A trajectory of some commanded joints, planned.

    Attributes:
        motion: The trajectory.
        begun: When it begins, ns.
        rows: (m,) its joints among those commanded.
        rest: (n,) where the others stand.
    """

    motion: JointTrajectory
    begun: int
    rows: Indices
    rest: Floats


class JointFollower:
    """Gives the reference at any time; joints that are not commanded are left where they are."""

    def __init__(self, commanded: Commanded) -> None:
        """Take which joints it is for."""
        self._commanded = commanded
        self._motion: JointTrajectory | None = None
        self._begun = 0
        self._rows: Indices = np.zeros(0, dtype=np.intp)
        self._rest: Floats = np.zeros(len(commanded.names))

    def begin(self, state: RobotState) -> None:
        """Stand where the robot is."""
        self._rest = state.q[self._commanded.place].copy()
        self._motion = None

    @property
    def is_under_way(self) -> bool:
        """Whether a trajectory has been taken since it began."""
        return self._motion is not None

    def take(self, names: Sequence[str], points: TrajectoryPoints, start: int, now: int) -> None:
        """Follow a trajectory from here on; joints that it does not name stand where they are.

        Args:
            names: Of the joints of `points`, in their order.
            points: The points; of joints that turn without end the nearest turn is taken.
            start: From when on their times count, ns; 0 for now.
            now: ns.

        Raises:
            RobodynError: as of `planned`.
        """
        self.follow(self.planned(names, points, start, now, self.reference(now)))

    def planned(
        self,
        names: Sequence[str],
        points: TrajectoryPoints,
        start: int,
        now: int,
        reference: Sequence[Floats],
    ) -> Planned:
        """Return what `follow` takes; nothing is changed, so that it may be called meanwhile.

        Args:
            names: As of `take`.
            points: Likewise.
            start: Likewise.
            now: Likewise.
            reference: What `reference` returned for `now`.

        Raises:
            UnknownNameError: a joint that is not commanded.
            ArgumentError: named twice, beyond its range or far beyond its velocity limit, all of it
                past, or far ahead.
        """
        commanded = self._commanded
        rows = commanded.indices(names)
        if points.position.shape[1] != len(rows):
            raise ArgumentError(
                f"points have {points.position.shape[1]} positions for {len(rows)} joints; give"
                " one for each"
            )
        commanded.require_range(rows, points.position)
        q, v, a = reference
        turns = np.round((q[rows] - points.position[0]) / math.tau) * math.tau
        offset = np.where(commanded.endless[rows], turns, 0.0)
        points = replace(points, position=points.position + offset)
        passed = (now - start) * 1e-9 if start else 0.0
        motion = JointTrajectory(points, passed, (q[rows], v[rows], a[rows]))
        commanded.require_possible(rows, *motion.within())
        return Planned(motion, now, rows, q)

    def follow(self, planned: Planned) -> None:
        """Follow what was planned, in the place of what was followed before."""
        self._motion, self._begun, self._rows, self._rest = planned

    def at(self, state: RobotState) -> JointReference:
        """Return the reference of all coordinates at the time of a state."""
        commanded = self._commanded
        position, velocity, acceleration = self.reference(state.stamp)
        q, v, a = state.q.copy(), state.v.copy(), np.zeros_like(state.v)
        q[commanded.place] = position
        v[commanded.column] = velocity
        a[commanded.column] = acceleration
        return JointReference(q, v, a)

    def reference(self, now: int) -> tuple[Floats, Floats, Floats]:
        """Return position, velocity, acceleration (n,) of commanded joints at a time, ns."""
        position = self._rest.copy()
        velocity, acceleration = np.zeros_like(position), np.zeros_like(position)
        if self._motion is not None:
            rows = self._rows
            position[rows], velocity[rows], acceleration[rows] = self._motion.at(
                (now - self._begun) * 1e-9
            )
        return position, velocity, acceleration
