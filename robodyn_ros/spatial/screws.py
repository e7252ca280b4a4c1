"""Spatial motion and force vectors: cross operators on (..., 6), angular part first.

Both operators broadcast, so that a set of vectors is an array of rows (..., n, 6).
"""

from __future__ import annotations

import numpy as np

from robodyn_ros.spatial.arrays import Array, joined
from robodyn_ros.spatial.rotations import cross


def motion_cross(V: Array, M: Array) -> Array:
    """Return V x M (..., n, 6): the rate of motion vectors M (..., n, 6) carried along by V.

    Args:
        V: one motion vector (..., 6).
        M: motion vectors as rows.

    Source: Featherstone 2008, equation 2.31.
    """
    w, v = V[..., None, :3], V[..., None, 3:]
    turn = M[..., :3]
    return joined(cross(w, turn), cross(w, M[..., 3:]) + cross(v, turn))


def force_cross(M: Array, F: Array) -> Array:
    """Return M x* F (..., n, 6): the rate of a force vector F carried along by each of M.

    Args:
        M: motion vectors (..., n, 6) as rows.
        F: one force vector [moment; force] (..., 6).

    Source: Featherstone 2008, equation 2.32.
    """
    moment, force = F[..., None, :3], F[..., None, 3:]
    turn = M[..., :3]
    return joined(cross(turn, moment) + cross(M[..., 3:], force), cross(turn, force))


def carried(pose: tuple[Array, Array], M_B: Array) -> Array:
    """Return motion vectors (..., n, 6) in A's frame of those, as rows, in B's; pose is X_AB."""
    R_AB, p_AB = pose
    back = np.swapaxes(R_AB, -1, -2)
    turn = M_B[..., :3] @ back
    return joined(turn, M_B[..., 3:] @ back + cross(p_AB[..., None, :], turn))


def forces_carried(pose: tuple[Array, Array], F_B: Array) -> Array:
    """Return force vectors (..., n, 6) in A's frame of those, as rows, in B's; pose is X_AB."""
    R_AB, p_AB = pose
    back = np.swapaxes(R_AB, -1, -2)
    force = F_B[..., 3:] @ back
    return joined(F_B[..., :3] @ back + cross(p_AB[..., None, :], force), force)
