"""What a controller does in the place of its law when something is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.commanded import Commanded
from robodyn_ros.control.faults import SafeForm
from robodyn_ros.control.gravity_compensation import gravity_compensation
from robodyn_ros.control.lost_payload import lost_share
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
    """Holds the weight, or a position.

    Attributes:
        lost: Share of the payloads that is not there any more, as far as residuals tell.
    """

    def __init__(
        self, robot: Robot, unloaded: Robot, gains: SafeGains, commanded: Commanded
    ) -> None:
        """Take the robot, the same without payloads, the gains and what is commanded.

        Springs and damping go by the inertia without payloads, which is never more than the truth:
        one that is lost does not make them too stiff for the loop's delay.
        """
        self._robot, self._unloaded = robot, unloaded
        self._gains, self._commanded = gains, commanded
        self._held: Floats | None = None
        self.lost = 0.0

    def begin(self, state: RobotState) -> None:
        """Hold where the robot is, if a position is to be held."""
        self._held, self.lost = state.q.copy(), 0.0

    def effort(
        self, state: RobotState, form: SafeForm, *, fresh: bool, residual: Floats | None = None
    ) -> Floats:
        """Return the efforts (nv,) of a form at a state, N m or N.

        Where the state is not fresh, whatever depends on where the robot is by now is left out, and
        the weight is held where it was last.

        Args:
            state: Of the robot.
            form: What is held.
            fresh: Whether the state came just now.
            residual: (n,) what measured efforts of commanded joints do not explain, N m or N: the
                weight of a payload that is lost is not held any more.
        """
        missing = self._missing(state, residual)
        if not fresh:
            return self._robot.gravity_force(state.q) - missing
        return self._whole(state, form) - missing

    def _missing(self, state: RobotState, residual: Floats | None) -> Floats | float:
        """Return the efforts (nv,) that held payloads which are lost."""
        if not self._robot.environment.payloads:
            return 0.0
        if residual is None and not self.lost:
            return 0.0
        carried = self._robot.gravity_force(state.q) - self._unloaded.gravity_force(state.q)
        if residual is not None:
            column, limit = self._commanded.column, self._commanded.limit
            self.lost = lost_share(carried[column], residual, limit)
        return self.lost * carried

    def _whole(self, state: RobotState, form: SafeForm) -> Floats:
        """Return the efforts (nv,) of a form if no payload is lost."""
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
