"""A robot of ours as a model of MuJoCo, and where everything of it is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cosimulation.coordinates import CoordinateMap
from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.model import Frame, Model
from robodyn_ros.model.inertia import PARAMETERS, central, moved, parameters_of
from robodyn_ros.spatial import compose, quaternion_from_matrix

Floats = NDArray[np.float64]


class Seat(NamedTuple):
    """Where a body of ours sits: MuJoCo's body, and rotation and position (m) in its frame."""

    body: int
    rotation: Floats
    position: Floats


@dataclass(frozen=True)
class Plant:
    """Both models of one robot.

    Attributes:
        model: ours.
        compiled: MuJoCo's MjModel, whose inertias may be written anew.
        seats: of each of our bodies.
        coordinates: takes states from one to the other.
        notes: what MuJoCo has and ours has not, or the other way round, one line each.
    """

    model: Model
    compiled: Any
    seats: tuple[Seat, ...]
    coordinates: CoordinateMap
    notes: tuple[str, ...] = ()

    def seat(self, frame: Frame) -> Seat:
        """Return where a frame of ours sits."""
        body = self.seats[frame.body]
        rotation, position = compose(
            (body.rotation, body.position), (frame.rotation, frame.position)
        )
        return Seat(body.body, rotation, position)

    def inertias(self, factors: Floats) -> Floats:
        """Return the inertial parameters of MuJoCo's bodies (nbody, 10), in their frames.

        `factors` (nb,) multiply mass and inertia of each of our bodies.
        """
        found = np.zeros((self.compiled.nbody, PARAMETERS))
        for body, seat, factor in zip(self.model.bodies, self.seats, factors, strict=True):
            own = parameters_of(body.mass, body.com, body.inertia)
            found[seat.body] += factor * moved(own, seat.rotation, seat.position)
        return found

    def write_inertias(self, parameters: Floats) -> None:
        """Give MuJoCo's bodies inertial parameters (nbody, 10), whatever they are.

        MuJoCo's own check would refuse, or change, some that descriptions have.
        """
        compiled = self.compiled
        for i, row in enumerate(parameters):
            mass, com, inertia = central(row)
            moments, axes = np.linalg.eigh(inertia)
            axes = axes * np.sign(np.linalg.det(axes))
            compiled.body_mass[i] = mass
            compiled.body_ipos[i], compiled.body_inertia[i] = com, moments
            compiled.body_iquat[i] = np.roll(quaternion_from_matrix(axes), 1)
        engine = mujoco_engine()
        engine.mj_setConst(compiled, engine.MjData(compiled))
