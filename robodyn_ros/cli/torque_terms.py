"""The efforts of a robot in the state that `robodyn torque` is asked for."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cli import torque_input
from robodyn_ros.cli.closed_state import State, closed_state
from robodyn_ros.cli.ranges import resists
from robodyn_ros.cli.state_values import angles, stated
from robodyn_ros.cli.torque_rows import TERMS, Row, limit_notes, rows_of
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Payload
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """All rows, and what belongs to the robot as a whole."""

    robot: str
    base: str
    rows: tuple[Row, ...]
    q: Floats
    v: Floats
    a: Floats
    gravity: Floats
    mass: float
    payloads: tuple[Payload, ...]
    kinetic: float
    potential: float
    notes: tuple[str, ...]

    @property
    def payload_mass(self) -> float:
        """Mass of all payloads in kg."""
        return float(sum(load.mass for load in self.payloads))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON; q, v and a in SI units and radians."""
        return {
            "robot": self.robot,
            "base": self.base,
            "gravity": self.gravity.tolist(),
            "q": self.q.tolist(),
            "v": self.v.tolist(),
            "a": self.a.tolist(),
            "mass": self.mass,
            "payload_mass": self.payload_mass,
            "kinetic_energy": self.kinetic,
            "potential_energy": self.potential,
            "coordinates": [
                {
                    "name": row.name,
                    "unit": row.unit,
                    "position": row.position,
                    "position_unit": row.position_unit,
                    **dict(zip(TERMS, row.terms, strict=True)),
                    "effort_limit": row.limit,
                    "percent_of_limit": row.share,
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }


def evaluated(robot: Robot, options: argparse.Namespace) -> Terms:
    """Return the terms that the options of the command ask for.

    Raises:
        ArgumentError: an option's value that cannot be used.
        UnknownNameError: no such joint or frame.
    """
    model = robot.model
    q, v, a = _state(robot, options)
    surround(robot, options)
    found = robot.effort_terms(q, v, a, _wrenches(robot, q, options.wrench))
    efforts = np.array([getattr(found, name) for name in TERMS])
    if not options.friction:
        ignored = TERMS.index("friction")
        efforts[-1] -= efforts[ignored]
        efforts[ignored] = 0.0
    energy = robot.energy(q, v)
    rows = rows_of(model, q, v, efforts, options.degrees)
    numbers = [*efforts.ravel(), energy.kinetic, energy.potential]
    if not np.all(np.isfinite(numbers)):
        raise ArgumentError("the efforts of this state overflow: give smaller numbers")
    return Terms(
        model.name,
        model.base,
        rows,
        q,
        v,
        a,
        robot.gravity,
        model.mass,
        robot.payloads,
        float(energy.kinetic) + 0.0,  # not -0
        float(energy.potential) + 0.0,
        (*_motor_note(robot), *limit_notes(rows), *_friction_note(robot, v, options)),
    )


def _state(robot: Robot, options: argparse.Namespace) -> State:
    """Return q, v and a."""
    model = robot.model
    turned, turning = angles(model)
    unit = np.pi / 180.0 if options.degrees else 1.0
    start_q, start_v = robot.initial_state
    to_q, to_v = (np.where(angle > 0.0, unit, 1.0) for angle in (turned, turning))
    starts = {"q": start_q / to_q, "v": start_v / to_v, "a": np.zeros(model.nv)}
    q, v, a = stated(model, options, **starts)
    q = robot.configuration(default=q * to_q)  # refuses quaternions of another norm
    return closed_state(robot, options, State(q, v * to_v, a * to_v))


def surround(robot: Robot, options: argparse.Namespace) -> None:
    """Set the gravity and the payloads that options ask for."""
    if options.gravity is not None:
        robot.gravity = torque_input.vector("--gravity", options.gravity, "x,y,z")
    for text in options.payload:
        given = torque_input.payload(robot.model, text)
        name = given["name"] or given["frame"]
        if name in {load.name for load in robot.payloads}:
            raise ArgumentError(
                f"two payloads are called {quoted(name)}: give one a name, --payload NAME={text}"
            )
        robot.set_payload(**given)


def _wrenches(robot: Robot, q: Floats, texts: list[str]) -> dict[str, Floats]:
    """Return external wrenches by frame, world axes; several at one frame add up."""
    found: dict[str, Floats] = {}
    for text in texts:
        name, wrench, local = torque_input.wrench(robot.model, text)
        if local:
            frame = robot.model.frame(name)
            R_WF = robot.body_motion(q).rotation[frame.body] @ frame.rotation
            wrench = np.concatenate([R_WF @ wrench[:3], R_WF @ wrench[3:]])
        found[name] = found.get(name, np.zeros(6)) + wrench
    return found


def _motor_note(robot: Robot) -> list[str]:
    """Return what the zeros of a closed mechanism's passive joints are."""
    closed = robot.model.is_closed
    return ["closed mechanism: its motors do the work, passive joints have 0"] if closed else []


def _friction_note(robot: Robot, v: Floats, options: argparse.Namespace) -> list[str]:
    """Return what to know of friction that was left out, nothing where there is none."""
    left_out = resists(robot.model) and np.any(v) and not options.friction
    return ["joint friction is not counted; --friction counts it in"] if left_out else []
