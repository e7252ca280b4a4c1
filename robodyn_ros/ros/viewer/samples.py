"""Messages about a robot as arrays in the model's order; what does not fit is left out.

They may come from anybody: names that the robot does not have, lists of wrong lengths and numbers
that are none cost no more than their own place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model
from robodyn_ros.viewer.panel_plots import EffortSample, MotionSample

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_FIELDS = (
    *("gravity", "coriolis", "inertial", "friction", "armature", "payload", "external"),
    *("effort", "measured"),
)
"""Fields of a JointDynamics in the order of `panel_plots.TERMS`."""
MOST_NAMES = 10_000
"""Coordinates or bodies of a message; one with more is not used."""


class Bodies(NamedTuple):
    """The motion of all bodies of a model at one instant, world axes; NaN where nothing is known.

    Attributes:
        time: Stamp, s.
        frame: The world frame.
        position: (nb, 3) m.
        quaternion: (nb, 4) xyzw.
        velocity: (nb, 6) linear m/s, then angular rad/s.
        acceleration: (nb, 6) linear m/s^2, then angular rad/s^2.
        valid: (nb,) whether it is to be trusted.
        told: (nb,) which bodies the message has.
    """

    time: float
    frame: str
    position: Floats
    quaternion: Floats
    velocity: Floats
    acceleration: Floats
    valid: Flags
    told: Flags

    def motion(self, model: Model) -> MotionSample:
        """Return what plots and tables show of it."""
        rows = np.flatnonzero(self.told)
        return MotionSample(
            self.time,
            tuple(model.body_names[row] for row in rows),
            self.position[rows],
            self.velocity[rows],
            self.acceleration[rows],
        )


def seconds(stamp: Any) -> float:
    """Return a stamp in s."""
    return float(stamp.sec) + 1e-9 * float(stamp.nanosec)


def bodies_of(message: Any, model: Model) -> Bodies:
    """Return what a BodyStateArray says of a model's bodies."""
    places = {name: row for row, name in enumerate(model.body_names)}
    rows = np.full((model.nb, 19), np.nan)
    valid, told = np.zeros(model.nb, dtype=bool), np.zeros(model.nb, dtype=bool)
    for state in message.bodies:
        row = places.get(state.name)
        if row is not None:
            rows[row] = _numbers(state)
            valid[row], told[row] = state.valid, True
    if model.base != "fixed" and not told[0]:  # the world itself
        rows[0], rows[0, 6] = 0.0, 1.0
        valid[0] = True
    return Bodies(
        seconds(message.header.stamp),
        str(message.header.frame_id),
        rows[:, :3],
        rows[:, 3:7],
        rows[:, 7:13],
        rows[:, 13:],
        valid & np.isfinite(rows[:, :7]).all(axis=1),
        told,
    )


def _numbers(state: Any) -> tuple[float, ...]:
    at, turn = state.pose.position, state.pose.orientation
    twist, accel = state.twist, state.acceleration
    return (
        *(at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w),
        *(twist.linear.x, twist.linear.y, twist.linear.z),
        *(twist.angular.x, twist.angular.y, twist.angular.z),
        *(accel.linear.x, accel.linear.y, accel.linear.z),
        *(accel.angular.x, accel.angular.y, accel.angular.z),
    )


def efforts_of(message: Any) -> EffortSample | None:
    """Return what a JointDynamics says; None where its lists are of different lengths."""
    names = tuple(message.names)
    count = len(names)
    fields = ("position", "velocity", "acceleration", "residual", *_FIELDS)
    columns = {field: np.asarray(getattr(message, field), dtype=np.float64) for field in fields}
    if count > MOST_NAMES or any(len(column) != count for column in columns.values()):
        return None
    terms = np.stack([columns[field] for field in _FIELDS], axis=1)
    valid = np.asarray(message.valid, dtype=bool)
    if len(valid) == count:  # what is computed of an unknown state is worth nothing
        terms[~valid, :-1] = np.nan
        columns["residual"][~valid] = np.nan
    return EffortSample(
        time=seconds(message.header.stamp),
        names=names,
        position=columns["position"],
        velocity=columns["velocity"],
        acceleration=columns["acceleration"],
        terms=terms,
        residual=columns["residual"],
        kinetic=float(message.kinetic_energy),
        potential=float(message.potential_energy),
    )


def positions_of(message: Any) -> Mapping[str, float]:
    """Return the positions in a JointState by name, those that are finite."""
    if len(message.position) != len(message.name):
        return {}
    pairs = zip(message.name, message.position, strict=True)
    return {name: float(x) for name, x in pairs if math.isfinite(x)}


class Drive(NamedTuple):
    """What a simulator says of itself.

    Attributes:
        time: Simulated time, s.
        paused: Whether it stands still.
        target: Real-time factor that is asked for; 0 for as fast as possible.
        factor: Real-time factor over the last second.
        trouble: What keeps it from moving; "" for nothing.
        held: The commanded position of the coordinates that have one, rad or m.
    """

    time: float
    paused: bool
    target: float
    factor: float
    trouble: str
    held: Mapping[str, float]


def drive_of(message: Any) -> Drive:
    """Return what a SimulatorStatus says; lists of different lengths are not used."""
    names = list(message.names)
    fits = len(names) == len(message.mode) == len(message.command) <= MOST_NAMES
    rows = zip(names, message.mode, message.command, strict=True) if fits else ()
    held = {
        name: float(command)
        for name, mode, command in rows
        if mode == message.POSITION and math.isfinite(command)
    }
    return Drive(
        time=seconds(message.header.stamp),
        paused=bool(message.paused),
        target=float(message.target_real_time_factor),
        factor=float(message.real_time_factor),
        trouble=str(message.trouble),
        held=held,
    )


def markers_of(message: Any, model: Model) -> tuple[Floats, Floats, Floats]:
    """Return value, rate and acceleration (n, 3) of a model's markers; NaN where not known."""
    places = {marker.name: row for row, marker in enumerate(model.markers)}
    found = np.full((3, len(places), 3), np.nan)
    for state in message.markers:
        row = places.get(state.name)
        if row is not None and state.valid:
            for part, vector in enumerate((state.value, state.rate, state.acceleration)):
                found[part, row] = vector.x, vector.y, vector.z
    return found[0], found[1], found[2]
