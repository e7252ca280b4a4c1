"""Inertias regrouped, so that joint efforts take less arithmetic to compute.

What of a body does not notice its joint's motion may as well belong to the parent body: mass spread
along the axis of a joint that turns, a mass at the centre of a ball, a second moment without mass
behind a joint that slides. Moved inwards from the leaves, such parts leave every body with zeros in
its moments, and no joint effort changes. The bodies so obtained need not be possible ones: only
their joint efforts mean something.

Source: Gautier and Khalil 1990, minimal inertial parameters; here by constants, keeping ten each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import apply, compose, transpose
from robodyn_ros.spatial.rotations import snapped

if TYPE_CHECKING:
    from robodyn_ros.model.lumped import Lump, LumpedTree

Floats = NDArray[np.float64]

_ROWS = np.array((0, 0, 1, 0, 1, 2))
_COLUMNS = np.array((0, 1, 1, 2, 2, 2))
#: Of the length of a screw: what is less is rounding.
_NOTHING = 1e-14
#: Positions at which a joint is looked at whose subspace changes.
_POSITIONS = 3


def regrouped(tree: LumpedTree, inertias: Floats) -> Floats:
    """Return [m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz] (n, 10) of the lumps, regrouped.

    J are the second moments about the origin, tr(I) / 2 - I. Linear in `inertias` (n, 10).
    """
    found = np.array([_second_moments(row) for row in inertias])
    for (i, lump), parts in zip(reversed(tree.moving), reversed(tree.unnoticed), strict=True):
        kept, moved = found[i], np.zeros(10)
        for part in parts:
            pivot = _pivot(part)
            share = kept[pivot] / part[pivot] * part
            moved += share
            kept -= share
            kept[pivot] = 0.0
        if len(parts):
            found[lump.parent] += _carried(lump, moved)
    return found


def structural_zeros(tree: LumpedTree) -> NDArray[np.bool_]:
    """Return which entries (n, 10) of `regrouped` are zero whatever the inertias are."""
    probes = np.random.default_rng(0).uniform(0.5, 1.5, (3, tree.size, 10))
    zeros: NDArray[np.bool_] = np.all([regrouped(tree, probe) == 0.0 for probe in probes], axis=0)
    return zeros


def unnoticed(joint: Joint) -> Floats:
    """Return a basis (n, 10) of the moments that do not notice a joint's motion.

    They have no momentum whatever the joint's rates are, and are the same in its predecessor frame
    wherever it is. With the screws of the joint in the body frame:

    * all slide: second moments without mass;
    * one, without pitch, turns about a line: whatever is spread along the line;
    * others turn about parallel lines, slide, or both: a second moment along the lines;
    * all turn about one point: a mass there.

    Each row has a first entry that is not zero (`_pivot`) and that later rows have zero.
    """
    screws = _screws(joint)
    turns, lengths = screws[:, :3], np.linalg.norm(screws, axis=1)
    turning = np.linalg.norm(turns, axis=1) > _NOTHING * lengths
    nothing = np.zeros(3)
    if not turning.any():
        return np.eye(10)[4:]
    first = turns[turning][0]
    axis = snapped(first / np.linalg.norm(first))
    parallel = np.all(np.linalg.norm(np.cross(turns, axis), axis=1) <= _NOTHING * lengths)
    along = _row(0.0, nothing, axis[:, None] * axis)
    if parallel and joint.nv > 1:
        return along[None]
    point = _common_point(screws)
    if point is None:
        return along[None] if parallel else np.zeros((0, 10))
    mass = _row(1.0, point, point[:, None] * point)
    if not parallel:
        return mass[None]
    line = _row(0.0, axis, point[:, None] * axis + axis[:, None] * point)
    return np.array([mass, line, along])


def _screws(joint: Joint) -> Floats:
    """Return the columns (n, 6) of a joint's subspace, at several positions where it changes."""
    if joint.subspace_derivative(joint.neutral()) is None:
        return np.array(transpose(joint.motion_subspace(joint.neutral())))
    rng, free = np.random.default_rng(0), JointLimits()
    places = [joint.random(rng, free) for _ in range(_POSITIONS)]
    return np.concatenate([transpose(joint.motion_subspace(q)) for q in places])


def _common_point(screws: Floats) -> Floats | None:
    """Return a point (3,) that none of the screws moves, None where there is none."""
    # w x c + v = 0 for each.
    rows = [np.cross(np.eye(3), w).T for w in screws[:, :3]]
    point = snapped(np.linalg.lstsq(np.concatenate(rows), screws[:, 3:].ravel(), rcond=1e-9)[0])
    left = np.cross(screws[:, :3], point) + screws[:, 3:]
    scale = np.linalg.norm(screws, axis=1) * (1.0 + np.linalg.norm(point))
    fixed = np.all(np.linalg.norm(left, axis=1) <= _NOTHING * scale)
    return point if fixed else None


def _pivot(part: Floats) -> int:
    """Return the entry by which a part of moments is told: mass, else the largest moment."""
    if part[0] != 0.0:
        return 0
    if np.any(part[1:4]):
        return 1 + int(np.argmax(np.abs(part[1:4])))
    return 4 + int(np.argmax(np.abs(part[4:])))


def _row(mass: float, first: Floats, second: Floats) -> Floats:
    return np.array([mass, *first, *second[_ROWS, _COLUMNS]])


def _second_moments(parameters: Floats) -> Floats:
    mass, first, inertia = moments(parameters)
    return _row(float(mass), np.asarray(first), 0.5 * np.trace(inertia) * np.eye(3) - inertia)


def _carried(lump: Lump, moved: Floats) -> Floats:
    """Return moments (10,) about the parent lump's frame, in its axes."""
    joint = lump.joint.joint
    home = joint.pose(joint.neutral())
    R, p = compose((lump.rotation, lump.position), home)
    R = snapped(R)
    mass, first = moved[0], moved[1:4]
    second = np.empty((3, 3))
    second[_ROWS, _COLUMNS] = second[_COLUMNS, _ROWS] = moved[4:]
    turned = apply(R, first)
    outer = np.outer(p, turned)
    second = R @ second @ transpose(R) + outer + outer.T + mass * np.outer(p, p)
    return _row(mass, turned + mass * p, second)
