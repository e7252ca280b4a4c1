"""Efforts as pictures have them: arcs about the axes of joints that turn, arrows along others.

An arc runs from a direction fixed in the body that the joint moves, to the side to which the effort
turns that body: by the right-hand rule about the axis. A full circle is the joint's limit; without
a limit known, an effort that is given.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model.elements import TreeJoint
from robodyn_ros.model.joint_axes import joint_axes, joints_with_axes
from robodyn_ros.model.model import Model
from robodyn_ros.spatial import axis_alignment

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

SEGMENTS = 20
"""Straight pieces of an arc, however long it is."""
ARC_POINTS = SEGMENTS + 4
"""Points of an arc's line: those of the pieces, then one side of the head, its tip, the other."""
LEAST_SHARE = 0.01
"""What is a smaller share of a full circle is not shown."""
_HEAD = 0.3
"""Length of the head: a share of the radius."""
_HEAD_OF_ARC = 0.5
"""The same, at most: a share of the arc."""
_HALF_WIDTH = 0.5

_STEPS = 64
_BRIGHT, _DARK = 0.9, 0.2
_OTHERS = ((0.85, 0.1, 0.9), (0.3, 0.6, 1.0), (0.5, 0.5, 0.5))
_BEYOND, _WITHOUT_LIMIT, _INVALID = range(_STEPS + 1, _STEPS + 4)
"""Rows of `_PALETTE` behind those of the shares of a limit from nothing to all."""


class EffortAxes:
    """The axes of all coordinates that have efforts: not of followers, nor of a moving base.

    Attributes:
        body: (n,) number of the body that the joint moves.
        rate: (n,) which of the joint's rates.
        column: (n,) entry of v.
        turns: (n,) whether the effort is a moment.
        limit: (n,) of the effort, N m or N; NaN where none is known.
        center: (n, 3) point of the axis next to the joint's frame, in that body, m.
        basis: (n, 3, 3) in that body: in its columns where arcs begin, a quarter turn on, the axis.
    """

    def __init__(self, model: Model) -> None:
        """Find them; those that depend on coordinates are where they are at neutral ones."""
        found = [x for x in joints_with_axes(model) if not x[1].is_follower]
        rows = [(body, k, joint) for body, joint in found for k in range(joint.joint.nv)]
        limits = [joint.rate_limits[k].effort for _, k, joint in rows]
        self.body: Indices = np.array([body for body, _, _ in rows], dtype=np.intp)
        self.rate: Indices = np.array([k for _, k, _ in rows], dtype=np.intp)
        self.column: Indices = np.array([x.v_index + k for _, k, x in rows], dtype=np.intp)
        self.turns: Flags = np.array([x.joint.turning()[k] for _, k, x in rows], dtype=bool)
        self.limit: Floats = np.array([x if x else np.nan for x in limits], dtype=np.float64)
        self.center: Floats = np.zeros((len(rows), 3))
        self.basis: Floats = np.tile(np.eye(3), (len(rows), 1, 1))
        self._changing: list[tuple[int, TreeJoint]] = []
        first = 0
        for _, joint in found:
            neutral = joint.joint.neutral()
            self._put(first, joint, neutral)
            if joint.joint.subspace_derivative(neutral) is not None:
                self._changing.append((first, joint))
            first += joint.joint.nv

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.body)

    @property
    def are_fixed(self) -> bool:
        """Whether all of them are where they are in their bodies whatever the coordinates."""
        return not self._changing

    def follow(self, q: Floats) -> None:
        """Put axes that depend on coordinates where they are at q (nq,)."""
        for first, joint in self._changing:
            self._put(first, joint, joint.coordinates.position(q))

    def _put(self, first: int, joint: TreeJoint, z: Floats) -> None:
        for row, axis in enumerate(joint_axes(joint.joint, z), first):
            self.center[row] = axis.point
            self.basis[row] = axis_alignment(axis.direction)


class Strengths(NamedTuple):
    """How much of a full circle, or arrow, efforts are.

    Attributes:
        share: (n,) with sign, of a full circle, -1 to 1.
        shown: (n,) whether it is known and not too small.
        color: (n, 4) red, green, blue, alpha: by the share of the limit from green over yellow to
            red, purple beyond it; blue where no limit is known; grey where it is not valid.
    """

    share: Floats
    shown: Flags
    color: Floats


def _palette() -> Floats:
    """Return colours (n, 4): green to yellow to red, and those that mean something else."""
    half = 0.5 * _STEPS
    steps = np.arange(_STEPS + 1)
    red, green = np.minimum(steps / half, 1.0), np.minimum((_STEPS - steps) / half, 1.0)
    shares = np.stack([red, green, np.zeros(_STEPS + 1)], axis=-1)
    rows = np.concatenate([_DARK + (_BRIGHT - _DARK) * shares, _OTHERS])
    return np.concatenate([rows, np.full((len(rows), 1), 0.95)], axis=1)


_PALETTE = _palette()


def strengths(effort: Floats, whole: Floats, limited: Flags, valid: Flags) -> Strengths:
    """Return how efforts are shown.

    Args:
        effort: (n,), N m or N; NaN for not known.
        whole: (n,) what a full circle is: the limit, or something else above 0.
        limited: (n,) whether it is the limit.
        valid: (n,) whether the effort may be relied on.
    """
    part = effort / whole
    size = np.abs(part)
    known = size < np.inf
    part = np.where(known, np.maximum(np.minimum(part, 1.0), -1.0), 0.0)
    row = np.where(size > 1.0, _BEYOND, (_STEPS * np.abs(part)).astype(np.intp))
    row = np.where(limited, row, _WITHOUT_LIMIT)
    color = _PALETTE[np.where(valid, row, _INVALID)]
    return Strengths(part, known & (size >= LEAST_SHARE), color)


def arcs(angle: Floats, radius: Floats) -> Floats:
    """Return the points (n, ARC_POINTS, 2) of arcs with heads, about the origin.

    They begin on the first axis and go towards the second where the angle is positive.

    Args:
        angle: (n,) rad.
        radius: (n,) m.
    """
    # As complex numbers; one step after the other turns by the same.
    circle = np.empty((len(angle), ARC_POINTS), dtype=np.complex128)
    circle[:, 0] = radius
    circle[:, 1:] = np.exp((1j / SEGMENTS) * angle)[:, None]
    np.cumprod(circle[:, : SEGMENTS + 1], axis=1, out=circle[:, : SEGMENTS + 1])
    tip = circle[:, SEGMENTS]
    head = np.minimum(_HEAD, _HEAD_OF_ARC * np.abs(angle))
    behind = -1j * np.copysign(head, angle)
    circle[:, SEGMENTS + 1] = tip * (1.0 + behind + _HALF_WIDTH * head)
    circle[:, SEGMENTS + 2] = tip
    circle[:, SEGMENTS + 3] = tip * (1.0 + behind - _HALF_WIDTH * head)
    points: Floats = circle.view(np.float64).reshape(len(angle), ARC_POINTS, 2)
    return points


def placed(points: Floats, center: Floats, basis: Floats) -> Floats:
    """Return plane points (n, m, 2) in space (n, m, 3).

    Args:
        points: along the first two columns of the basis.
        center: (n, 3) their origin.
        basis: (n, 3, 3).
    """
    found: Floats = center[:, None] + points @ np.swapaxes(basis[:, :, :2], 1, 2)
    return found
