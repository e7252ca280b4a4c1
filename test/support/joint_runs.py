"""Whole recordings of joints through the conditioner: arrays (T, n), a column per joint."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from robodyn_ros.conditioning.conditioner import (
    Control,
    Samples,
    blank_memory,
    condition,
    shown,
)


class Run(NamedTuple):
    """What was shown after each message, (T, n) each."""

    position: np.ndarray
    position_ok: np.ndarray
    velocity: np.ndarray
    velocity_ok: np.ndarray
    acceleration: np.ndarray

    @property
    def usable(self) -> np.ndarray:
        """Return where (T, n) position and velocity are both good."""
        return (self.position_ok > 0.0) & (self.velocity_ok > 0.0)


def run(
    times: np.ndarray,
    position: np.ndarray | None = None,
    velocity: np.ndarray | None = None,
    *,
    time_constant: float = 0.02,
    message_velocity: bool = True,
    gate: bool = True,
    wraps: bool = False,
) -> Run:
    """Send positions, velocities or both, one message a row, to joints that nobody knew before."""
    given = position if position is not None else velocity
    assert given is not None
    count = given.shape[1]
    nothing = np.zeros(given.shape)
    memory, ends = blank_memory(np.zeros(count)), np.full(count, float(wraps))
    flags = (
        np.full(count, float(position is not None)),
        np.full(count, float(velocity is not None)),
    )
    position = nothing if position is None else position
    velocity = nothing if velocity is None else velocity
    rows = []
    for time, x, v in zip(times, position, velocity, strict=True):
        control = Control(time, time_constant, float(message_velocity), 1.0, float(gate))
        result = condition(memory, Samples(x, v, *flags), control, ends)
        memory = result.memory
        state = shown(memory)
        rows.append(
            (
                state.position,
                state.position_ok,
                state.velocity,
                state.velocity_ok,
                result.acceleration,
            )
        )
    return Run(*(np.array(column) for column in zip(*rows, strict=True)))


def motion(kind: str, times: np.ndarray, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and velocities (T, count) of joints that rest, turn, swing or ramp.

    Speeds are at most 3 rad/s and accelerations at most 15 rad/s^2; "profile" has trapezoids and
    triangles of velocity, so that the acceleration jumps by 15 and by 30 rad/s^2.
    """
    rng = np.random.default_rng(seed)
    start, t = rng.uniform(-3.0, 3.0, count), times[:, None]
    if kind == "rest":
        return np.tile(start, (len(t), 1)), np.zeros((len(t), count))
    if kind == "ramp":
        speed = rng.uniform(-3.0, 3.0, count)
        return start + speed * t, np.tile(speed, (len(t), 1))
    if kind == "swing":
        rate = rng.uniform(0.6, 6.0, count)
        reach = np.minimum(3.0 / rate, 12.0 / rate**2)
        return reach * np.sin(rate * t + start), reach * rate * np.cos(rate * t + start)
    assert kind == "profile"
    return _profile(times, count, rng)


def _profile(
    times: np.ndarray, count: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    hold = rng.uniform(0.2, 0.8, count)
    phase = np.floor((times[:, None] + rng.uniform(0.0, 1.0, count)) / hold) % 4
    target = np.choose(phase.astype(int), [3.0, -3.0, 0.0, 1.0])
    steps = np.diff(times, append=2.0 * times[-1] - times[-2])
    position, velocity = np.zeros((2, len(times), count))
    for k in range(1, len(times)):
        change = np.clip(target[k] - velocity[k - 1], -15.0 * steps[k], 15.0 * steps[k])
        velocity[k] = velocity[k - 1] + change
        position[k] = position[k - 1] + 0.5 * steps[k] * (velocity[k] + velocity[k - 1])
    return position, velocity


def disturbed(
    position: np.ndarray, velocity: np.ndarray, kind: str, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a sensor makes of a motion: as it is, with Gaussian noise, or in ticks."""
    rng = np.random.default_rng(seed)
    if kind == "noise":
        return (
            position + 1e-3 * rng.normal(size=position.shape),
            velocity + 2e-2 * rng.normal(size=velocity.shape),
        )
    if kind == "ticks":
        return np.round(position / 1.5e-3) * 1.5e-3, np.round(velocity / 0.024) * 0.024
    assert kind == "clean"
    return position, velocity
