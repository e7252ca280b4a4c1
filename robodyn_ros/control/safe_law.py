"""What a controller does in the place of its law when something is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.faults import SafeForm
from robodyn_ros.control.gravity_compensation import gravity_compensation
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

    def __init__(self, robot: Robot, unloaded: Robot, gains: SafeGains) -> None:
        """Take the robot, the same without payloads, and the gains.

        Springs and damping go by the inertia without payloads, which is never more than the truth:
        one that is lost does not make them too stiff for the loop's delay.
        """
        self._robot, self._unloaded = robot, unloaded
        self._gains = gains
        self._held: Floats | None = None

    def begin(self, state: RobotState) -> None:
        """Hold where the robot is, if a position is to be held."""
        self._held = state.q.copy()

    def effort(self, state: RobotState, form: SafeForm, *, fresh: bool) -> Floats:
        """Return the efforts (nv,) of a form at a state, N m or N.

        Where the state is not fresh, whatever depends on where the robot is by now is left out, and
        the weight is held where it was last.
        """
        if not fresh:
            return self._robot.gravity_force(state.q)
        gains = self._gains
        if form is SafeForm.HOLD_POSITION and self._held is not None:
            error = self._robot.difference(state.q, self._held)
            omega = gains.frequency
            pull = omega * omega * error - 2.0 * omega * state.v
            held: Floats = self._robot.gravity_force(state.q)
            return held + self._unloaded.mass_matrix(state.q) @ pull
        return gravity_compensation(
            self._robot, state.q, state.v, 0.0, gains.damping_rate, unloaded=self._unloaded
        )
