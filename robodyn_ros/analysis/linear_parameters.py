"""The parameters in which joint efforts are linear: rigid bodies, and armatures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Environment, Model
from robodyn_ros.model.inertia import PARAMETERS
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

SYMBOLS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
"""Names of the ten parameters of a body, in the order of `model.inertia`."""
ARMATURE = "Ia"
_DEFAULT_LENGTH = 0.1


@dataclass(frozen=True)
class LinearParameters:
    """Ten parameters of each moving rigid body, then the armature of each coordinate if asked for.

    Links that are fixed to each other are one body, called as its first link, whose frame it has.

    Attributes:
        bodies: (k,) numbers of the bodies' first links.
        armature: Whether armatures are among them.
        names: "Izz forearm_link" or "Ia joint1", of each of the P parameters.
        nominal: (P,) what the description says.
        scale: (P,) what is much for a parameter of this robot, in its unit.
    """

    bodies: Indices
    armature: bool
    names: tuple[str, ...]
    nominal: Floats
    scale: Floats

    def columns(
        self, robot: Robot, q: Floats, v: Floats, a: Floats, chosen: Indices | None = None
    ) -> Floats:
        """Return the efforts (n, nv, P) of one unit of each parameter, N m or N.

        Args:
            robot: The robot.
            q: (n, nq) coordinates.
            v: (n, nv) rates.
            a: (n, nv) accelerations.
            chosen: Which parameters, armatures last; None for all.
        """
        which = np.arange(len(self.names)) if chosen is None else chosen
        places = (PARAMETERS * self.bodies[:, None] + np.arange(PARAMETERS)).ravel()
        inertial, rotors = which[which < len(places)], which[which >= len(places)] - len(places)
        found: Floats = np.take(robot.regressor(q, v, a), places[inertial], axis=-1)
        if len(rotors):
            turned = a[:, :, None] * np.eye(a.shape[1])[:, rotors]
            found = np.concatenate([found, turned], axis=2)
        return found


def linear_parameters(robot: Robot, *, armature: bool = False) -> LinearParameters:
    """Return a robot's parameters.

    Raises:
        ArgumentError: a closed mechanism, or a robot that does not move.
    """
    model = robot.model
    name = quoted(model.name)
    if model.is_closed:
        raise ArgumentError(
            f"robot {name} is a closed mechanism, whose parameters are not identified: cut its"
            " loops, and give the tree"
        )
    if not model.nv:
        raise ArgumentError(f"robot {name} has no coordinates: there is nothing to identify")
    tree = model.lumped
    bodies = np.array([lump.body for lump in tree.lumps], dtype=np.intp)
    names = [f"{symbol} {model.body_names[k]}" for k in bodies for symbol in SYMBOLS]
    values: list[Floats] = [tree.inertias[1:].ravel()]
    scales: list[Floats] = [np.tile(_scale(model), len(bodies))]
    if armature:
        names += [f"{ARMATURE} {each}" for each in model.coordinate_names]
        values.append(rate_parameters(model, robot.environment)[:, 0])
        scales.append(np.full(model.nv, scales[0][-1]))
    return LinearParameters(
        bodies, armature, tuple(names), np.concatenate(values), np.concatenate(scales)
    )


def rate_parameters(model: Model, environment: Environment) -> Floats:
    """Return armature, damping and friction (nv, 3) of the coordinates; followers' are left out."""
    tree = model.lumped
    known = environment.joint_parameters
    rows = tree.joint_parameters if known is None else known
    found = np.zeros((model.nv, 3))
    for lump in tree.lumps:
        if not lump.joint.is_follower:
            start = lump.joint.v_index
            found[start : start + lump.joint.joint.nv] = rows[lump.rates]
    return found


def _scale(model: Model) -> Floats:
    """Return what is much (10,) for one of the bodies: by mean mass and distance of joints."""
    tree = model.lumped
    masses = tree.inertias[1:, 0]
    mass = float(masses.mean()) if masses.any() else 1.0
    lengths = [float(np.linalg.norm(lump.position)) for lump in tree.lumps]
    length = max(float(np.mean(lengths)), _DEFAULT_LENGTH)
    return mass * np.array([1.0, *[length] * 3, *[length**2] * 6])
