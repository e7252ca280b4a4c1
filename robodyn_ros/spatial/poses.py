"""Poses X_AB = (R_AB, p_AB) and the motion transform between their frames.

R_AB turns components in B into components in A; p_AB is the origin of B in A's axes.
"""

from __future__ import annotations

from robodyn_ros.spatial.arrays import Array, joined
from robodyn_ros.spatial.rotations import apply, cross, skew, transpose

Pose = tuple[Array, Array]


def compose(X_AB: Pose, X_BC: Pose) -> Pose:
    """Return X_AC = X_AB X_BC."""
    (R_AB, p_AB), (R_BC, p_BC) = X_AB, X_BC
    return R_AB @ R_BC, p_AB + apply(R_AB, p_BC)


def invert(X_AB: Pose) -> Pose:
    """Return X_BA."""
    R_BA = transpose(X_AB[0])
    return R_BA, -apply(R_BA, X_AB[1])


def adjoint(X_AB: Pose) -> Array:
    """Return the matrix (..., 6, 6) that takes a motion vector from B's frame to A's.

    The vector is [angular; linear], its linear part that of the point at the frame's origin:
    the inverse of Featherstone's Pluecker transform of the same two frames.
    """
    R_AB, p_AB = X_AB
    zero = 0.0 * R_AB
    upper = joined(R_AB, zero)
    lower = joined(skew(p_AB) @ R_AB, R_AB)
    return joined(upper, lower, axis=-2)


def apply_adjoint(X_AB: Pose, V_B: Array) -> Array:
    """Return the motion vector (..., 6) in A's frame of V_B (..., 6) in B's, angular first."""
    R_AB, p_AB = X_AB
    angular = apply(R_AB, V_B[..., :3])
    linear = apply(R_AB, V_B[..., 3:]) + cross(p_AB, angular)
    return joined(angular, linear)
