"""Efforts of robots that move smoothly, as a check of a model gets them: all at once, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_ros.analysis.check_records import PAYLOAD, Sample
from robodyn_ros.analysis.model_check import CheckReport, ModelCheck
from robodyn_ros.analysis.payload_columns import FrameMotion, payload_columns
from robodyn_ros.analysis.tool_frames import tool_frames
from robodyn_ros.robot import Robot

PERIOD = 0.02


class Recorded:
    """A motion of a model in which every joint swings, and what its efforts ought to be.

    Attributes:
        q, v, a: (n, nv) the motion.
        frames: Where payloads are looked for.
    """

    def __init__(self, robot: Robot, *, seconds: float = 6.0, swing: float = 0.5) -> None:
        """Compute all that a check is told, at rest where `swing` is 0."""
        model = robot.model
        self.model, self.frames = model, tool_frames(model)
        t = np.arange(round(seconds / PERIOD))[:, None] * PERIOD
        rate = np.linspace(1.0, 2.6, model.nv)[(7 * np.arange(model.nv)) % model.nv]
        middle = np.linspace(-1.2, 1.0, model.nv)
        self.q = middle + swing * np.sin(rate * t)
        self.v = swing * rate * np.cos(rate * t)
        self.a = -swing * rate**2 * np.sin(rate * t)
        terms = robot.effort_terms(self.q, self.v, self.a)
        self.total, self.weight = terms.total, robot.gravity_force(self.q)
        bodies = robot.body_motion(self.q, self.v, self.a)
        self._payloads = np.zeros((len(t), len(self.frames), model.nv, PAYLOAD))
        for k, name in enumerate(self.frames):
            body, J = model.frame(name).body, robot.jacobian(self.q, name)
            for row in range(len(t)):
                motion = FrameMotion(
                    J[row],
                    bodies.rotation[row, body],
                    bodies.angular_velocity[row, body],
                    bodies.angular_acceleration[row, body],
                    bodies.linear_acceleration[row, body],
                )
                self._payloads[row, k] = payload_columns(motion, robot.gravity)[:, :PAYLOAD]

    def efforts(self, truth: Robot) -> np.ndarray:
        """Return the efforts (n, nv) that another robot needs for the same motion."""
        return truth.inverse_dynamics(self.q, self.v, self.a, friction=True)

    def check(self, **options: Any) -> ModelCheck:
        """Return a check of the model."""
        return ModelCheck(self.model, frames=self.frames, **options)

    def feed(self, check: ModelCheck, measured: np.ndarray, rows: slice = slice(None)) -> None:
        """Give a check rows of measured efforts (n, nv)."""
        computed = self.total - self.weight if check.compensated else self.total
        for k in range(len(self.q))[rows]:
            state = (self.weight[k], self.v[k], self.a[k], self._payloads[k])
            check.update(Sample(measured[k], computed[k], *state), PERIOD)

    def report(self, measured: np.ndarray, **options: Any) -> CheckReport:
        """Return what a check says of measured efforts (n, nv)."""
        check = self.check(**options)
        self.feed(check, measured)
        return check.report()
