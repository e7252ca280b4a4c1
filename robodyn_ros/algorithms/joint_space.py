"""Between the joints' own rates and the model's: poses of lumps, and efforts by coordinate.

A joint's efforts are conjugate to its own rates dz; those of the model's coordinates follow by
virtual work, so that a follower's effort is carried by its driver.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robodyn_ros.model import Model
from robodyn_ros.spatial import Array, apply

Pose = tuple[Array, Array]


def lump_poses(model: Model, q: Array) -> list[Pose]:
    """Return R_PL (..., 3, 3) and p_PL (..., 3) of every moving lump in its parent lump."""
    poses = []
    for _, lump in model.lumped.moving:
        R_FM, p_FM = lump.joint.joint.pose(lump.joint.coordinates.position(q))
        poses.append((lump.rotation @ R_FM, lump.position + apply(lump.rotation, p_FM)))
    return poses


def joint_rates(model: Model, q: Array, v: Array) -> list[Array]:
    """Return the own rates dz (..., nv of the joint) of every moving lump's joint."""
    return [lump.joint.coordinates.velocity(q, v) for lump in model.lumped.lumps]


def coordinate_efforts(
    model: Model, q: Array, efforts: Sequence[Array], lead: tuple[int, ...]
) -> Array:
    """Return efforts (..., nv) by coordinate from those of the joints, by virtual work.

    Args:
        model: the model.
        q: coordinates (..., nq).
        efforts: (..., nv of the joint) for each moving lump.
        lead: leading axes of the result.
    """
    entries: list[Array] = [np.zeros(())] * model.nv
    for lump, effort in zip(model.lumped.lumps, efforts, strict=True):
        coordinates = lump.joint.coordinates
        ratios = coordinates.velocity_map(q)
        for k, column in enumerate(coordinates.columns()):
            share = (effort * ratios[..., :, k]).sum(axis=-1)
            entries[column] = entries[column] + share
    if not entries:
        return np.zeros((*lead, 0))
    return np.stack([np.broadcast_to(entry, lead) for entry in entries], axis=-1)
