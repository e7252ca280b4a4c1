"""The hardware that parameters describe: how it is simulated, and what is wrong with it."""

from __future__ import annotations

import math
from typing import Any

from robodyn_ros.cosimulation.model_errors import ModelErrors
from robodyn_ros.cosimulation.sensors import Sensors
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.ros.parameters import Parameters

_NUMBERS = (
    "step",
    "limit_time_constant",
    "limit_damping_ratio",
    "servo_frequency",
    "servo_damping_ratio",
    "effort_timeout",
)
_FLAGS = (
    "friction",
    "limits",
    "effort_limits",
    "contacts",
    "servo_gravity_compensation",
    "hold_after_timeout",
)
_ENDLESS = 1e6


def settings_of(config: Parameters) -> Settings:
    """Return how the robot is simulated.

    Raises:
        ArgumentError: a parameter by name that cannot be used.
    """
    options: dict[str, Any] = {name: config.number(name) for name in _NUMBERS}
    options |= {name: bool(config[name]) for name in _FLAGS}
    errors = ModelErrors(
        mass_factor=config.number("mass_factor"),
        mass_factors=_given(config, "mass_factors", 0.01),
        damping=config.number("extra_damping"),
        dampings=_given(config, "extra_dampings", 0.0),
        friction=config.number("extra_friction"),
        frictions=_given(config, "extra_frictions", 0.0),
        command_delay=config.number("command_delay"),
        state_delay=config.number("state_delay"),
    )
    return Settings(integrator=config.text("integrator"), errors=errors, **options)


def sensors_of(config: Parameters) -> Sensors:
    """Return what the sensors make of states."""
    return Sensors(
        position_noise=config.number("position_noise"),
        velocity_noise=config.number("velocity_noise"),
        effort_noise=config.number("effort_noise"),
        encoder_resolution=config.number("encoder_resolution"),
        dropped_share=config.number("dropped_states"),
        nan_share=config.number("nan_states"),
        seed=int(config.number("seed")),
    )


def names_listed(text: str) -> tuple[str, ...]:
    """Return the names in a text, separated by commas."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def _given(config: Parameters, prefix: str, least: float) -> dict[str, float]:
    """Return the numbers that were given at start-up as `prefix`.NAME."""
    found: dict[str, float] = {}
    for name, value in config.given(prefix).items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (is_number and math.isfinite(value) and least <= value <= _ENDLESS):  # type: ignore[arg-type,operator]
            raise ArgumentError(
                f"{prefix}.{name} must be a number from {least:g} to {_ENDLESS:g}, got"
                f" {quoted(value)}"
            )
        found[name] = float(value)  # type: ignore[arg-type]
    return found
