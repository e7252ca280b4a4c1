"""Coordinates whose values are given while a mechanism is closed, by name and by entry of v."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import ArgumentError, UnknownNameError, quoted
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.spatial.arrays import real_array

Floats = NDArray[np.float64]


def columns_of_inputs(model: Model, inputs: Mapping[str, float]) -> dict[int, float]:
    """Return the values by entry of v.

    Raises:
        UnknownNameError: no such coordinate, or one that cannot be given alone.
        ArgumentError: a value that is no number, or not finite.
    """
    if not isinstance(inputs, Mapping):
        raise ArgumentError(
            f"inputs must be a mapping from coordinates to numbers, got {quoted(inputs)}"
        )
    found = {}
    for name, value in inputs.items():
        array = real_array(f"the value of {quoted(name)}", value)
        if array.ndim:
            raise ArgumentError(
                f"the value of {quoted(name)} must be one number, got shape {array.shape}"
            )
        number = float(array)
        if not np.isfinite(number):
            raise ArgumentError(f"the value of {quoted(name)} is {number}; give a finite number")
        found[_column(model, name)] = number
    return found


def with_inputs(model: Model, q: Floats, inputs: Mapping[int, float]) -> Floats:
    """Return q (nq,) with the coordinates behind entries of v set to values."""
    q = q.copy()
    for k, value in inputs.items():
        joint, own = _place(model, k)
        place = joint.joint.rate_coordinates()[own]
        if place is not None:
            q[joint.q_index + place] = value
    return q


def free_columns(model: Model, inputs: Mapping[int, float]) -> list[int]:
    """Return the entries of v that may move while inputs are held.

    Those of joints whose rates are not the derivatives of their coordinates all may: what holds a
    coordinate of theirs is an equation, see `rows_of_inputs`.
    """
    return [k for k in range(model.nv) if k not in inputs or not _is_plain(_place(model, k)[0])]


def rows_of_inputs(model: Model, q: Floats, inputs: Mapping[int, float]) -> tuple[Floats, Floats]:
    """Return rows (n, nv) and right-hand sides (n,) that hold inputs which no free column does."""
    rows, right = [], []
    for k, value in inputs.items():
        joint, own = _place(model, k)
        place = joint.joint.rate_coordinates()[own]
        if _is_plain(joint) or place is None:
            continue
        span = slice(joint.v_index, joint.v_index + joint.joint.nv)
        own_q = joint.coordinates.position(q)
        row = np.zeros(model.nv)
        row[span] = [joint.joint.rate(own_q, unit)[place] for unit in np.eye(joint.joint.nv)]
        rows.append(row)
        right.append(value - q[joint.q_index + place])
    return np.array(rows).reshape(-1, model.nv), np.array(right)


def _is_plain(joint: TreeJoint) -> bool:
    """Return whether a joint's rates are the derivatives of its coordinates."""
    kind = joint.joint
    return kind.quaternion_start is None and kind.type_name != "global"


def _place(model: Model, column: int) -> tuple[TreeJoint, int]:
    """Return the joint that an entry of v belongs to, and which of its rates it is."""
    joint = next(j for j in model.own_joints if column < j.v_index + j.joint.nv)
    return joint, column - joint.v_index


def _column(model: Model, name: str) -> int:
    """Return the entry of v of a coordinate that can be given as a number."""
    names = model.coordinate_names
    if name not in names:
        raise UnknownNameError.among("coordinate", name, names)
    k = names.index(name)
    joint, own = _place(model, k)
    if joint.joint.rate_coordinates()[own] is None:
        raise UnknownNameError(
            f"coordinate {quoted(name)} is a turn of a quaternion and cannot be given alone; put"
            " it into the guess"
        )
    return k
