"""Checks of the single values that a builder is given; each error names what the value is of."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.joints.placed import Placed
from robodyn_ros.model.elements import constant
from robodyn_ros.spatial.arrays import real_array

#: No length, mass or inertia in SI units comes near it, and products of a few stay finite.
LARGEST = 1e30

#: How far from orthonormal a rotation may be: six digits of a matrix in a file are enough.
ROTATION_TOLERANCE = 1e-5


def finite(what: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a read-only copy of `values`, checked for shape and size."""
    try:
        array = real_array(what, values)
    except ArgumentError as error:
        raise DescriptionError(str(error)) from None
    if array.shape != shape or not np.all(np.isfinite(array)):
        wanted = f"{shape} finite numbers" if shape else "a finite number"
        raise DescriptionError(f"{what} must be {wanted}, got {array.tolist()}")
    if np.any(np.abs(array) > LARGEST):
        raise DescriptionError(f"{what} is too large, got {array.tolist()}; check its unit")
    return constant(array)


def finite_number(what: str, value: float) -> float:
    """Return `value` as a float, checked to be one finite number."""
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    return float(finite(what, value, ()))  # an array of one number, or an error


def rotation_matrix(what: str, values: ArrayLike | None) -> NDArray[np.float64]:
    """Return a read-only rotation (3, 3), checked to be one; the identity for None."""
    matrix = finite(what, np.eye(3) if values is None else values, (3, 3))
    off = float(np.max(np.abs(matrix @ matrix.T - np.eye(3))))
    if off > ROTATION_TOLERANCE or np.linalg.det(matrix) < 0.0:
        raise DescriptionError(
            f"{what} must be a rotation matrix (orthonormal columns, right-handed), got"
            f" {matrix.tolist()}"
        )
    return matrix


def placed(what: str, joint: Joint, position: ArrayLike, rotation: ArrayLike | None) -> Joint:
    """Return a joint whose successor frame sits at a pose in the child's body frame."""
    at = finite(f"the child position of {what}", position, (3,))
    R_CM = rotation_matrix(f"the child rotation of {what}", rotation)
    is_home = not np.any(at) and np.array_equal(R_CM, np.eye(3))
    return joint if is_home else Placed(joint, R_CM, at)


def known_limits(what: str, limits: JointLimits | None) -> JointLimits:
    """Return the limits, none known for None, checked to hold no NaN."""
    limits = limits or JointLimits()
    for name, value in vars(limits).items():
        if value is not None and math.isnan(value):
            raise DescriptionError(f"{what}: limit {name} is not a number; leave it out instead")
    return limits
