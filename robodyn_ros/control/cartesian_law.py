"""The law of a spring between a frame and a pose that it is sent to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.cartesian_impedance import (
    CartesianGains,
    cartesian_impedance,
    frame_pose,
)
from robodyn_ros.control.pose_motion import PoseMotion
from robodyn_ros.control.reference import PoseReference
from robodyn_ros.control.state import RobotState
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


class CartesianImpedanceLaw:
    """Springs and dampers at a frame; see `cartesian_impedance`."""

    def __init__(
        self,
        robot: Robot,
        frame: str,
        gains: CartesianGains,
        *,
        linear_speed: float,
        angular_speed: float,
    ) -> None:
        """Take the robot and the gains.

        Args:
            robot: The robot.
            frame: Name of the link or frame.
            gains: Springs and damping.
            linear_speed: Of motions from pose to pose at most, m/s.
            angular_speed: Likewise, rad/s.

        Raises:
            UnknownNameError: no such frame.
        """
        robot.model.frame(frame)
        self._robot = robot
        self.frame = frame
        self._gains = gains
        self._speeds = linear_speed, angular_speed
        self._posture: Floats = robot.neutral()
        self._rest = PoseReference.at_rest(np.zeros(3), np.eye(3))
        self._motion: PoseMotion | None = None
        self._begun = 0

    def begin(self, state: RobotState) -> None:
        """Have pose and posture stand where the robot is."""
        self._posture = state.q.copy()
        self._rest = PoseReference.at_rest(*frame_pose(self._robot, state.q, self.frame))
        self._motion = None

    def take(self, position: Floats, rotation: Floats, now: int) -> None:
        """Go to a pose: position (3,) in m and rotation (3, 3) of the frame in the world."""
        start = self.at(now)
        self._motion = PoseMotion(start, position, rotation, *self._speeds)
        self._begun = now

    def at(self, now: int) -> PoseReference:
        """Return the reference at a time, ns."""
        if self._motion is None:
            return self._rest
        return self._motion.at((now - self._begun) * 1e-9)

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, N m or N."""
        return cartesian_impedance(
            self._robot,
            state.q,
            state.v,
            self.frame,
            self.at(state.stamp),
            self._posture,
            self._gains,
        )
