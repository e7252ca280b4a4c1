"""What a simulation is asked for, checked: its times, and the state that it begins with."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, quoted

Floats = NDArray[np.float64]

MOST_STEPS = 1_000_000
"""Output steps of one trajectory at most."""


def checked_times(duration: float, step: float) -> Floats:
    """Return the times of the states."""
    for name, value in (("duration", duration), ("step", step)):
        if not isinstance(value, (int, float)) or not (0.0 < value < math.inf):
            raise ArgumentError(f"{name} must be a positive number of seconds, got {quoted(value)}")
    count = math.floor(duration / step * (1.0 + 1e-12))
    if not 1 <= count <= MOST_STEPS:
        raise ArgumentError(
            f"duration {duration:g} s in steps of {step:g} s makes {count} steps; it must be 1 to"
            f" {MOST_STEPS}"
        )
    return step * np.arange(count + 1, dtype=np.float64)


def checked_state(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return an initial state's part, checked."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != shape or not np.all(np.isfinite(array)):
        raise ArgumentError(f"{name} must be {shape[0]} finite numbers, got {quoted(array)}")
    return array
