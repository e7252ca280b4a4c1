"""What the seeds' formulations share: rigid parts, joint screws, and the result M a + h = tau.

Plain and readable, for one sample of floats: a teaching and checking path beside the recursive
algorithms, from which it takes nothing but the motion of the bodies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.kinematics import BodyMotion
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Environment, Model
from robodyn_ros.spatial import compose

Floats = NDArray[np.float64]


class EquationsOfMotion(NamedTuple):
    """tau = mass_matrix a + bias, for one state.

    Attributes:
        mass_matrix: (nv, nv), armature included.
        bias: (nv,) all that does not depend on a: velocities, gravity, a moving base, less external
            wrenches.
    """

    mass_matrix: Floats
    bias: Floats

    def inverse_dynamics(self, a: Floats) -> Floats:
        """Return the efforts (nv,) for accelerations (nv,)."""
        tau: Floats = self.mass_matrix @ a + self.bias
        return tau

    def forward_dynamics(self, tau: Floats) -> Floats:
        """Return the accelerations (nv,) for efforts (nv,); NumPy's error where M is singular."""
        return np.linalg.solve(self.mass_matrix, tau - self.bias).astype(np.float64)


class RigidPart(NamedTuple):
    """A link or payload: the number of the body it belongs to, mass, com and inertia about it.

    com (3,) and inertia (3, 3) are in the body's frame and axes.
    """

    body: int
    mass: float
    com: Floats
    inertia: Floats


def rigid_parts(model: Model, environment: Environment) -> Iterator[RigidPart]:
    """Yield the links that have mass properties, and the payloads."""
    for number, body in enumerate(model.bodies):
        if body.mass or np.any(body.inertia):
            yield RigidPart(number, body.mass, body.com, body.inertia)
    for payload in environment.payloads:
        frame = model.frame(payload.frame)
        _, com = compose((frame.rotation, frame.position), (np.eye(3), payload.com))
        inertia = frame.rotation @ payload.inertia @ frame.rotation.T
        yield RigidPart(frame.body, payload.mass, com, inertia)


class Wrench(NamedTuple):
    """An external wrench on a body: moment about `point` and force, all (3,) in world axes."""

    body: int
    point: Floats
    moment: Floats
    force: Floats


def external_wrenches_on(
    model: Model, motion: BodyMotion, wrenches: Mapping[str, Floats] | None
) -> Iterator[Wrench]:
    """Yield [moment; force] (6,) by frame name, in world axes at the frame's origin."""
    for name, wrench in (wrenches or {}).items():
        frame = model.frame(name)
        arm = motion.rotation[frame.body] @ frame.position
        yield Wrench(frame.body, motion.position[frame.body] + arm, wrench[:3], wrench[3:])


def armature(model: Model, q: Floats, v: Floats, environment: Environment) -> EquationsOfMotion:
    """Return the rotors' share of the equations, that of followers at their drivers.

    Its bias is that of followers whose ratio changes.
    """
    matrix, bias = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    rotors = environment.joints(model)[:, 0]
    for lump in model.lumped.lumps:
        coordinates = lump.joint.coordinates
        columns = list(coordinates.columns())
        G = coordinates.velocity_map(q)
        ddz = coordinates.acceleration(q, v, np.zeros(model.nv))
        matrix[np.ix_(columns, columns)] += G.T @ (rotors[lump.rates, None] * G)
        bias[columns] += G.T @ (rotors[lump.rates] * ddz)
    return EquationsOfMotion(matrix, bias)


def one_state(model: Model, q: object, v: object) -> tuple[Floats, Floats]:
    """Return q (nq,) and v (nv,) of one sample, or raise ArgumentError."""
    return one_sample("q", q, model.nq), one_sample("v", v, model.nv)


def one_sample(name: str, values: object, size: int) -> Floats:
    """Return the vector (size,) of one sample, or raise ArgumentError."""
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (size,):
        raise ArgumentError(
            f"{name} must have shape ({size},), got {quoted(array.shape)}: this formulation takes"
            " one sample at a time"
        )
    return array
