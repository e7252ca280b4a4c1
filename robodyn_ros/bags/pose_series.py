"""Poses of one joint that is moved as a whole, as coordinates with rates and accelerations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.local_fit import local_fit
from robodyn_ros.bags.outliers import pauses
from robodyn_ros.bags.series import WIDTH, Conditioning, Series
from robodyn_ros.conditioning.frame_motion import NORM_TOLERANCE, Motion
from robodyn_ros.conditioning.multi_dof_coordinates import joint_coordinates
from robodyn_ros.conditioning.multi_slots import MultiSlot
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.spatial import quaternion_product

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def pose_series(
    entry: MultiSlot,
    t: Floats,
    pose: Floats,
    twist: Floats,
    twist_given: Flags,
    choices: Conditioning,
) -> Series:
    """Condition poses. Outliers are not looked for.

    Args:
        entry: The joint.
        t: (n,) rising, s.
        pose: (n, 7) position, m, and quaternion xyzw of its child frame in its parent frame.
        twist: (n, 6) angular (rad/s), then linear (m/s), parent axes.
        twist_given: (n,) where there is one.
        choices: What the operator chose.

    Returns:
        Coordinates (n, nq) as positions, rates and accelerations (n, nv), flags (n, 1).
    """
    with np.errstate(all="ignore"):
        norm = np.linalg.norm(pose[:, 3:], axis=1)
        sane = (np.abs(pose) <= LIMIT).all(axis=1) & (np.abs(norm - 1.0) <= NORM_TOLERANCE)
        twist_sane = (np.abs(twist) <= LIMIT).all(axis=1)
    measured = sane & twist_given & twist_sane
    nq, nv = entry.joint.nq, entry.joint.nv
    q, v, a = (
        np.full((len(t), nq), np.nan),
        np.full((len(t), nv), np.nan),
        np.full((len(t), nv), np.nan),
    )
    velocity_ok, accelerated = (np.zeros(len(t), dtype=bool) for _ in range(2))
    good = np.flatnonzero(sane)
    if len(good):
        time, places = t[good], pose[good].copy()
        places[:, 3:] = _continuous(places[:, 3:] / norm[good, None])
        rates, changes, rate_known, change_known = _derived(time, places, choices)
        own = measured[good]
        if own.any():
            fit = local_fit(
                time[own], twist[good][own], pauses(time[own]), WIDTH * choices.filter_time_constant
            )
            rates[own], changes[own] = twist[good][own], fit.slope
            rate_known[own], change_known[own] = True, fit.samples > 1
        if not choices.filtered_acceleration:
            changes[:], change_known[:] = 0.0, True
        velocity_ok[good], accelerated[good] = rate_known, change_known
        q[good], v[good], a[good] = _coordinates(entry, places, rates, changes)
    return Series(
        q,
        v,
        a,
        sane[:, None],
        velocity_ok[:, None],
        accelerated[:, None],
        ~sane[:, None] | (twist_given & ~twist_sane)[:, None],
        np.zeros((len(t), 1), dtype=bool),
    )


def _coordinates(
    entry: MultiSlot, poses: Floats, rates: Floats, changes: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return q (n, nq), v and a (n, nv) of poses (n, 7) with rates and changes (n, 6)."""
    found = [
        joint_coordinates(entry.joint, Motion(p[:3], p[3:], w[:3], w[3:], dw[:3], dw[3:]))
        for p, w, dw in zip(poses, rates, changes, strict=True)
    ]
    q, v, a = (np.array(x) for x in zip(*found, strict=True))
    return q, v, a


def _continuous(quaternion: Floats) -> Floats:
    """Return quaternions (n, 4) of which none is nearer to the one before with the other sign."""
    flips = np.sign(np.einsum("ni,ni->n", quaternion[1:], quaternion[:-1]))
    flips[flips == 0.0] = 1.0
    return np.asarray(quaternion * np.concatenate([[1.0], np.cumprod(flips)])[:, None])


def _derived(t: Floats, pose: Floats, choices: Conditioning) -> tuple[Floats, Floats, Flags, Flags]:
    """Return rates and changes (n, 6), angular first, that poses have, and where they are known.

    With quaternions w = 2 q' q*, and since q' q'* is a number, the vector of 2 q'' q* is w'.
    """
    fit = local_fit(t, pose, pauses(t), WIDTH * choices.filter_time_constant)
    back = pose[:, 3:] * [-1.0, -1.0, -1.0, 1.0]
    angular = [2.0 * np.asarray(quaternion_product(x[:, 3:], back))[:, :3] for x in fit[:2]]
    rates, changes = (
        np.concatenate([turn, x[:, :3]], axis=1) for turn, x in zip(angular, fit[:2], strict=True)
    )
    return rates, changes, fit.samples > 1, fit.samples > 2
