"""Laws that have joints follow a trajectory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.computed_torque import computed_torque
from robodyn_ros.control.joint_follower import JointFollower
from robodyn_ros.control.joint_impedance import joint_impedance
from robodyn_ros.control.joint_pd import joint_pd
from robodyn_ros.control.state import RobotState
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


class ComputedTorqueLaw:
    """Computed torque along a trajectory; see `computed_torque`."""

    def __init__(
        self,
        robot: Robot,
        follower: JointFollower,
        frequency: Floats,
        damping_ratio: float,
        *,
        friction: bool,
    ) -> None:
        """Take the robot, the reference and the gains: ω (nv,) in rad/s, ζ."""
        self._robot = robot
        self.follower = follower
        self._gains = frequency, damping_ratio
        self._friction = friction

    def begin(self, state: RobotState) -> None:
        """Have the reference stand where the robot is."""
        self.follower.begin(state)

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, N m or N."""
        reference = self.follower.at(state)
        return computed_torque(
            self._robot, state.q, state.v, reference, *self._gains, friction=self._friction
        )


class JointPdLaw:
    """PD with gravity along a trajectory, to compare computed torque with; see `joint_pd`.

    Its gains are those of computed torque times each joint's own inertia where it began: for a
    joint that moves alone there, the same.
    """

    def __init__(
        self, robot: Robot, follower: JointFollower, frequency: Floats, damping_ratio: float
    ) -> None:
        """Take the robot, the reference and the gains: ω (nv,) in rad/s, ζ."""
        self._robot = robot
        self.follower = follower
        self._frequency, self._damping_ratio = frequency, damping_ratio
        self._stiffness: Floats = np.zeros(robot.model.nv)
        self._damping: Floats = np.zeros(robot.model.nv)

    def begin(self, state: RobotState) -> None:
        """Have the reference stand where the robot is, and set the gains."""
        inertia = np.diag(self._robot.mass_matrix(state.q))
        self._stiffness = inertia * self._frequency**2
        self._damping = 2.0 * self._damping_ratio * inertia * self._frequency
        self.follower.begin(state)

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, N m or N."""
        reference = self.follower.at(state)
        return joint_pd(self._robot, state.q, state.v, reference, self._stiffness, self._damping)


class JointImpedanceLaw:
    """Springs and dampers at the joints along a trajectory; see `joint_impedance`."""

    def __init__(
        self,
        robot: Robot,
        follower: JointFollower,
        stiffness: Floats,
        damping_ratio: float,
        fastest: float,
    ) -> None:
        """Take the robot, the reference and the gains: see `joint_impedance`."""
        self._robot = robot
        self.follower = follower
        self._gains = stiffness, damping_ratio, fastest

    def begin(self, state: RobotState) -> None:
        """Have the reference stand where the robot is."""
        self.follower.begin(state)

    def effort(self, state: RobotState) -> Floats:
        """Return the efforts (nv,) at a state, N m or N."""
        reference = self.follower.at(state)
        return joint_impedance(self._robot, state.q, state.v, reference, *self._gains)
