"""Inertias regrouped, so that joint efforts take less arithmetic to compute.

What of a body is distributed along the axis of its revolute joint does not notice the joint's
turning: it may as well belong to the parent body. The same holds for a second moment without mass
behind a prismatic joint. Moved inwards from the leaves, such parts leave every body with zeros in
its moments, and no joint effort changes. The bodies so obtained need not be possible ones: only
their joint efforts mean something.

Source: Gautier and Khalil 1990, minimal inertial parameters; here by constants, keeping ten each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.joints import Prismatic, Revolute
from robodyn_ros.model.inertia import moments
from robodyn_ros.spatial import apply, transpose

if TYPE_CHECKING:
    from robodyn_ros.model.lumped import Lump, LumpedTree

Floats = NDArray[np.float64]
#: Mass, first moments (3,) and second moments (3, 3) about an origin.
_Moments = tuple[float, Floats, Floats]

_ROWS = (0, 0, 1, 0, 1, 2)
_COLUMNS = (0, 1, 1, 2, 2, 2)


def regrouped(tree: LumpedTree, inertias: Floats) -> Floats:
    """Return [m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz] (n, 10) of the lumps, regrouped.

    J are the second moments about the origin, tr(I) / 2 - I. Linear in `inertias` (n, 10).
    """
    found = [_second_moments(row) for row in inertias]
    for i, lump in reversed(tree.moving):
        kept, moved = _split(lump, found[i])
        found[i] = kept
        inner = found[lump.parent]
        outer = _carried(lump, moved)
        found[lump.parent] = (inner[0] + outer[0], inner[1] + outer[1], inner[2] + outer[2])
    return np.array([[m, *first, *second[_ROWS, _COLUMNS]] for m, first, second in found])


def structural_zeros(tree: LumpedTree) -> NDArray[np.bool_]:
    """Return which entries (n, 10) of `regrouped` are zero whatever the inertias are."""
    probes = np.random.default_rng(0).uniform(0.5, 1.5, (3, tree.size, 10))
    zeros: NDArray[np.bool_] = np.all([regrouped(tree, probe) == 0.0 for probe in probes], axis=0)
    return zeros


def _second_moments(parameters: Floats) -> _Moments:
    mass, first, inertia = moments(parameters)
    return float(mass), first, 0.5 * np.trace(inertia) * np.eye(3) - inertia


def _split(lump: Lump, given: _Moments) -> tuple[_Moments, _Moments]:
    """Return what a lump keeps, and what its parent may carry."""
    mass, first, second = given
    joint = lump.joint.joint
    none = np.zeros((3, 3))
    if isinstance(joint, Revolute):
        axis = np.array(joint.axis)
        along, spread = (first @ axis) * axis, (axis @ second @ axis) * np.outer(axis, axis)
        return (0.0, first - along, second - spread), (mass, along, spread)
    if isinstance(joint, Prismatic):
        return (mass, first, none), (0.0, np.zeros(3), second)
    return given, (0.0, np.zeros(3), none)


def _carried(lump: Lump, moved: _Moments) -> _Moments:
    """Return moments about the parent lump's frame, in its axes."""
    mass, first, second = moved
    R, p = lump.rotation, lump.position
    turned = apply(R, first)
    outer = np.outer(p, turned)
    second = R @ second @ transpose(R) + outer + outer.T + mass * np.outer(p, p)
    return mass, turned + mass * p, second
