"""Rotations, poses and spatial (6-vector) operators on plain arrays.

Everything here takes leading batch axes and works alike on float arrays and on object arrays whose
entries are symbols (see `robodyn_ros.kernels.scalar`), so that what is built from it can be traced.
Spatial vectors are angular first. Quaternions are (x, y, z, w).
"""

from robodyn_ros.kernels.scalar import cos, sin, sqrt, where
from robodyn_ros.spatial.arrays import Array, joined
from robodyn_ros.spatial.exponential import (
    exponential_coefficients,
    left_jacobian,
    left_jacobian_inverse,
)
from robodyn_ros.spatial.poses import adjoint, apply_adjoint, compose, invert
from robodyn_ros.spatial.quaternions import (
    quaternion_exponential,
    quaternion_from_matrix,
    quaternion_inverse,
    quaternion_logarithm,
    quaternion_moved,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
)
from robodyn_ros.spatial.rotations import (
    apply,
    axis_alignment,
    axis_rotation,
    cross,
    rotation_from_rpy,
    skew,
    transpose,
)

__all__ = [
    "Array",
    "adjoint",
    "apply",
    "apply_adjoint",
    "axis_alignment",
    "axis_rotation",
    "compose",
    "cos",
    "cross",
    "exponential_coefficients",
    "invert",
    "joined",
    "left_jacobian",
    "left_jacobian_inverse",
    "quaternion_exponential",
    "quaternion_from_matrix",
    "quaternion_inverse",
    "quaternion_logarithm",
    "quaternion_moved",
    "quaternion_product",
    "quaternion_rate",
    "quaternion_to_matrix",
    "rotation_from_rpy",
    "sin",
    "skew",
    "sqrt",
    "transpose",
    "where",
]
