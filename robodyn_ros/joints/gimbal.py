"""Successive turns about two or three axes: gimbals with their sliders, and the universal joint."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.joints.axis import Axis, axis_parameter, unit_axis
from robodyn_ros.joints.general import INNER, OUTER, GeneralJoint
from robodyn_ros.joints.parameter import Parameter
from robodyn_ros.spatial import Array, axis_rotation, joined, successive_angles, transpose

#: Axes with a smaller sine between them are parallel.
_PARALLEL = 1e-6


class SuccessiveTurns(GeneralJoint):
    """Base of joints that turn about one axis after another, each carried by those before it."""

    @abstractmethod
    def _turning_axes(self) -> tuple[Axis, ...]:
        """Return the axes as they are at q = 0, where they have the same components in F and M."""

    def _turns(self, q: Array) -> list[Array]:
        """Return the rotation (..., 3, 3) about each axis."""
        axes = self._turning_axes()
        return [axis_rotation(np.array(axis), q[..., k]) for k, axis in enumerate(axes)]

    def _turn(self, q: Array) -> Array:
        first, *others = self._turns(q)
        R_FM = first
        for turn in others:
            R_FM = R_FM @ turn
        return R_FM

    def _turn_axes(self, q: Array) -> Array:
        outward: NDArray[np.float64] | Array = np.eye(3)
        columns: list[Array] = []
        turns = self._turns(q)
        for axis, turn in zip(reversed(self._turning_axes()), reversed(turns), strict=True):
            columns.append(transpose(outward) @ np.array(axis)[:, None])
            outward = turn @ outward
        return joined(*reversed(columns))

    def _turn_at(self, R_FM: Array) -> Array:
        return successive_angles(R_FM, [np.array(axis) for axis in self._turning_axes()])


@dataclass(frozen=True)
class Gimbal(SuccessiveTurns):
    """q = (angles, inner, outer displacements): turns about the axes that `sequence` names.

    Each digit, 1 to 3 for x to z, is an axis of the frame that the turns before it have made; all
    twelve Euler sequences and their one- and two-digit beginnings are there. v = dq/dt. Three axes
    are singular where the outer two fall together: cos(q[1]) = 0 for three different digits,
    sin(q[1]) = 0 for two equal ones; a neutral "121" is singular, then (document B).
    """

    sequence: str
    inner: tuple[Axis, ...] = ()
    outer: tuple[Axis, ...] = ()
    type_name = "gimbal"
    parameters = (
        Parameter(
            "sequence",
            "sequence",
            "",
            None,
            "one to three digits, 1, 2, 3 for turns about x, y, z, none twice in a row",
        ),
        INNER,
        OUTER,
    )

    def __post_init__(self) -> None:
        """Check the sequence and the sliders."""
        sequence = euler_sequence(self.sequence)
        object.__setattr__(self, "sequence", sequence)
        names = [
            f"r{'xyz'[int(digit) - 1]}{'2' if digit in sequence[:k] else ''}"
            for k, digit in enumerate(sequence)
        ]
        self._set_up(names, turn_nq=len(names), successive=True)

    def _turning_axes(self) -> tuple[Axis, ...]:
        x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
        return tuple((x, y, z)[int(digit) - 1] for digit in self.sequence)


@dataclass(frozen=True)
class Universal(SuccessiveTurns):
    """q = (angle about `first_axis`, fixed in F, then about `second_axis`, fixed in M); v = dq/dt.

    At q = 0 the frames coincide. The angle between the axes never changes, so that there is no
    singularity; parallel axes are refused (document A: two JT 3 in series).
    """

    first_axis: Axis = (1.0, 0.0, 0.0)
    second_axis: Axis = (0.0, 1.0, 0.0)
    type_name = "universal"
    parameters = (
        axis_parameter(
            (1.0, 0.0, 0.0), "axis of the first turn, in predecessor axes", "first_axis"
        ),
        axis_parameter((0.0, 1.0, 0.0), "axis of the second turn, in child axes", "second_axis"),
    )
    inner = ()
    outer = ()

    def __post_init__(self) -> None:
        """Normalise the axes and look at the angle between them."""
        for name in ("first_axis", "second_axis"):
            object.__setattr__(self, name, unit_axis(getattr(self, name), name))
        sine = np.linalg.norm(np.cross(self.first_axis, self.second_axis))
        if sine < _PARALLEL:
            raise ArgumentError(
                f"first_axis {list(self.first_axis)} and second_axis {list(self.second_axis)} are"
                " parallel: choose another second_axis, or a revolute joint"
            )
        self._set_up(("rx", "ry"), turn_nq=2, successive=True)

    def _turning_axes(self) -> tuple[Axis, ...]:
        return self.first_axis, self.second_axis


def euler_sequence(value: object) -> str:
    """Return a sequence like "231", of a text or whole number; others are an ArgumentError."""
    text = str(value) if isinstance(value, (str, int)) else ""
    repeated = any(a == b for a, b in pairwise(text))
    if not 1 <= len(text) <= 3 or set(text) - set("123") or repeated:
        raise ArgumentError(
            f"sequence must be one to three of the digits 1, 2, 3, none twice in a row, such as"
            f' "23" or "121", got {value!r}'
        )
    return text
