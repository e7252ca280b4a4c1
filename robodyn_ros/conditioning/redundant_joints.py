"""What is measured of a closed mechanism although it follows from other measured coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.closed_step import mechanism_size
from robodyn_ros.conditioning.told_coordinates import told_coordinates
from robodyn_ros.constraints.elimination import partition_of
from robodyn_ros.constraints.scaling import turning_rates
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

DIFFERENCE = 0.02
"""rad, or share of the mechanism's size, by which a measured value may differ from the one that
follows from the others."""


class Compared(NamedTuple):
    """A coordinate that is measured and follows from others: the two values, rad or m."""

    name: str
    measured: float
    computed: float
    is_off: bool


def compared(
    model: Model, q: Floats, position: Floats, received: NDArray[np.bool_]
) -> Iterator[Compared]:
    """Yield the coordinates that are measured although they follow from others.

    Args:
        model: A closed mechanism with a partition.
        q: (nq,) its coordinates, completed.
        position: (n,) values of the `told_coordinates` as measured.
        received: (n,) which were.
    """
    dependent = set(partition_of(model).dependent)
    turning, slide = turning_rates(model), DIFFERENCE * mechanism_size(model)
    for slot, one in enumerate(told_coordinates(model)):
        if not received[slot] or one.v not in dependent:
            continue
        value, computed = float(position[slot]), float(q[one.q])
        off, most = value - computed, slide
        if turning[one.v]:
            off, most = float(np.arctan2(np.sin(off), np.cos(off))), DIFFERENCE
        yield Compared(one.name, value, computed, abs(off) > most)
