"""What motors do: commanded efforts, and servos that hold a velocity or a position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.constraints.dynamics import motors as motors_of
from robodyn_ros.constraints.newton import position_bounds
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model
from robodyn_ros.simulation.resistance import Servos
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]


class CommandMode(IntEnum):
    """How a coordinate is driven."""

    FREE = 0
    EFFORT = 1
    VELOCITY = 2
    POSITION = 3


_BASE_RATES = 6
_OFF = 1e-3
"""rad or m off its target at which a servo still overcomes Coulomb friction."""
_SLOW = 0.01
"""rad/s or m/s, likewise of velocities."""
_SHARE = 0.01
"""Share of a velocity that damping may cost."""
_UNITS = {
    CommandMode.EFFORT: "efforts",
    CommandMode.VELOCITY: "velocities",
    CommandMode.POSITION: "positions",
}


class Motors:
    """The motors of a robot, their commands and servo gains.

    Attributes:
        names: coordinates that have a motor, in the model's order.
        lower: (len(names),) lowest position of each, -inf where there is none.
        upper: (len(names),) highest, likewise.
        modes: (nv,) a `CommandMode` for each coordinate.
        targets: (nv,) the command of each, 0 where it is free.
        stiffness: (nv,) of servos, N m/rad or N/m.
        damping: (nv,) of servos that hold positions, N m s/rad or N s/m.
        grip: (nv,) of servos that hold velocities, likewise.
        most: (nv,) effort limits, inf where there is none.
        effort: (nv,) commanded efforts, within their limits.
    """

    def __init__(self, model: Model) -> None:
        """Begin with all coordinates free."""
        self._model = model
        self._columns = _driven(model)
        names = model.coordinate_names
        self.names = tuple(names[k] for k in self._columns)
        columns = list(self._columns)
        self._lower, self._upper = position_bounds(model)
        self.lower, self.upper = self._lower[columns], self._upper[columns]
        self.modes: NDArray[np.uint8] = np.zeros(model.nv, dtype=np.uint8)
        self.targets: Floats = np.zeros(model.nv)
        self.stiffness: Floats = np.zeros(model.nv)
        self.damping: Floats = np.zeros(model.nv)
        self.grip: Floats = np.zeros(model.nv)
        self.most = _effort_limits(model)
        self.effort: Floats = np.zeros(model.nv)
        self._places = model.rate_places
        self._servos: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._moving: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)

    def command(self, mode: CommandMode, names: Sequence[str], values: ArrayLike) -> None:
        """Drive coordinates by name; all or none of them.

        Raises:
            UnknownNameError: a coordinate that does not exist, or follows another one.
            ArgumentError: one without a motor, a wrong number of values, or one that is not finite.
        """
        columns = self.columns(names)
        numbers = real_array(_UNITS[mode], values)
        if numbers.shape != (len(columns),):
            raise ArgumentError(
                f"{_UNITS[mode]} must be {len(columns)} numbers, one for each name, got shape"
                f" {numbers.shape}"
            )
        for name, number in zip(names, numbers.tolist(), strict=True):
            if not np.isfinite(number):
                raise ArgumentError(f"the command of {quoted(name)} must be finite, got {number}")
        if mode is CommandMode.POSITION:
            for column in columns:
                if self._places[column] < 0:
                    raise ArgumentError(
                        f"{quoted(self._model.coordinate_names[column])} is a turn of a joint with"
                        " a quaternion and has no position of its own; command its velocity or"
                        " effort"
                    )
            numbers = np.clip(numbers, self._lower[columns], self._upper[columns])
        self.modes[columns] = mode
        self.targets[columns] = numbers
        self._sort()

    def release(self, names: Iterable[str] | None = None) -> None:
        """Let coordinates go, by default all."""
        columns = slice(None) if names is None else self.columns(list(names))
        self.modes[columns] = CommandMode.FREE
        self.targets[columns] = 0.0
        self._sort()

    def columns(self, names: Sequence[str]) -> list[int]:
        """Return the entries of v of coordinates that have a motor."""
        if isinstance(names, str):
            raise ArgumentError(f"names must be a list of coordinates, got the text {names!r}")
        found = [self._column(name) for name in names]
        twice = {name for name in names if list(names).count(name) > 1}
        if twice:
            raise ArgumentError(f"coordinate {quoted(min(twice))} is named twice")
        return found

    def gains(
        self,
        felt: tuple[Floats, Floats, Floats],
        frequency: float,
        ratio: float,
        stiffness: Mapping[str, float] | None,
        damping: Mapping[str, float] | None,
    ) -> None:
        """Set the servos' gains from what they feel, and those that are given by name.

        `felt` are inertia, damping and Coulomb friction (nv,) of each coordinate.
        """
        inertia, viscous, coulomb = felt
        turns = 2.0 * np.pi * frequency
        self.stiffness = np.maximum(inertia * turns**2, coulomb / _OFF)
        self.damping = 2.0 * ratio * np.sqrt(inertia * self.stiffness)
        self.grip = np.maximum(self.damping, coulomb / _SLOW + viscous / _SHARE)
        for what, given, gains in (
            ("servo_stiffness", stiffness, self.stiffness),
            ("servo_damping", damping, self.damping),
        ):
            for name, value in ({} if given is None else given).items():
                number = real_array(f"{what} of {quoted(name)}", value)
                if number.shape or not 0.0 <= number < np.inf:
                    raise ArgumentError(
                        f"{what} of {quoted(name)} must be a number from 0 on, got {quoted(value)}"
                    )
                gains[self._column(name)] = number
        columns = [self._column(name) for name in damping or {}]
        self.grip[columns] = self.damping[columns]

    def servos(self, q: Floats, step: float, load: Floats | None) -> Servos | None:
        """Return the servos in a step that begins at q (nq,), None where there are none.

        `load` (nv,) are efforts that they give in any case, against gravity.
        """
        rows = self._servos
        if not len(rows):
            return None
        stiffness = self.stiffness[rows] * self._moving
        damping = np.where(self._moving, self.damping[rows], self.grip[rows])
        targets = self.targets[rows]
        constant = np.where(
            self._moving, stiffness * (targets - q[self._places[rows]]), damping * targets
        )
        if load is not None:
            constant += load[rows]
        return Servos(rows, constant, stiffness * step + damping, self.most[rows])

    @property
    def are_servos_on(self) -> bool:
        """Whether any servo is on."""
        return len(self._servos) > 0

    def _sort(self) -> None:
        efforts = np.where(self.modes == CommandMode.EFFORT, self.targets, 0.0)
        self.effort = np.clip(efforts, -self.most, self.most)
        self._servos = np.flatnonzero(self.modes >= CommandMode.VELOCITY)
        self._moving = self.modes[self._servos] == CommandMode.POSITION

    def _column(self, name: str) -> int:
        names = self._model.coordinate_names
        if name not in names:
            joints = {joint.name: joint for _, joint in self._model.moving}
            if isinstance(name, str) and name in joints and joints[name].is_follower:
                self._model.own_joint(name)  # names the driver
            raise UnknownNameError.among("coordinate", name, self.names)
        column = names.index(name)
        if column not in self._columns:
            listed = ", ".join(map(quoted, self.names)) or "none"
            why = (
                "belongs to the floating base"
                if self._model.base == "floating" and column < _BASE_RATES
                else "is passive"
            )
            raise ArgumentError(
                f"coordinate {quoted(name)} {why}: it has no motor; those that have one: {listed}"
            )
        return column


def _driven(model: Model) -> tuple[int, ...]:
    """Return the entries of v that have a motor."""
    if model.is_closed:
        return tuple(sorted(motors_of(model)))
    return tuple(range(_BASE_RATES if model.base == "floating" else 0, model.nv))


def _effort_limits(model: Model) -> Floats:
    most = np.full(model.nv, np.inf)
    for joint in model.own_joints:
        for k, limits in enumerate(joint.rate_limits):
            if limits.effort is not None:
                most[joint.v_index + k] = limits.effort
    return most
