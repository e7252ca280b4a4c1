"""What a robot begins with until somebody says otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import constant
from robodyn_ros.model.environment import Environment
from robodyn_ros.spatial.arrays import FrozenArrays


def _nothing() -> NDArray[np.float64]:
    return constant(np.zeros(0))


@dataclass(frozen=True, eq=False)
class Defaults(FrozenArrays):
    """Initial state and surroundings that a description gives; all may change at run time.

    Attributes:
        q: (nq,) configuration, neutral where the description says nothing.
        v: (nv,) rates, 0 where it says nothing.
        environment: gravity, and the motion of a prescribed base.
    """

    q: NDArray[np.float64] = field(default_factory=_nothing)
    v: NDArray[np.float64] = field(default_factory=_nothing)
    environment: Environment = field(default_factory=Environment)
