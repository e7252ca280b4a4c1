"""Rotations, poses, spatial (6-vector) operators and symmetric matrices on plain arrays.

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
    rotation_exponential,
)
from robodyn_ros.spatial.ldlt import (
    Factors,
    inverted,
    ltdl,
    mirrored,
    safe_inverse,
    solved,
    total,
)
from robodyn_ros.spatial.lu import Triangles, lu_solved, lu_solved_transposed, triangles
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
    angle_about,
    apply,
    axis_alignment,
    axis_rotation,
    cross,
    rotation_from_rpy,
    skew,
    successive_angles,
    transpose,
)
from robodyn_ros.spatial.screws import carried, force_cross, forces_carried, motion_cross

__all__ = [
    "Array",
    "Factors",
    "Triangles",
    "adjoint",
    "angle_about",
    "apply",
    "apply_adjoint",
    "axis_alignment",
    "axis_rotation",
    "carried",
    "compose",
    "cos",
    "cross",
    "exponential_coefficients",
    "force_cross",
    "forces_carried",
    "invert",
    "inverted",
    "joined",
    "left_jacobian",
    "left_jacobian_inverse",
    "ltdl",
    "lu_solved",
    "lu_solved_transposed",
    "mirrored",
    "motion_cross",
    "quaternion_exponential",
    "quaternion_from_matrix",
    "quaternion_inverse",
    "quaternion_logarithm",
    "quaternion_moved",
    "quaternion_product",
    "quaternion_rate",
    "quaternion_to_matrix",
    "rotation_exponential",
    "rotation_from_rpy",
    "safe_inverse",
    "sin",
    "skew",
    "solved",
    "sqrt",
    "successive_angles",
    "total",
    "transpose",
    "triangles",
    "where",
]
