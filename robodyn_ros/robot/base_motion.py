"""A prescribed base's motion from loose values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import BaseMotion
from robodyn_ros.model.elements import constant
from robodyn_ros.robot.arguments import QUATERNION_TOLERANCE, batch_size, float_array
from robodyn_ros.spatial import quaternion_to_matrix


def base_motion(
    position: ArrayLike,
    quaternion: ArrayLike,
    angular_velocity: ArrayLike,
    linear_velocity: ArrayLike,
    angular_acceleration: ArrayLike,
    linear_acceleration: ArrayLike,
) -> BaseMotion:
    """Return the checked motion; every argument single or one row per sample of a batch.

    Raises:
        ArgumentError: wrong shape, a non-finite number, a quaternion whose norm is not 1.
    """
    attitude = float_array("quaternion", quaternion, (4,))
    with np.errstate(over="ignore"):
        norm = np.atleast_1d(np.linalg.norm(attitude, axis=-1))
    wrong = norm[np.abs(norm - 1.0) > QUATERNION_TOLERANCE]
    if wrong.size:
        raise ArgumentError(f"the base's quaternion has norm {wrong[0]:.9g}; normalise it to 1")
    vectors = {
        "position": position,
        "angular_velocity": angular_velocity,
        "linear_velocity": linear_velocity,
        "angular_acceleration": angular_acceleration,
        "linear_acceleration": linear_acceleration,
    }
    checked = {name: constant(float_array(name, x, (3,))) for name, x in vectors.items()}
    for name, array in (("quaternion", attitude), *checked.items()):
        if not np.all(np.isfinite(array)):
            raise ArgumentError(f"the base's {name} must be finite")
    sized = {name: (array, 1) for name, array in (("quaternion", attitude), *checked.items())}
    if batch_size(sized) == 0:
        raise ArgumentError("a batch of base motions must have at least one row")
    return BaseMotion(rotation=constant(quaternion_to_matrix(attitude)), **checked)
