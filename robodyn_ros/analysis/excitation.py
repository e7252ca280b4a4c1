"""How well a recording excites what is identified, and which joints' motion would do it better.

The condition number is that of the weighted columns of what is looked for, each made of size 1: by
how much errors can be enlarged between what is told best and worst, whatever the units. A parameter
is *poorly excited* where its standard deviation is not well below what would be much for it.

Source: Gautier and Khalil 1992, "Exciting trajectories for the identification of base inertial
parameters of robots"; Presse and Gautier 1993.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.joint_friction import COULOMB_SPEED
from robodyn_ros.analysis.base_parameters import random_motion
from robodyn_ros.analysis.robust_fit import Fit
from robodyn_ros.analysis.unknowns import FRICTION, Unknowns
from robodyn_ros.analysis.window_means import Extent, Windows
from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

POOR = 0.3
"""Standard deviation, as a share of what would be much, from which on a parameter is poor."""
_MOVES = 0.5
"""Share of the most effective joint's effect from which on a joint is named."""
_NAMED = 3
_STATES = 40
_UNLIMITED = 3.0
_STILL = 0.02
"""Share of its speed limit below which a joint hardly moved."""


_CREEPS = 5.0 * COULOMB_SPEED
"""rad/s or m/s: up to COULOMB_SPEED Coulomb friction rises with speed, as viscous does."""
_USUAL = 0.9
"""Share of the time for which a creeping joint is no faster."""


@dataclass(frozen=True)
class Poor:
    """A parameter that is poorly excited.

    Attributes:
        name: Its name; of a base parameter as a sum.
        share: Its standard deviation as a share of what would be much for it.
        joints: Whose motion excites it most.
    """

    name: str
    share: float
    joints: tuple[str, ...]


@dataclass(frozen=True)
class Excitation:
    """What a recording excites.

    Attributes:
        condition: The condition number; infinite where a column is none.
        poor: What is poorly excited, the worst first.
        still: Coordinates that hardly moved.
        count: How many parameters were looked at.
        advice: How to move, a line for each thing.
    """

    condition: float
    poor: tuple[Poor, ...]
    still: tuple[str, ...]
    count: int
    advice: tuple[str, ...]


def excitation(
    unknowns: Unknowns, fit: Fit, much: Floats, windows: Windows, use: Flags
) -> Excitation:
    """Return what a recording excites.

    Args:
        unknowns: What is looked for.
        fit: What was found.
        much: (p,) what would be much for each.
        windows: Of the recording.
        use: (n, nv) which of their rows count.
    """
    model, extent = unknowns.robot.model, windows.extent
    shares = fit.deviation / much
    worst = np.argsort(-shares)
    effects = _effects(unknowns) if np.any(shares > POOR) else np.zeros((0, 0))
    poor = []
    for k in worst[shares[worst] > POOR].tolist():
        joints = [model.coordinate_names[j] for j in _movers(effects[k])]
        poor.append(Poor(_name(unknowns, k), float(shares[k]), tuple(joints)))
    limits = speed_limits(unknowns.robot)
    still = np.flatnonzero((extent.speed < _STILL * limits) & (fit.rows > 0))
    names = tuple(model.coordinate_names[j] for j in still)
    condition = _condition(fit.information)
    advice = (*_advice(unknowns.robot, poor, extent), *_creeping(unknowns, windows, use))
    return Excitation(condition, tuple(poor), names, len(shares), advice)


def speed_limits(robot: Robot) -> Floats:
    """Return the speeds (nv,) that coordinates may have; 3 rad/s or m/s where none is known."""
    found = np.full(robot.model.nv, _UNLIMITED)
    for joint in robot.model.own_joints:
        for k, limits in enumerate(joint.rate_limits):
            if limits.velocity is not None and 0.0 < limits.velocity < np.inf:
                found[joint.v_index + k] = limits.velocity
    return found


def _condition(information: Floats) -> float:
    size = np.sqrt(np.maximum(np.diag(information), 0.0))
    if not len(size) or size.min() <= 1e-9 * size.max():
        return float("inf")
    values = np.linalg.eigvalsh(information / np.outer(size, size))
    return float(np.sqrt(values[-1] / max(values[0], 1e-300)))


def _name(unknowns: Unknowns, k: int) -> str:
    own = unknowns.places.get("base", slice(0, 0))
    if unknowns.base is not None and own.start <= k < own.stop:
        return unknowns.base.grouped(k - own.start)
    return unknowns.names[k]


def _effects(unknowns: Unknowns) -> Floats:
    """Return how much (p, nv) the motion of each joint alone moves the column of each unknown."""
    robot = unknowns.robot
    nv = robot.model.nv
    q, v, a = random_motion(robot, _STATES)
    rest = unknowns.columns(q, np.zeros_like(v), np.zeros_like(a))
    found = np.zeros((rest.shape[-1], nv))
    for j in range(nv):
        alone = np.zeros(nv)
        alone[j] = 1.0
        moving = unknowns.columns(q, v * alone, a * alone) - rest
        found[:, j] = np.sqrt(np.mean(np.sum(moving * moving, axis=1), axis=0))
    if "friction" in unknowns.places:  # a joint's friction is told by its own motion only
        start = unknowns.places["friction"].start
        found[unknowns.places["friction"]] = 0.0
        for j in range(nv):
            found[start + len(FRICTION) * j : start + len(FRICTION) * (j + 1), j] = 1.0
    return found


def _movers(effects: Floats) -> list[int]:
    """Return the joints with the largest effects."""
    order = np.argsort(-effects)[:_NAMED].tolist()
    return [j for j in order if effects[j] > _MOVES * effects.max() and effects[j] > 0.0]


def _advice(robot: Robot, poor: list[Poor], extent: Extent) -> list[str]:
    """Return how to move, for the joints that most of what is poor depends on."""
    names, limits = robot.model.coordinate_names, speed_limits(robot)
    asked: dict[str, int] = {}
    for one in poor:
        for name in one.joints:
            asked[name] = asked.get(name, 0) + 1
    lines = []
    for name in sorted(asked, key=lambda each: -asked[each]):
        j = names.index(name)
        unit = "rad" if _turns(robot, j) else "m"
        lines.append(
            f"move {quoted(name)} faster and back and forth: it reached {extent.speed[j]:.2g} of"
            f" {limits[j]:.2g} {unit}/s and {extent.acceleration[j]:.2g} {unit}/s^2, and"
            f" {asked[name]} poorly excited {'parameters' if asked[name] > 1 else 'parameter'}"
            f" depend{'' if asked[name] > 1 else 's'} on it"
        )
    return lines


def _creeping(unknowns: Unknowns, windows: Windows, use: Flags) -> Iterator[str]:
    """Yield which joints move too slowly for friction of two kinds to be told apart."""
    if "friction" not in unknowns.places:
        return
    robot = unknowns.robot
    for j, name in enumerate(robot.model.coordinate_names):
        speeds = np.abs(windows.velocity[use[:, j], j])
        if len(speeds) and (usual := float(np.quantile(speeds, _USUAL))) < _CREEPS:
            unit = "rad" if _turns(robot, j) else "m"
            yield (
                f"move {quoted(name)} faster: it creeps, for {_USUAL:.0%} of the time at"
                f" {usual:.2g} {unit}/s or less, where Coulomb and viscous friction cannot be told"
                " apart, whatever their deviations say"
            )


def _turns(robot: Robot, coordinate: int) -> bool:
    for joint in robot.model.own_joints:
        k = coordinate - joint.v_index
        if 0 <= k < joint.joint.nv:
            return bool(joint.joint.turning()[k])
    return True
