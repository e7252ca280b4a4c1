"""The coordinates of a robot that a controller commands, in the order of its commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.constraints.newton import position_bounds
from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
_NAMED = 6
_FASTER = 2.0
"""Times its velocity limit that a joint may have to move: planners keep to the limit at most of the
points, and the first piece begins where the reference is, wherever that was planned."""
_BEYOND = 1e-3
"""rad or m by which motion may swing beyond a range between points."""


@dataclass(frozen=True)
class Commanded:
    """Commanded coordinates.

    Attributes:
        names: (n) of coordinates.
        column: (n,) entries of v.
        place: (n,) entries of q that go by their names.
        limit: (n,) effort limits, N m or N; NaN where none is known.
        lower, upper: (n,) ends of their ranges, infinite where there are none.
        fastest: (n,) velocity limits, rad/s or m/s; infinite where none is known.
        endless: (n,) which turn without end.
    """

    names: tuple[str, ...]
    column: Indices
    place: Indices
    limit: Floats
    lower: Floats
    upper: Floats
    fastest: Floats
    endless: NDArray[np.bool_]

    @classmethod
    def of(
        cls, model: Model, names: Sequence[str], limits: Mapping[str, float] | None = None
    ) -> Commanded:
        """Find coordinates by name.

        Args:
            model: A tree.
            names: In the order of commands; none for all that a motor can move.
            limits: Effort limits by name, N m or N, in place of the description's.

        Raises:
            UnknownNameError: a coordinate that there is not.
            ArgumentError: named twice, or not one that a number commands; a closed mechanism, or
                nothing that moves.
        """
        if model.is_closed:
            raise ArgumentError(
                f"robot {quoted(model.name)} is a closed mechanism: controllers serve trees"
            )
        places, known = model.rate_places, model.coordinate_names
        free = [k for k in range(model.nv) if places[k] >= 0]
        column = free if not names else [_column(model, name) for name in names]
        if not column:
            raise ArgumentError(
                f"robot {quoted(model.name)} has no joint that a number commands: nothing is there"
                " to control"
            )
        if len(set(column)) < len(column):
            twice = next(name for name in names if list(names).count(name) > 1)
            raise ArgumentError(f"coordinate {quoted(twice)} is named twice; name each once")
        for k in column:
            if places[k] < 0:
                raise ArgumentError(
                    f"{quoted(known[k])} is a turn of a joint with a quaternion: no number"
                    " commands it; leave it out"
                )
        lower, upper = position_bounds(model)
        described = _described_limits(model)
        given = limits or {}
        chosen = tuple(known[k] for k in column)
        limit = [given.get(name) or described[k] for name, k in zip(chosen, column, strict=True)]
        index = np.array(column, dtype=np.intp)
        return cls(
            chosen,
            index,
            places[index],
            np.array(limit, dtype=np.float64),
            lower[index],
            upper[index],
            _fastest(model)[index],
            _endless(model)[index],
        )

    @property
    def without_limit(self) -> tuple[str, ...]:
        """Names of those whose effort limit is not known."""
        return tuple(
            name for name, limit in zip(self.names, self.limit, strict=True) if not limit > 0.0
        )

    def indices(self, names: Sequence[str]) -> Indices:
        """Return the places of names among the commanded ones.

        Raises:
            UnknownNameError: one that is not commanded.
            ArgumentError: named twice.
        """
        for name in names:
            if name not in self.names:
                raise UnknownNameError.among("commanded joint", name, self.names)
        if len(set(names)) < len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            raise ArgumentError(f"joint {quoted(twice)} is named twice; name each once")
        return np.array([self.names.index(name) for name in names], dtype=np.intp)

    def require_range(self, rows: Indices, position: Floats) -> None:
        """Raise ArgumentError where positions (m, k) of some rows (k,) lie beyond their ranges."""
        beyond = (position < self.lower[rows]) | (position > self.upper[rows])
        if not beyond.any():
            return
        point, entry = np.argwhere(beyond)[0].tolist()
        row = rows[entry]
        raise ArgumentError(
            f"point {point} has {quoted(self.names[row])} at {position[point, entry]:.4g}, its"
            f" range is {self.lower[row]:.4g} to {self.upper[row]:.4g}"
        )

    def require_possible(
        self, rows: Indices, times: Floats, position: Floats, velocity: Floats
    ) -> None:
        """Raise ArgumentError where a motion between points is none that joints can make.

        Args:
            rows: (k,) which of the commanded coordinates.
            times: (m,) s.
            position: (m, k) rad or m; NaN where it does not matter.
            velocity: (m, k) rad/s or m/s.
        """
        fast = np.abs(velocity) > _FASTER * self.fastest[rows]
        if fast.any():
            at, entry = np.argwhere(fast)[0].tolist()
            raise ArgumentError(
                f"{quoted(self.names[rows[entry]])} would have to move at"
                f" {abs(velocity[at, entry]):.4g} at {times[at]:.4g} s from now, its velocity limit"
                f" is {self.fastest[rows[entry]]:.4g}: leave more time between the points"
            )
        with np.errstate(invalid="ignore"):
            beyond = position < self.lower[rows] - _BEYOND
            beyond |= position > self.upper[rows] + _BEYOND
        if beyond.any():
            at, entry = np.argwhere(beyond)[0].tolist()
            row = rows[entry]
            raise ArgumentError(
                f"{quoted(self.names[row])} would swing to {position[at, entry]:.4g} between"
                f" points, its range is {self.lower[row]:.4g} to {self.upper[row]:.4g}: give"
                " smaller velocities, or points without any"
            )


def _column(model: Model, name: str) -> int:
    known = model.coordinate_names
    if name not in known:
        raise UnknownNameError.among("coordinate", name, known)
    return known.index(name)


def _described_limits(model: Model) -> list[float]:
    limits = [np.nan] * model.nv
    for joint in model.own_joints:
        for k, rate in enumerate(joint.rate_limits):
            limits[joint.v_index + k] = rate.effort or np.nan
    return limits


def _fastest(model: Model) -> Floats:
    limits = np.full(model.nv, np.inf)
    for joint in model.own_joints:
        for k, rate in enumerate(joint.rate_limits):
            limits[joint.v_index + k] = rate.velocity or np.inf
    return limits


def _endless(model: Model) -> NDArray[np.bool_]:
    flags = np.zeros(model.nv, dtype=np.bool_)
    for joint in model.own_joints:
        if joint.joint.type_name == "continuous":
            flags[joint.v_index] = True
    return flags
