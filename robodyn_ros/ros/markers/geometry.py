"""Where markers are and how large: arrays only.

The motion of bodies is a block (nb, 28), a row per body: position, orientation (xyzw), linear and
angular velocity, linear and angular acceleration, centre of mass, its velocity and acceleration;
world axes, SI.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.inertia_ellipsoid import REACH
from robodyn_ros.ros.markers.acting import NOTHING, Acting
from robodyn_ros.spatial import (
    axis_alignment,
    quaternion_from_matrix,
    quaternion_product,
    quaternion_to_matrix,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

POSITION = 0
ORIENTATION = slice(3, 7)
LINEAR_VELOCITY = 7
ANGULAR_VELOCITY = 10
LINEAR_ACCELERATION = 13
ANGULAR_ACCELERATION = 16
CENTER_OF_MASS = 19

IDENTITY: Floats = np.array([0.0, 0.0, 0.0, 1.0])

_PLACE = np.array([0, 1, 2, 19, 20, 21])
_FROM_X_TO_Z = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
_NORM_TOLERANCE = 1e-3


def x_axis_onto(direction: Floats) -> Floats:
    """Return the quaternion (4,), xyzw, of a rotation that takes x onto a unit vector (3,)."""
    return quaternion_from_matrix(axis_alignment(direction) @ _FROM_X_TO_Z)


class Bodies:
    """The bodies at one instant.

    Attributes:
        block: (nb, 28), see above; rows that are not sound may hold anything.
        sound: (nb,) valid bodies with a pose that can be shown.
        orientation: (nb, 4) xyzw; the identity where it is not sound.
        rotation: (nb, 3, 3), body to world axes.
        q: (nq,) coordinates; None where they are not known.
        acting: What acts on the robot.
    """

    def __init__(
        self, block: Floats, valid: Flags, q: Floats | None = None, acting: Acting = NOTHING
    ) -> None:
        """Look the block over; it is kept, not copied."""
        turns = block[:, ORIENTATION]
        near = (np.abs(block[:, _PLACE]) <= REACH).all(axis=1)
        off = np.abs(np.einsum("ij,ij->i", turns, turns) - 1.0)
        self.block = block
        self.q = q
        self.acting = acting
        self.sound: Flags = valid & near & (off <= _NORM_TOLERANCE)
        self.orientation: Floats = np.where(self.sound[:, None], turns, IDENTITY)
        self.rotation: Floats = quaternion_to_matrix(self.orientation)

    def points(self, body: Indices, columns: Indices) -> Floats:
        """Return three columns (n, 3) of some bodies' rows; zero for those not sound."""
        found = self.block[body[:, None], columns]
        return np.where(self.sound[body][:, None], found, 0.0)

    def poses(self, body: Indices, anchor: Floats, offset: Floats, turn: Floats) -> Floats:
        """Return the poses (n, 7) of things fixed in bodies: position in m and unit quaternion.

        Args:
            body: Their bodies (n,).
            anchor: Points (n, 3) of the bodies in the world, m.
            offset: The things' positions from those points, (n, 3), body axes, m.
            turn: Rotations (n, 4), xyzw, of their axes to the bodies'.
        """
        poses = np.empty((len(body), 7))
        poses[:, :3] = anchor + np.einsum("ijk,ik->ij", self.rotation[body], offset)
        turns = quaternion_product(self.orientation[body], turn)
        poses[:, 3:] = turns / np.sqrt(np.einsum("ij,ij->i", turns, turns))[:, None]
        return poses

    def tips(
        self, body: Indices, columns: Indices, scale: Floats, shortest: float, longest: float
    ) -> tuple[Floats, Floats, Flags]:
        """Return the ends of arrows relative to their starts.

        Args:
            body: Their bodies (n,).
            columns: (n, 3) columns of the vectors that the arrows show.
            scale: (n,) m per unit.
            shortest: m; an arrow that would be shorter is not shown.
            longest: m; an arrow that would be longer is cut to this length.

        Returns:
            The ends (n, 3) in m; the lengths (n,) in m; which are shown (n,). One that is not has
            the end (longest, 0, 0).
        """
        vectors = self.block[body[:, None], columns] * scale[:, None]
        return cut(vectors, self.sound[body], shortest, longest)


def cut(
    vectors: Floats, sound: Flags, shortest: float, longest: float
) -> tuple[Floats, Floats, Flags]:
    """Return vectors (n, 3) as `Bodies.tips` does, those that are not sound among the hidden."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    shown = sound & (lengths >= shortest) & (lengths < np.inf)
    kept = np.where(shown, np.minimum(lengths, longest), longest)
    ends = vectors * (kept / np.where(shown, lengths, 1.0))[:, None]
    return np.where(shown[:, None], ends, [longest, 0.0, 0.0]), kept, shown
