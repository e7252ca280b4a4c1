"""Forces that hold against a rate, as functions of the rate that a step ends with.

Each grows with the rate of its row, or stays: friction, stiff damping, a limit that is reached, a
servo. Their sum over a step has one solution, see `implicit_step`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms.joint_friction import COULOMB_SPEED

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Stops:
    """Limits that are reached, or would be at the end of a step.

    Attributes:
        rows: which rows (k,), each once.
        signs: (k,) 1 at a lower limit, -1 at an upper one.
        slopes: (k,) N m s/rad or N s/m: the force grows with what `targets` lack.
        targets: (k,) rates off the limit at which there is no force left.
    """

    rows: NDArray[np.intp]
    signs: Floats
    slopes: Floats
    targets: Floats


@dataclass(frozen=True)
class Servos:
    """Motors that follow a command in this step.

    Attributes:
        rows: which rows (k,).
        constant: (k,) effort at rest, N m or N.
        slopes: (k,) what the effort loses with the rate.
        most: (k,) effort limits.
    """

    rows: NDArray[np.intp]
    constant: Floats
    slopes: Floats
    most: Floats

    def efforts(self, u: Floats) -> Floats:
        """Return the efforts (k,) at the rates (count,) of all rows."""
        wanted = self.constant - self.slopes * u[self.rows]
        efforts: Floats = np.minimum(np.maximum(wanted, -self.most), self.most)
        return efforts


@dataclass
class Resistance:
    """All forces on the rows, in one step.

    Attributes:
        damping: (count,) of rows whose damping is stiff; None for none.
        friction: (count,) Coulomb friction; None for none.
        stops: limits that are reached; None for none.
        servos: motors that follow a command; None for none.
    """

    damping: Floats | None = None
    friction: Floats | None = None
    stops: Stops | None = None
    servos: Servos | None = None

    def at(self, u: Floats) -> tuple[Floats, Floats]:
        """Return the forces against the rates u (count,), and what they grow by with each."""
        force: Floats = np.zeros(len(u))
        slope: Floats = np.zeros(len(u))
        if self.damping is not None:
            force += self.damping * u
            slope += self.damping
        if self.friction is not None:  # as `friction_effort`, with its slope
            x = np.minimum(np.maximum(u * (1.0 / COULOMB_SPEED), -1.0), 1.0)
            square = x * x
            force += self.friction * (x * (15.0 - square * (10.0 - 3.0 * square)) * 0.125)
            left = 1.0 - square
            slope += self.friction * (left * left * (1.875 / COULOMB_SPEED))
        stops = self.stops
        if stops is not None:
            lack = stops.targets - stops.signs * u[stops.rows]
            pressed = lack > 0.0
            pressing = stops.slopes * pressed
            force[stops.rows] -= stops.signs * pressing * lack
            slope[stops.rows] += pressing
        servos = self.servos
        if servos is not None:
            efforts = servos.efforts(u)
            force[servos.rows] -= efforts
            slope[servos.rows] += servos.slopes * (np.abs(efforts) < servos.most)
        return force, slope
