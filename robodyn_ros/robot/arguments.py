"""Checks at the public edge: shapes, unit quaternions, and rows that are not finite."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.robot.mappings import refuse_mapping
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]

#: A quaternion's norm may differ from 1 by this much.
QUATERNION_TOLERANCE = 1e-6


def float_array(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return `value` as a float64 array of `shape`, or of that behind one batch axis."""
    refuse_mapping(name, value)
    array = real_array(name, value)
    lead = array.ndim - len(shape)
    if lead not in (0, 1) or array.shape[lead:] != shape:
        batch = "(N,)" if not shape else f"(N, {', '.join(map(str, shape))})"
        raise ArgumentError(f"{name} must have shape {shape} or {batch}, got {array.shape}")
    return array


def require_unit_quaternions(model: Model, q: Floats) -> None:
    """Raise ArgumentError where a finite row of q (..., nq) holds a quaternion of another norm."""
    for joint in model.own_joints:
        begin = joint.joint.quaternion_start
        if begin is None:
            continue
        first = joint.q_index + begin
        with np.errstate(over="ignore"):
            norm = np.linalg.norm(q[..., first : first + 4], axis=-1)
        finite = np.isfinite(q).all(axis=-1)
        wrong = finite & (np.abs(norm - 1.0) > QUATERNION_TOLERANCE)
        if np.any(wrong):
            worst = float(np.atleast_1d(norm)[np.atleast_1d(wrong)][0])
            raise ArgumentError(
                f"the quaternion of joint {joint.name!r}, q[{first}:{first + 4}], has norm"
                f" {worst:.9g}; normalise it to 1 (within {QUATERNION_TOLERANCE:g})"
            )


def batch_size(arguments: Mapping[str, tuple[Floats, int]]) -> int | None:
    """Return N of the arguments {name: (array, ndim of a single one)}, None where all are single.

    Raises:
        ArgumentError: two batches of unequal size.
    """
    sizes = {name: x.shape[0] for name, (x, ndim) in arguments.items() if x.ndim > ndim}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise ArgumentError(f"batched arguments must have equally many rows: {listed}")
    return next(iter(sizes.values()), None)


def finite_rows(arrays: Mapping[str, tuple[Floats, int]]) -> NDArray[np.bool_]:
    """Return which rows are finite in all arguments: (N,), or () where all are single."""
    finite: NDArray[np.bool_] = np.asarray(True)
    for x, ndim in arrays.values():
        axes = tuple(range(x.ndim - ndim, x.ndim))
        finite = finite & np.all(np.isfinite(x), axis=axes)
    return finite


def with_masked_rows(
    function: Callable[[], Floats], arrays: Mapping[str, tuple[Floats, int]]
) -> Floats:
    """Return what `function` makes of `arrays`, with NaN in the rows that are not finite."""
    with np.errstate(all="ignore"):
        result = function()
    result[~finite_rows(arrays)] = np.nan
    return result


def joint_values(model: Model, values: Mapping[str, ArrayLike]) -> list[tuple[TreeJoint, Floats]]:
    """Return (joint, its coordinates) for values by joint name, checked for name and length."""
    if not isinstance(values, Mapping):
        raise ArgumentError(f"joint values must be a mapping by joint name, got {values!r}")
    found: list[tuple[TreeJoint, Floats]] = []
    for name, value in values.items():
        joint = model.own_joint(name)
        numbers = real_array(f"the value of joint {name!r}", value).reshape(-1)
        if numbers.shape != (joint.joint.nq,):
            raise ArgumentError(
                f"joint {name!r} has {joint.joint.nq} coordinate(s), got {numbers.size}"
            )
        found.append((joint, numbers))
    return found
