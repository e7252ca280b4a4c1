"""One robot in one state by every formulation that fits it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cli.state_values import stated
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot
from robodyn_ros.robot.formulations import FORMULATIONS

Floats = NDArray[np.float64]

OWN = "spatial"
AGREEMENT = 1e-9
"""Largest difference, of the largest entry or 1, that counts as agreement."""

CLOSING = "loops and constraints"
OPENED = (
    "the formulations are those of a tree, which is compared as if it were not closed, in a state"
    " in which it need not close"
)


@dataclass(frozen=True)
class Comparison:
    """Efforts and mass matrices of one state.

    Attributes:
        robot: its name.
        base: its base.
        coordinates: names of the entries of v.
        positions: of each coordinate; None where the joint's attitude is a quaternion.
        q: coordinates (nq,).
        v: rates (nv,).
        a: accelerations (nv,).
        efforts: (nv,) by formulation, the robot's own first.
        mass_matrices: (nv, nv) by formulation.
        left_out: why formulations do not fit, by name; what closes a mechanism too.
    """

    robot: str
    base: str
    coordinates: tuple[str, ...]
    positions: tuple[float | None, ...]
    q: Floats
    v: Floats
    a: Floats
    efforts: dict[str, Floats]
    mass_matrices: dict[str, Floats]
    left_out: dict[str, str]

    @property
    def spread(self) -> Floats:
        """The largest difference (nv,) between two formulations' efforts."""
        spread: Floats = np.ptp(np.stack(list(self.efforts.values())), axis=0)
        return spread

    @property
    def differences(self) -> dict[str, tuple[float, float]]:
        """Norm-wise differences of efforts and mass matrix from the robot's own, by name."""
        return {
            name: (
                _difference(effort, self.efforts[OWN]),
                _difference(self.mass_matrices[name], self.mass_matrices[OWN]),
            )
            for name, effort in self.efforts.items()
            if name != OWN
        }

    @property
    def agrees(self) -> bool:
        """Whether all differences are within AGREEMENT."""
        return all(max(pair) <= AGREEMENT for pair in self.differences.values())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        return {
            "robot": self.robot,
            "base": self.base,
            "coordinates": list(self.coordinates),
            "q": self.q.tolist(),
            "v": self.v.tolist(),
            "a": self.a.tolist(),
            "efforts": {name: x.tolist() for name, x in self.efforts.items()},
            "mass_matrices": {name: x.tolist() for name, x in self.mass_matrices.items()},
            "differences": {
                name: {"efforts": effort, "mass_matrix": mass}
                for name, (effort, mass) in self.differences.items()
            },
            "left_out": self.left_out,
            "agree": self.agrees,
        }


@np.errstate(all="ignore")
def compared(robot: Robot, options: argparse.Namespace) -> Comparison:
    """Return the comparison in the state that the options of the command ask for.

    Raises:
        ArgumentError: an option's value that cannot be used.
        UnknownNameError: no such coordinate.
    """
    # Numbers beyond all bounds show in the differences; there is no need to warn of them too.
    model = robot.model
    q, v, a = _state(robot, options)
    matrices = {OWN: robot.mass_matrix(q)}
    left_out = {}
    if model.is_closed:
        efforts = {OWN: matrices[OWN] @ a + robot.bias_force(q, v)}
        left_out[CLOSING] = OPENED
    else:
        efforts = {OWN: robot.inverse_dynamics(q, v, a)}
    for name in FORMULATIONS:
        try:
            motion = robot.formulation(name).equations_of_motion(q, v)
        except ArgumentError as error:
            left_out[name] = str(error)
            continue
        efforts[name], matrices[name] = motion.inverse_dynamics(a), motion.mass_matrix
    positions: list[float | None] = []
    for joint in model.own_joints:
        own = q[joint.q_index : joint.q_index + joint.joint.nq].tolist()
        places = joint.joint.rate_coordinates()
        positions += [None if place is None else own[place] for place in places]
    return Comparison(
        model.name,
        model.base,
        model.coordinate_names,
        tuple(positions),
        q,
        v,
        a,
        efforts,
        matrices,
        left_out,
    )


def _state(robot: Robot, options: argparse.Namespace) -> tuple[Floats, Floats, Floats]:
    """Return q, v and a: random, but for what is given."""
    model = robot.model
    if options.seed < 0:
        raise ArgumentError(f"--seed must be a whole number from 0 on, got {options.seed}")
    rng = np.random.default_rng(options.seed)
    q = robot.random_configuration(rng)
    v, a = rng.uniform(-1.0, 1.0, (2, model.nv))
    q, v, a = stated(model, options, q=q, v=v, a=a)
    return q, v, a


def _difference(x: Floats, y: Floats) -> float:
    """Return max|x - y| / max(1, max|y|); infinite where it is no number."""
    off = float(np.max(np.abs(x - y), initial=0.0))
    largest = max(1.0, float(np.max(np.abs(y), initial=0.0)))
    return off / largest if np.isfinite(off / largest) else float("inf")
