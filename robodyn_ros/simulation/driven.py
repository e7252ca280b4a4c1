"""The motion of a mechanism whose coordinates are driven by functions of time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.expressions import Expression
from robodyn_ros.robot import Robot
from robodyn_ros.simulation.trajectory import Trajectory

Floats = NDArray[np.float64]


def driven_motion(robot: Robot, drives: Mapping[str, Expression], times: ArrayLike) -> Trajectory:
    """Return the motion of a mechanism whose independent coordinates are functions of time.

    Nothing is integrated: positions follow the drives on the branch on which the mechanism begins,
    rates are exact.

    Args:
        robot: the robot; a closed mechanism, or one whose joints follow controls.
        drives: formulas of the time t in s, by coordinate name, as a description has them.
        times: (n,) of the states returned, s, ascending.

    Raises:
        ArgumentError: times that cannot be used; independent coordinates without a drive; a drive
            without a finite value at some time.
        ClosureError: the mechanism cannot follow.
    """
    model = robot.model
    times = np.asarray(times, dtype=np.float64)
    if times.ndim != 1 or not len(times) or not np.all(np.isfinite(times)):
        raise ArgumentError("times must be one finite number of seconds for each state")
    names = robot.independent_names if model.is_closed else model.coordinate_names
    missing = [name for name in names if name not in drives]
    if missing or not names:
        has = ", ".join(map(quoted, missing)) or "it has no coordinate"
        raise ArgumentError(
            f"not all of robot {quoted(model.name)} is driven: {has}; give controls a drive and"
            " make them the independent coordinates"
        )
    values = np.stack([_at(drives[name], times, name) for name in names], axis=-1)
    rates = np.stack([_at(drives[name].derivative("t"), times, name) for name in names], axis=-1)
    v = np.zeros((len(times), model.nv))
    v[:, [model.coordinate_names.index(name) for name in names]] = rates
    if model.is_closed:
        inputs = [dict(zip(names, map(float, row), strict=True)) for row in values]
        q = np.stack([found.q for found in robot.follow(robot.initial_state[0], inputs)])
        v = np.array(robot.complete(q, v).v)
    else:
        q = values
    energy = robot.energy(q, v)
    return Trajectory(times, q, v, energy.kinetic, energy.potential)


def _at(formula: Expression, times: Floats, name: str) -> Floats:
    """Return a formula's values (n,) at times (n,)."""
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(formula.evaluate({"t": times})), times.shape)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        raise ArgumentError(
            f"the drive of {quoted(name)}, {quoted(formula.text)}, has no finite value and rate at"
            f" {times[wrong[0]]:g} s"
        )
    return np.array(values, dtype=np.float64)
