"""Samples for a check of the model, from a state path and the efforts behind its motion."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.check_records import PAYLOAD, Sample
from robodyn_ros.analysis.model_check import ModelCheck
from robodyn_ros.analysis.payload_columns import FrameMotion, payload_columns
from robodyn_ros.analysis.tool_frames import tool_frames
from robodyn_ros.conditioning.dynamics_step import DynamicsBlock, Efforts
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.ros.joint_dynamics import Measured
from robodyn_ros.ros.measured_robot import MeasuredRobot
from robodyn_ros.spatial import cross, quaternion_to_matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

PERIOD = 0.02
"""Seconds between two samples: what is looked for does not need more."""
_GRAVITY, _TOTAL, _PAYLOAD_WEIGHT = (
    Efforts._fields.index(name) for name in ("gravity", "total", "payload_weight")
)
_ANGULAR_VELOCITY, _LINEAR_ACCELERATION, _ANGULAR_ACCELERATION = 10, 13, 16
"""Columns of a body's motion; see `conditioning.state_step`."""


class CheckSampler:
    """Feeds a check; whoever calls it holds the path's lock.

    Attributes:
        check: The check.
        dynamics: Efforts of the path.
        stamp: Time of the last sample, ns; None before the first.
    """

    def __init__(
        self, dynamics: PathDynamics, frames: Sequence[str], window: float, measured: Measured
    ) -> None:
        """Begin.

        Args:
            dynamics: Efforts of the path.
            frames: Frames that payloads are looked for on; none for the last links.
            window: In which the check forgets, s.
            measured: What measured efforts are.

        Raises:
            UnknownNameError: no such frame.
        """
        model = dynamics.path.robot.model
        # What a payload adds to the motors of a closed mechanism is another matter.
        chosen = () if model.is_closed else tuple(frames) or tool_frames(model)
        try:
            self.check = ModelCheck(model, window=window, frames=chosen)
        except UnknownNameError as error:
            raise UnknownNameError(f"model_check_frames: {error}") from None
        self.dynamics = dynamics
        self._robot = MeasuredRobot(dynamics.path)
        self._places = [model.frame(name) for name in self.check.frames]
        self._changes = 0
        self.stamp: int | None = None
        self.take(measured)

    def take(self, measured: Measured) -> None:
        """Take what is said of measured efforts now."""
        path = self.dynamics.path
        self._measured = measured
        self._raw: Flags = measured.factor == 0.0
        raw = np.zeros(path.robot.model.nv, dtype=bool)
        raw[path.plan.v_index[self._raw]] = True
        if measured.driver_compensates_gravity is not self.check.compensated:
            self.check.compensated = measured.driver_compensates_gravity
        if not np.array_equal(raw, self.check.raw):
            self.check.raw = raw
        self.check.reset()

    def ask_for_kernels(self) -> bool:
        """Ask for the kernels that are used; True where all are there."""
        self._robot.now()
        if not self._places:
            return True
        return self._robot.ask_for(*(f"jacobian:{place.name}" for place in self._places))

    def is_due(self, stamp: int) -> bool:
        """Return whether a state at a stamp in ns is to be compared."""
        return self.stamp is None or not 0.0 <= (stamp - self.stamp) * 1e-9 < PERIOD

    def update(self, stamp: int, block: DynamicsBlock) -> None:
        """Compare the state of the path at a stamp in ns.

        Args:
            stamp: Its time.
            block: The efforts behind it.
        """
        dt = math.inf if self.stamp is None else (stamp - self.stamp) * 1e-9
        self.stamp = stamp
        robot = self._robot.now()
        if self._robot.changes != self._changes:
            self._changes = self._robot.changes
            self.check.reset()
        path, efforts = self.dynamics.path, block.efforts
        result = path.result
        weight = efforts[_GRAVITY] + efforts[_PAYLOAD_WEIGHT]
        computed = np.where(self.dynamics.valid(stamp), efforts[_TOTAL], np.nan)
        if self.check.compensated:
            computed = computed - weight
        payloads: Floats = np.zeros((len(self._places), len(weight), PAYLOAD))
        if self._places:
            bodies, gravity = path.bodies(), self._robot.R_SW @ robot.gravity
            for k, place in enumerate(self._places):
                J_WF = np.asarray(robot.jacobian(result.q, place.name))
                motion = self._motion(bodies[place.body], place.rotation, place.position, J_WF)
                payloads[k] = payload_columns(motion, gravity)[:, :PAYLOAD]
        sample = Sample(self._reported(stamp), computed, weight, result.v, result.a, payloads)
        self.check.update(sample, dt)

    def _motion(self, row: Floats, R_BF: Floats, p_BF: Floats, J_WF: Floats) -> FrameMotion:
        """Return the motion of a frame, of the motion of its body."""
        R_SB = quaternion_to_matrix(row[3:7])
        w, a, dw = (
            row[k : k + 3] for k in (_ANGULAR_VELOCITY, _LINEAR_ACCELERATION, _ANGULAR_ACCELERATION)
        )
        arm = R_SB @ p_BF
        J_SF = np.concatenate([self._robot.R_SW @ J_WF[:3], self._robot.R_SW @ J_WF[3:]])
        return FrameMotion(J_SF, R_SB @ R_BF, w, dw, a + cross(dw, arm) + cross(w, cross(w, arm)))

    def _reported(self, stamp: int) -> Floats:
        """Return measured efforts (nv,), as they were sent where their unit is not known."""
        path = self.dynamics.path
        factor = np.where(self._raw, 1.0, self._measured.factor)
        return self.dynamics.measured.by_coordinate(
            factor, path.plan.v_index, path.model.nv, stamp, path.stale_after
        )
