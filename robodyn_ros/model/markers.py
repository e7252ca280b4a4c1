"""Points and directions of bodies that are followed (document A, equations 13 to 19)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.spatial.arrays import FrozenArrays

MarkerKind = Literal["position", "direction"]


@dataclass(frozen=True, eq=False)
class Marker(FrozenArrays):
    """A point or a direction fixed in a body.

    Attributes:
        name: unique among markers.
        body: number of its body.
        kind: "position" or "direction".
        vector: (3,) in the body frame: a position in m, or a unit vector.
    """

    name: str
    body: int
    kind: MarkerKind
    vector: NDArray[np.float64]
