"""The true motion, and what every stamp that was sent stands for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.robot import Robot
from robodyn_ros.ros.demo_motion import SmoothMotion

Floats = NDArray[np.float64]
PERIOD = 8.0
"""Seconds of the slowest swing."""
_AMPLITUDE = 0.3
_MARGIN = 1.2


class Label(NamedTuple):
    """What a stamp stood for.

    Attributes:
        time: Time of the motion, s.
        lag: By how much the node may take the motion for an older one, s.
        slope_lag: The same of its velocities, where it has to derive them.
    """

    time: float
    lag: float = 0.0
    slope_lag: float = 0.0


class Truth:
    """Where every body really is.

    Attributes:
        names: Joints of the robot.
        body_names: Its bodies.
        speed, turn: Highest speeds of any body, m/s and rad/s.
        push, spin: Highest accelerations, m/s^2 and rad/s^2.
    """

    def __init__(self, robot: Robot, seed: int) -> None:
        """Plan a motion of all joints."""
        self._robot = robot
        self._motion = SmoothMotion(robot.model, amplitude=_AMPLITUDE, period=PERIOD, seed=seed)
        self.names = self._motion.names
        if self.names != tuple(robot.model.joint_names):
            raise SystemExit("the soak wants a robot whose joints have one coordinate each")
        self.body_names = tuple(robot.model.body_names)
        times = np.arange(0.0, 10.0 * PERIOD, 0.05)
        motion = self._evaluated(times)
        self.speed, self.turn, self.push, self.spin = (
            _MARGIN * float(np.linalg.norm(x, axis=-1).max())
            for x in (
                motion.linear_velocity,
                motion.angular_velocity,
                motion.linear_acceleration,
                motion.angular_acceleration,
            )
        )

    def joints(self, time: float) -> tuple[list[float], list[float]]:
        """Return positions and velocities of all joints."""
        sample = self._motion.at(time)
        return sample.position.tolist(), sample.velocity.tolist()

    def bodies(self, times: list[float]) -> tuple[Floats, Floats, Floats]:
        """Return positions, rotation matrices and twists (linear, angular) of all bodies."""
        motion = self._evaluated(np.array(times))
        twists = np.concatenate([motion.linear_velocity, motion.angular_velocity], axis=-1)
        return motion.position, motion.rotation, twists

    def _evaluated(self, times: Floats):
        samples = [self._motion.at(float(time)) for time in times]
        return self._robot.body_motion(
            np.array([x.position for x in samples]),
            np.array([x.velocity for x in samples]),
            np.array([x.acceleration for x in samples]),
        )
