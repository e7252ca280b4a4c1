"""External wrenches at frames, gathered by lump in a form that any state can use.

A wrench in world axes at a point of a lump has the moment p x R_LW f in the lump's frame, which
depends on the attitude. So the packed form (..., n, 21) of n lumps keeps, of each: the sum of
world moments (3), of world forces (3), of dyads p f^T (9, p in the lump's axes, f in world axes),
and of wrenches that were given in local axes, moved to the lump's frame (6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply, cross, joined, transpose

WrenchAxes = Literal["world", "local"]

#: Numbers per lump in the packed form.
PACKED = 21


def packed_wrenches(
    model: Model, wrenches: Mapping[str, Array], wrench_axes: WrenchAxes = "world"
) -> Array:
    """Return wrenches by frame name, gathered by lump: (..., n, 21).

    Args:
        model: the model.
        wrenches: [moment; force] (..., 6) in N m and N, exerted on the robot at the frame's
            origin.
        wrench_axes: "world", or "local" for the frame's own axes.

    Raises:
        UnknownNameError: no such frame.
        ArgumentError: neither "world" nor "local".
    """
    if wrench_axes not in get_args(WrenchAxes):
        raise ArgumentError(f"wrench_axes must be 'world' or 'local', got {wrench_axes!r}")
    tree = model.lumped
    arrays = {name: np.asarray(wrench) for name, wrench in wrenches.items()}
    lead = np.broadcast_shapes(*(x.shape[:-1] for x in arrays.values()))
    packed = np.zeros((*lead, tree.size, PACKED))
    for name, wrench in arrays.items():
        place = tree.place(model.frame(name))
        row = packed[..., place.lump, :]
        moment, force = wrench[..., :3], wrench[..., 3:]
        if wrench_axes == "world":
            row[..., :3] += moment
            row[..., 3:6] += force
            dyad = place.position[:, None] * force[..., None, :]
            row[..., 6:15] += dyad.reshape((*force.shape[:-1], 9))
        else:
            force = apply(place.rotation, force)
            row[..., 15:18] += apply(place.rotation, moment) + cross(place.position, force)
            row[..., 18:21] += force
    return packed


def packed_by_lump(wrenches: Array) -> Array:
    """Return moments and forces (..., n, 6) on lumps at their origins, in their axes, packed."""
    return joined(np.zeros((*wrenches.shape[:-1], PACKED - wrenches.shape[-1])), wrenches)


def lump_wrench(packed: Array, R_WL: Array) -> tuple[Array, Array]:
    """Return moment and force (..., 3) on a lump at its frame's origin, in its own axes.

    Args:
        packed: the lump's row (..., 21).
        R_WL: the lump's attitude (..., 3, 3).
    """
    R_LW = transpose(R_WL)
    dyad = packed[..., 6:15].reshape((*packed.shape[:-1], 3, 3)) @ R_WL
    moment = apply(R_LW, packed[..., :3]) + packed[..., 15:18] + axial(dyad)
    return moment, apply(R_LW, packed[..., 3:6]) + packed[..., 18:21]


def axial(matrix: Array) -> Array:
    """Return e_abc M_bc (..., 3): the sum of p x f over the dyads p f^T of which M is the sum."""
    m = matrix
    return np.stack(
        [
            m[..., 1, 2] - m[..., 2, 1],
            m[..., 2, 0] - m[..., 0, 2],
            m[..., 0, 1] - m[..., 1, 0],
        ],
        axis=-1,
    )
