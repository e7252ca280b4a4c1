"""What a builder is given for a joint's rates: one value for all, or one for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import DescriptionError
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.checks import finite, known_limits
from robodyn_ros.model.elements import constant


def limits_of_rates(
    what: str, limits: JointLimits | Sequence[JointLimits] | None, count: int
) -> tuple[JointLimits, ...]:
    """Return `count` limits, checked, of one for all rates or one for each."""
    if limits is None or isinstance(limits, JointLimits):
        return (known_limits(what, limits),) * count
    given = tuple(limits)
    _require_count(what, "limits", len(given), count)
    return tuple(known_limits(what, one) for one in given)


def parameters_of_rates(
    what: str, count: int, *, armature: ArrayLike, damping: ArrayLike, friction: ArrayLike
) -> NDArray[np.float64]:
    """Return armature, damping and friction (count, 3), each given once or for every rate."""
    columns = [
        _numbers(f"{what}: {name}", values, count)
        for name, values in (("armature", armature), ("damping", damping), ("friction", friction))
    ]
    return constant(np.stack(columns, axis=-1))


def initial_values(
    what: str, joint: Joint, q: ArrayLike | None, v: ArrayLike | None
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Return initial coordinates (nq,) with quaternions of norm 1, and rates (nv,)."""
    rates = None if v is None else _numbers(f"{what}: initial velocity", v, joint.nv)
    if q is None:
        return None, rates
    values = np.atleast_1d(np.asarray(q))
    coordinates = np.array(_numbers(f"{what}: initial position", values, joint.nq))
    start = joint.quaternion_start
    if start is not None:
        norm = float(np.linalg.norm(coordinates[start : start + 4]))
        if abs(norm - 1.0) > 1e-3:
            raise DescriptionError(
                f"{what}: the quaternion of its initial position has norm {norm:g}; give one of"
                " norm 1, as x, y, z, w"
            )
        coordinates[start : start + 4] /= norm
    return constant(coordinates), rates


def _numbers(what: str, values: ArrayLike, count: int) -> NDArray[np.float64]:
    """Return `count` finite numbers of one for all or one for each."""
    if np.ndim(values) == 0:
        return constant(np.full(count, float(finite(what, values, ()))))
    _require_count(what, "numbers", len(np.asarray(values)), count)
    return finite(what, values, (count,))


def _require_count(what: str, things: str, given: int, count: int) -> None:
    if given != count:
        raise DescriptionError(f"{what}: {count} {things} are needed, or one for all, got {given}")
