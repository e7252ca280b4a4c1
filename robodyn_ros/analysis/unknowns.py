"""What is identified: base parameters, joint friction, a payload; efforts are linear in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.base_parameters import BaseParameters, base_parameters
from robodyn_ros.analysis.friction_curve import smooth_sign
from robodyn_ros.analysis.linear_parameters import SYMBOLS, rate_parameters
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model.inertia import PARAMETERS, moved
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]

Part = Literal["base", "friction", "payload"]
PARTS: tuple[Part, ...] = get_args(Part)
FRICTION = ("Coulomb", "viscous", "offset")
"""What friction of a coordinate consists of, in this order."""
_PAYLOAD_MASS = 10.0
_PAYLOAD_LENGTH = 0.3


@dataclass(frozen=True)
class Unknowns:
    """The p unknowns of a robot: measured less described efforts are `columns @ change`.

    Attributes:
        robot: The robot as it is described, with its gravity, payloads and friction.
        parts: Which of `PARTS`.
        base: The base parameters, where they are among the parts.
        frame: That carries the payload, "" for none.
        names: Of each unknown.
        places: Where each part is.
        nominal: (p,) what the description says.
    """

    robot: Robot
    parts: tuple[Part, ...]
    base: BaseParameters | None
    frame: str
    names: tuple[str, ...]
    places: dict[str, slice]
    nominal: Floats
    _carried: tuple[int, Floats] | None = field(default=None, repr=False)

    def columns(self, q: Floats, v: Floats, a: Floats) -> Floats:
        """Return the efforts (n, nv, p) of one unit of each, for q (n, nq), v and a (n, nv)."""
        joints = np.arange(self.robot.model.nv)
        found: Floats = np.zeros((len(q), len(joints), len(self.names)))
        if self.base is not None:
            found[..., self.places["base"]] = self.base.columns(self.robot, q, v, a)
        if "friction" in self.places:
            start = self.places["friction"].start
            kinds = (smooth_sign(v), v, np.ones_like(v))
            for k, values in enumerate(kinds):
                found[:, joints, start + len(FRICTION) * joints + k] = values
        if self._carried is not None:
            body, map_BF = self._carried
            own = slice(PARAMETERS * body, PARAMETERS * (body + 1))
            found[..., self.places["payload"]] = self.robot.regressor(q, v, a)[..., own] @ map_BF
        return found

    def scale(self, effort: Floats, speed: Floats) -> Floats:
        """Return what is much for each unknown (p,).

        Args:
            effort: (nv,) what is much for an effort, N m or N.
            speed: (nv,) what is much for a rate.
        """
        found = np.ones(len(self.names))
        if self.base is not None:
            found[self.places["base"]] = self.base.scale
        if "friction" in self.places:
            own = np.column_stack([effort, effort / speed, effort])
            found[self.places["friction"]] = own.ravel()
        if "payload" in self.places:
            lengths = np.array([1.0, *[_PAYLOAD_LENGTH] * 3, *[_PAYLOAD_LENGTH**2] * 6])
            found[self.places["payload"]] = _PAYLOAD_MASS * lengths
        return found


def unknowns_of(
    robot: Robot, parts: Collection[str], *, frame: str = "", armature: bool = False
) -> Unknowns:
    """Return the unknowns of a robot.

    Args:
        robot: A tree, as it is described.
        parts: Some of `PARTS`.
        frame: That carries the payload.
        armature: Whether the rotors' inertias are identified with the base parameters.

    Raises:
        ArgumentError: no such part, parts that cannot be told from each other, or a payload
            without a frame.
        UnknownNameError: no such frame.
    """
    chosen = _checked(robot, parts, frame)
    if armature and "base" not in chosen:
        raise ArgumentError("armature is identified with base parameters: add base to what")
    model = robot.model
    names: list[str] = []
    values: list[Floats] = []
    places: dict[str, slice] = {}

    def add(part: str, more: Collection[str], nominal: Floats) -> None:
        places[part] = slice(len(names), len(names) + len(more))
        names.extend(more)
        values.append(nominal)

    base = carried = None
    if "base" in chosen:
        base = base_parameters(robot, armature=armature)
        add("base", base.names, base.nominal)
    if "friction" in chosen:
        own = rate_parameters(model, robot.environment)
        known = np.column_stack([own[:, 2], own[:, 1], np.zeros(model.nv)])
        listed = [f"{kind} {name}" for name in model.coordinate_names for kind in FRICTION]
        add("friction", listed, known.ravel())
    if "payload" in chosen:
        place = model.lumped.place(model.frame(frame))
        if place.lump == 0:
            raise ArgumentError(
                f"frame {quoted(frame)} does not move: no effort tells what it carries; name a"
                " frame behind a joint"
            )
        body = model.lumped.lumps[place.lump - 1].body
        units = [moved(unit, place.rotation, place.position) for unit in np.eye(PARAMETERS)]
        carried = (body, np.array(units).T)
        add("payload", [f"{symbol} of the payload" for symbol in SYMBOLS], np.zeros(PARAMETERS))
    return Unknowns(
        robot, chosen, base, frame, tuple(names), places, np.concatenate(values), carried
    )


def _checked(robot: Robot, parts: Collection[str], frame: str) -> tuple[Part, ...]:
    """Return the parts in their order."""
    for part in parts:
        if part not in PARTS:
            raise ArgumentError(f"what is identified is {', '.join(PARTS)}, not {quoted(part)}")
    if not parts:
        raise ArgumentError(f"nothing is to be identified: name {', '.join(PARTS)}")
    if robot.model.is_closed:
        raise ArgumentError(
            f"robot {quoted(robot.model.name)} is a closed mechanism, whose parameters are not"
            " identified: cut its loops, and give the tree"
        )
    if {"base", "payload"} <= set(parts):
        raise ArgumentError(
            "a payload cannot be told from the parameters of the link that carries it: identify"
            " the robot without payload first, then payload with its overlay"
        )
    if "payload" in parts and not frame:
        raise ArgumentError("a payload needs the frame that carries it: name it")
    if frame and "payload" not in parts:
        raise ArgumentError("a frame is for a payload: add payload to what is identified")
    return tuple(part for part in PARTS if part in parts)
