"""How a robot is simulated in MuJoCo."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from robodyn_ros.cosimulation.model_errors import ModelErrors, require
from robodyn_ros.errors import ArgumentError, quoted

INTEGRATORS = ("implicitfast", "implicit", "euler", "rk4")
"""MuJoCo's, as its documentation calls them."""


@dataclass(frozen=True)
class Settings:
    """Settings of a simulation.

    Attributes:
        step: of time, s.
        integrator: one of `INTEGRATORS`.
        friction: whether damping and Coulomb friction of the joints act.
        limits: whether joints stop at their limits.
        limit_time_constant: s, in which a joint comes back from beyond a limit.
        limit_damping_ratio: of limits; 1 for those that do not throw back.
        effort_limits: whether efforts are cut to the motors' limits.
        contacts: whether shapes touch.
        servo_frequency: Hz of servos, from the inertia of each coordinate at the beginning.
        servo_damping_ratio: of servos.
        servo_gravity_compensation: whether servos hold the robot's weight.
        effort_timeout: s after which efforts end unless they are commanded anew; 0 for never.
        hold_after_timeout: whether servos hold the robot where it is then; else it is let go.
        errors: deliberate differences to the description.
    """

    step: float = 1e-3
    integrator: str = "implicitfast"
    friction: bool = True
    limits: bool = True
    limit_time_constant: float = 0.02
    limit_damping_ratio: float = 1.0
    effort_limits: bool = True
    contacts: bool = False
    servo_frequency: float = 5.0
    servo_damping_ratio: float = 1.0
    servo_gravity_compensation: bool = True
    effort_timeout: float = 0.0
    hold_after_timeout: bool = False
    errors: ModelErrors = field(default_factory=ModelErrors)

    def __post_init__(self) -> None:
        """Look at the values.

        Raises:
            ArgumentError: one that cannot be used.
        """
        positive = (
            "step",
            "limit_time_constant",
            "limit_damping_ratio",
            "servo_frequency",
            "servo_damping_ratio",
        )
        for name in positive:
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and 0.0 < value < math.inf):
                raise ArgumentError(f"{name} must be a positive number, got {quoted(value)}")
        require("effort_timeout", self.effort_timeout)
        if self.integrator not in INTEGRATORS:
            raise ArgumentError(
                f"integrator must be one of {', '.join(INTEGRATORS)}, got {quoted(self.integrator)}"
            )

    def steps(self, duration: float) -> int:
        """Return how many whole steps are nearest to a time in s."""
        return round(duration / self.step)
