"""Base parameters: the least number of combinations of parameters that joint efforts depend on.

Of a robot's inertial parameters some have no effect, and others act together only. The columns of
the regressor over random motion tell which: one after the other, from the root outwards, a column
is kept where those kept before do not give it, and else its parameter is grouped with theirs.
Second moments come before first moments and these before masses, as in the tables of the source, so
that masses are what is grouped inwards.

Source: Gautier and Khalil 1990, "Direct calculation of minimum set of inertial parameters of serial
robots"; Gautier 1991, "Numerical calculation of the base inertial parameters of robots".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.linear_parameters import LinearParameters, linear_parameters
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_ORDER = (4, 5, 7, 6, 8, 9, 1, 2, 3, 0)
_DEPENDENT = 1e-8
"""Share of a column that the others must leave for it to count."""
_NOTHING = 1e-10
"""Share of the largest column below which a column is none."""
_ROUNDING = 1e-9
_LEAST_STATES = 60
_ROWS_PER_PARAMETER = 4


@dataclass(frozen=True)
class BaseParameters:
    """A robot's base parameters, n of them, from P parameters.

    Attributes:
        parameters: All parameters.
        independent: (n,) places of those that each is called after.
        grouping: (n, P): the base parameters are `grouping @ values` of all of them.
    """

    parameters: LinearParameters
    independent: Indices
    grouping: Floats

    def __len__(self) -> int:
        return len(self.independent)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters that they are called after."""
        return tuple(self.parameters.names[k] for k in self.independent)

    @property
    def nominal(self) -> Floats:
        """What the description says (n,)."""
        found: Floats = self.grouping @ self.parameters.nominal
        return found

    @property
    def scale(self) -> Floats:
        """What is much for each (n,), in its unit."""
        found: Floats = np.sqrt(self.grouping**2 @ self.parameters.scale**2)
        return found

    def grouped(self, number: int) -> str:
        """Return a base parameter as a sum: "Izz link1 + Iyy link2 - 0.2 mx link2"."""
        text: str = self.parameters.names[self.independent[number]]
        for k in np.flatnonzero(self.grouping[number]).tolist():
            if k != self.independent[number]:
                factor = self.grouping[number, k]
                size = "" if abs(abs(factor) - 1.0) < _ROUNDING else f"{abs(factor):.4g} "
                text += f" {'-' if factor < 0.0 else '+'} {size}{self.parameters.names[k]}"
        return text

    def columns(self, robot: Robot, q: Floats, v: Floats, a: Floats) -> Floats:
        """Return the efforts (m, nv, n) of one unit of each, for q (m, nq), v and a (m, nv)."""
        return self.parameters.columns(robot, q, v, a, self.independent)


def base_parameters(robot: Robot, *, armature: bool = False, seed: int = 0) -> BaseParameters:
    """Return a robot's base parameters, in its gravity.

    Args:
        robot: A tree.
        armature: Whether the rotors' inertias are among the parameters.
        seed: Of the random motion.

    Raises:
        ArgumentError: a closed mechanism, or a robot that does not move.
    """
    parameters = linear_parameters(robot, armature=armature)
    count = max(_LEAST_STATES, _ROWS_PER_PARAMETER * len(parameters.names) // robot.model.nv)
    rows = parameters.columns(robot, *random_motion(robot, count, seed))
    matrix = rows.reshape(-1, rows.shape[-1])
    independent = np.array(_independent(matrix, _order(parameters)), dtype=np.intp)
    grouping: Floats = np.zeros((len(independent), matrix.shape[1]))
    if len(independent):
        kept = matrix[:, independent]
        size = np.linalg.norm(kept, axis=0)
        found = np.linalg.lstsq(kept / size, matrix, rcond=None)[0] / size[:, None]
        grouping = np.where(np.abs(found) > _ROUNDING, _snapped(found), 0.0)
        grouping[:, independent] = np.eye(len(independent))
    return BaseParameters(parameters, independent, grouping)


def random_motion(robot: Robot, count: int, seed: int = 0) -> tuple[Floats, Floats, Floats]:
    """Return random q (count, nq) within limits, and v and a (count, nv) of size 1."""
    rng = np.random.default_rng(seed)
    q = np.array([robot.random_configuration(rng) for _ in range(count)])
    v, a = rng.normal(size=(2, count, robot.model.nv))
    return q, v, a


def _order(parameters: LinearParameters) -> list[int]:
    """Return the order in which parameters are looked at: armatures last."""
    inertial = [10 * body + k for body in range(len(parameters.bodies)) for k in _ORDER]
    return [*inertial, *range(len(inertial), len(parameters.names))]


def _independent(matrix: Floats, order: list[int]) -> list[int]:
    """Return the columns that those before them do not give: QR by Gram and Schmidt, twice."""
    sizes = np.linalg.norm(matrix, axis=0)
    largest = float(sizes.max(initial=0.0))
    kept: list[int] = []
    basis = np.zeros((len(matrix), min(matrix.shape)))
    for column in order:
        rest = matrix[:, column].copy()
        known = basis[:, : len(kept)]
        for _ in range(2):
            rest -= known @ (known.T @ rest)
        left = float(np.linalg.norm(rest))
        if left > max(_DEPENDENT * sizes[column], _NOTHING * largest) and largest > 0.0:
            basis[:, len(kept)] = rest / left
            kept.append(column)
    return kept


def _snapped(found: Floats) -> Floats:
    """Return factors of which whole ones are exact."""
    whole = np.round(found)
    return np.where(np.abs(found - whole) < _ROUNDING, whole, found)
