"""A robot in the surroundings of a state path that only one feature touches.

Setters of the path's own robot belong to the node's executor; what is computed with every joint
state needs a base's motion and gravity of that very moment, in another thread.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import pose_in_world
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.model import Environment
from robodyn_ros.robot import Robot
from robodyn_ros.robot.run_time import base_motion_of

Floats = NDArray[np.float64]


class MeasuredRobot:
    """Follows the surroundings of one state path; whoever calls it holds the path's lock.

    Attributes:
        changes: Counts the changes of payloads and joint parameters.
        R_SW: (3, 3) from world axes to those that states of bodies are given in.
    """

    def __init__(self, path: StatePath) -> None:
        """Make a robot of the path's model."""
        self._path = path
        self._robot = Robot(path.robot.model, compile=path.robot.compile_mode)
        self._seen: Environment | None = None
        self._gravity: Floats = np.full(3, np.nan)
        self._moves = path.robot.model.base == "prescribed"
        self.changes = 0
        frame = path.plan.seen_from
        self.R_SW: Floats = np.eye(3)
        if frame:
            self.R_SW = np.asarray(pose_in_world(path.robot.model, frame)[0]).T

    def ask_for(self, *names: str) -> bool:
        """Ask for kernels of operations by name, in the form of the moment; True where all are."""
        return self._robot.compile(*names, wait=False)

    def now(self) -> Robot:
        """Return the robot as the path's is surrounded now."""
        path = self._path
        environment = path.robot.environment
        changed = environment is not self._seen
        if changed or self._moves or not np.array_equal(path.gravity, self._gravity):
            self._gravity = np.array(path.gravity)
            around = environment.with_gravity(self._gravity)
            if self._moves:
                motion = base_motion_of(path.rest.base_motion.copy())
                around = around.with_base_motion(motion)
            self._robot.environment = around
        if changed:
            self.changes += self._differs(environment)
            self._seen = environment
        return self._robot

    def _differs(self, environment: Environment) -> bool:
        """Return whether more than gravity and the base's motion are others than before."""
        seen = self._seen
        return (
            seen is None
            or environment.payloads != seen.payloads
            or environment.joint_parameters is not seen.joint_parameters
        )
