"""Where bodies are, as scenes take it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

REACH = 1e6
"""What is farther from the world's origin is not shown, m: browsers have 32-bit floats."""
_NORM_TOLERANCE = 1e-3
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])


class Poses:
    """Poses of all bodies at one instant, in the model's order.

    Attributes:
        position: (nb, 3) m; zero where it is not usable.
        orientation: (nb, 4) unit quaternions, xyzw.
        rotation: R_WB (nb, 3, 3).
        usable: (nb,) whether a pose can be shown at all.
        valid: (nb,) usable, and known to be so now.
        q: (nq,) coordinates, None where they are not known.
    """

    def __init__(
        self,
        count: int,
        position: ArrayLike,
        orientation: ArrayLike,
        valid: ArrayLike | None = None,
        q: Floats | None = None,
    ) -> None:
        """Look the numbers of `count` bodies over.

        Raises:
            ArgumentError: arrays of another shape.
        """
        points = as_rows("position", position, count, 3)
        turns = as_rows("orientation", orientation, count, 4)
        with np.errstate(all="ignore"):
            norms = np.sqrt(np.einsum("ij,ij->i", turns, turns))
            near = (np.abs(points) <= REACH).all(axis=1)
            self.usable: Flags = near & (np.abs(norms - 1.0) <= _NORM_TOLERANCE)
        given = np.ones(count, dtype=bool) if valid is None else np.asarray(valid, dtype=bool)
        if given.shape != (count,):
            raise ArgumentError(f"valid must have the shape ({count},), got {given.shape}")
        safe = np.where(self.usable, norms, 1.0)
        self.position: Floats = np.where(self.usable[:, None], points, 0.0)
        self.orientation: Floats = np.where(self.usable[:, None], turns / safe[:, None], _IDENTITY)
        self.rotation: Floats = self.rotation_of(self.orientation)
        self.valid: Flags = self.usable & given
        self.q = q

    @staticmethod
    def rotation_of(orientation: Floats) -> Floats:
        """Return the rotations (n, 3, 3) of unit quaternions (n, 4), xyzw."""
        return np.asarray(quaternion_to_matrix(orientation), dtype=np.float64)


def as_rows(name: str, values: ArrayLike, count: int, width: int) -> Floats:
    """Return values as an array (count, width).

    Raises:
        ArgumentError: another shape.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (count, width):
        raise ArgumentError(f"{name} must have the shape ({count}, {width}), got {array.shape}")
    return array


def wxyz(quaternion: ArrayLike) -> Floats:
    """Return a quaternion (..., 4), scalar first as viser has it, from xyzw."""
    return np.roll(np.asarray(quaternion, dtype=np.float64), 1, axis=-1)
