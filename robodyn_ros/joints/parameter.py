"""What a joint type's constructor takes: described once, for schemas and reference pages."""

from __future__ import annotations

import math
from numbers import Real
from typing import Literal, NamedTuple

import numpy as np

from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial.arrays import real_array

Kind = Literal["axis", "axes", "number", "sequence", "names", "formulas"]


class Parameter(NamedTuple):
    """One keyword of a joint type's constructor.

    Attributes:
        name: the keyword.
        kind: "axis" (three numbers, a direction), "axes" (a list of axes), "number", "sequence" (an
            Euler sequence, digits 1 to 3), "names" (a list of the joint's variables), or "formulas"
            (three formulas of them, or numbers).
        unit: of numbers and formulas; "" where they have none.
        default: as the constructor has it; None where it must be given.
        meaning: one sentence, with the frame of what is a vector.
    """

    name: str
    kind: Kind
    unit: str
    default: object
    meaning: str

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is None


def finite_number(name: str, value: float, unit: str) -> float:
    """Return `value` as a float; what is not one finite number is an ArgumentError."""
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    array = real_array(name, value)
    if array.shape != () or not np.isfinite(array):
        raise ArgumentError(f"{name} must be a finite number in {unit}, got {array.tolist()}")
    return float(array)
