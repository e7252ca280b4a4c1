"""What a controller does in the place of its law when something is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.computed_torque import computed_torque
from robodyn_ros.control.faults import SafeForm
from robodyn_ros.control.gravity_compensation import gravity_compensation
from robodyn_ros.control.reference import JointReference
from robodyn_ros.control.state import RobotState
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SafeGains:
    """Gains of safe forms.

    Attributes:
        frequency: Natural frequency of hold_position, rad/s, critically damped.
        damping_rate: Of hold_gravity, 1/s.
    """

    frequency: float
    damping_rate: float


class SafeLaw:
    """Holds the weight, or a position."""

    def __init__(self, robot: Robot, gains: SafeGains) -> None:
        """Take the robot and the gains."""
        self._robot = robot
        self._gains = gains
        self._held: JointReference | None = None

    def begin(self, state: RobotState) -> None:
        """Hold where the robot is, if a position is to be held."""
        self._held = JointReference.at_rest(state.q.copy(), self._robot.model.nv)

    def effort(self, state: RobotState, form: SafeForm, *, fresh: bool) -> Floats:
        """Return the efforts (nv,) of a form at a state, N m or N.

        Where the state is not fresh, whatever depends on where the robot is by now is left out, and
        the weight is held where it was last.
        """
        if not fresh:
            return self._robot.gravity_force(state.q)
        gains = self._gains
        if form is SafeForm.HOLD_POSITION and self._held is not None:
            return computed_torque(self._robot, state.q, state.v, self._held, gains.frequency, 1.0)
        return gravity_compensation(self._robot, state.q, state.v, 0.0, gains.damping_rate)
