"""Checks at the public edge: shapes, unit quaternions, and rows that are not finite."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model
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


def one_configuration(model: Model, name: str, value: ArrayLike) -> Floats:
    """Return `value` as coordinates (nq,) of one configuration, all of them finite."""
    q = float_array(name, value, (model.nq,))
    if q.ndim != 1:
        raise ArgumentError(
            f"{name} must be one configuration of shape {(model.nq,)}, got a batch {q.shape}"
        )
    if not np.all(np.isfinite(q)):
        raise ArgumentError(f"{name} must be finite numbers, got {quoted(q.tolist())}")
    require_unit_quaternions(model, q)
    return q.copy()


def require_unit_quaternions(model: Model, q: Floats) -> None:
    """Raise ArgumentError where a finite row of q (..., nq) holds a quaternion of another norm."""
    places = model.quaternion_places
    if not len(places):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        parts = q[..., places]
        square = np.einsum("...i,...i->...", parts, parts)
        if np.all(np.abs(square - 1.0) <= QUATERNION_TOLERANCE):
            return  # many rows at little cost; what is not surely right is looked at closely
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(q[..., places], axis=-1)
    finite = np.isfinite(q).all(axis=-1)
    for k, (first, *_) in enumerate(places.tolist()):
        norm = norms[..., k]
        wrong = finite & (np.abs(norm - 1.0) > QUATERNION_TOLERANCE)
        if np.any(wrong):
            worst = float(np.atleast_1d(norm)[np.atleast_1d(wrong)][0])
            name = next(j.name for j in reversed(model.own_joints) if j.q_index <= first)
            raise ArgumentError(
                f"the quaternion of joint {name!r}, q[{first}:{first + 4}], has norm"
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


def joint_values(
    model: Model, values: Mapping[str, ArrayLike]
) -> list[tuple[NDArray[np.intp], Floats]]:
    """Return (entries of q, their values) for values by name, checked for name and length.

    A name is a joint's, for all of its coordinates, or `joint/axis` for one of them.
    """
    if not isinstance(values, Mapping):
        raise ArgumentError(f"joint values must be a mapping by joint name, got {values!r}")
    found: list[tuple[NDArray[np.intp], Floats]] = []
    for name, value in values.items():
        places = _entries(model, name)
        numbers = real_array(f"the value of joint {name!r}", value).reshape(-1)
        if numbers.shape != places.shape:
            raise ArgumentError(
                f"joint {name!r} has {places.size} coordinate(s), got {numbers.size}"
            )
        found.append((places, numbers))
    return found


def _entries(model: Model, name: str) -> NDArray[np.intp]:
    """Return the entries of q that a joint's name, or `joint/axis`, stands for."""
    of, slash, axis = name.rpartition("/") if isinstance(name, str) else ("", "", "")
    joints = {joint.name: joint for joint in model.own_joints}
    if slash and name not in joints and of in joints:
        axes = joints[of].joint.coordinate_axes()
        if axis not in axes:
            names = [f"{of}/{each}" for each in axes]
            raise UnknownNameError.among("coordinate", name, names or [of])
        return np.array([joints[of].q_index + axes.index(axis)], dtype=np.intp)
    joint = model.own_joint(name)
    return np.arange(joint.q_index, joint.q_index + joint.joint.nq, dtype=np.intp)
