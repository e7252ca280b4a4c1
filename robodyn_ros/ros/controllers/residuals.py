"""What is left of measured efforts by the model: the momentum observer of a controller."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.momentum_observer import MomentumObserver
from robodyn_ros.conditioning.joint_efforts import JointEfforts
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.control import RobotState
from robodyn_ros.ros.controllers.assembly import Assembly
from robodyn_ros.ros.followed_environment import FollowedEnvironment
from robodyn_ros.ros.parameters import Parameters

Floats = NDArray[np.float64]
_LONGEST = 0.1
"""s between two states beyond which the observer begins anew."""


class Residuals:
    """Follows the efforts of joint states, and what they do not explain."""

    def __init__(
        self,
        made: Assembly,
        path: StatePath,
        config: Parameters,
        environment: FollowedEnvironment,
    ) -> None:
        """Have efforts kept of a path's joint states."""
        self._made, self._path, self._environment = made, path, environment
        self._efforts = JointEfforts(len(path.plan.slots))
        path.efforts = self._efforts
        self._wanted = config.number("residual_limit") > 0.0
        self._observer: MomentumObserver | None = None
        if self._wanted:
            self._observer = MomentumObserver(made.robot, gain=config.number("observer_gain"))
        self._stamp: int | None = None

    def begin(self) -> None:
        """Forget what was observed."""
        self._stamp = None
        if self._observer is not None:
            self._observer.reset()

    def measured(self, stamp: int) -> Floats:
        """Return the efforts (nv,) known at a stamp in ns, N m or N; NaN for others."""
        path, factor = self._path, self._environment.factor
        return self._efforts.by_coordinate(
            factor, path.plan.v_index, path.model.nv, stamp, path.stale_after
        )

    def take(self, state: RobotState) -> Floats | None:
        """Take a state; return the residuals (n,) of commanded joints, None if not looked at."""
        observer, before = self._observer, self._stamp
        if observer is None:
            return None
        self._stamp = state.stamp
        if before is None:
            return None
        step = (state.stamp - before) * 1e-9
        if not 0.0 < step <= _LONGEST:
            observer.reset()
            return None
        observer.driver_compensates_gravity = self._environment.lack_gravity
        effort = self.measured(state.stamp)
        return observer.update(state.q, state.v, effort, step)[self._made.commanded.column]
