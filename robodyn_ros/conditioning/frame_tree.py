"""How frames are turned against each other, as transforms tell it: the newest of each.

Only rotations are kept. A transform's age counts from when its stamp last changed, by this
machine's own clock, so that a publisher which repeats an old transform does not pass for a fresh
one, and clocks of other machines do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.errors import quoted
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]
Quaternion = tuple[float, float, float, float]

CAPACITY = 10_000
"""Frames that are remembered; further ones are not taken."""
SHOWN = 8
"""Of many frames that are at fault, so many are told."""
_NORM_TOLERANCE = 1e-2


class Turn(NamedTuple):
    """How one frame is turned against another.

    Attributes:
        rotation: (3, 3), axes of the first to axes of the second; the identity where unknown.
        since: Monotonic time of the oldest transform in it, s; infinity where all are fixed.
        trouble: Why it is not known, "" where it is.
        children: The frames whose transforms it rests on.
    """

    rotation: Floats
    since: float
    trouble: str
    children: tuple[str, ...]


@dataclass(slots=True)
class _Link:
    parent: str
    quaternion: Quaternion
    stamp: int
    since: float


class FrameTree:
    """Frames by name, each in its parent."""

    def __init__(self) -> None:
        self._links: dict[str, _Link] = {}
        self._unfit: dict[str, None] = {}

    def take(
        self,
        parent: str,
        child: str,
        quaternion: Quaternion,
        stamp: int,
        *,
        fixed: bool,
        now: float,
    ) -> None:
        """Take one transform, unless its quaternion is none or it does not tie two frames.

        Names may begin with a slash, as in ROS 1, which is dropped.

        Args:
            parent: Frame that it is given in.
            child: Frame that it places.
            quaternion: xyzw, child axes to parent axes; of any norm within 1e-2 of 1.
            stamp: Its time, ns.
            fixed: Whether it holds for ever.
            now: Monotonic time, s.
        """
        parent, child = parent.removeprefix("/"), child.removeprefix("/")
        if not parent or not child or parent == child:
            return
        norm = sqrt(sum(x * x for x in quaternion))
        if not (isfinite(norm) and abs(norm - 1.0) <= _NORM_TOLERANCE):
            if len(self._unfit) < CAPACITY:
                self._unfit[child] = None
            return
        self._unfit.pop(child, None)
        x, y, z, w = (each / norm for each in quaternion)
        known = self._links.get(child)
        if known is None and len(self._links) >= CAPACITY:
            return
        since = now
        if fixed:
            since = inf
        elif known is not None and known.stamp == stamp and known.parent == parent:
            since = min(known.since, now)
        self._links[child] = _Link(parent, (x, y, z, w), stamp, since)

    def turn(self, frame: str, target: str) -> Turn:
        """Return how `frame` is turned against `target`."""
        frame, target = frame.removeprefix("/"), target.removeprefix("/")
        ups = self._up(frame), self._up(target)
        above = set(ups[1])
        top = next((name for name in ups[0] if name in above), None)
        if top is None:
            return Turn(np.eye(3), -inf, self._gap(frame, target), ())
        branches = [up[: up.index(top)] for up in ups]
        children = (*branches[0], *branches[1])
        if loop := self._loop(ups[0]).intersection(children):
            named = ", ".join(map(quoted, sorted(loop)[:SHOWN]))
            trouble = f"the transforms of frames {named} form a loop"
            return Turn(np.eye(3), -inf, trouble, ())
        R_AF, R_AT = (self._rotation(branch) for branch in branches)
        since = min((self._links[child].since for child in children), default=inf)
        return Turn(R_AT.T @ R_AF, since, "", children)

    def _up(self, frame: str) -> list[str]:
        """Return the frame, its parent and so on, each once."""
        names: dict[str, None] = {}
        while frame not in names:
            names[frame] = None
            link = self._links.get(frame)
            if link is None:
                break
            frame = link.parent
        return list(names)

    def _loop(self, up: list[str]) -> set[str]:
        """Return the frames of the loop that the end of a way up leads into, mostly none."""
        last = self._links.get(up[-1])
        return set() if last is None else set(up[up.index(last.parent) :])

    def _rotation(self, branch: list[str]) -> Floats:
        """Return the rotation from the first frame's axes to those of the last one's parent."""
        rotation: Floats = np.eye(3)
        for child in branch:
            rotation = quaternion_to_matrix(np.array(self._links[child].quaternion)) @ rotation
        return rotation

    def _gap(self, frame: str, target: str) -> str:
        """Return why there is no way from one frame to the other."""
        known = {link.parent for link in self._links.values()} | self._links.keys()
        unknown = [name for name in (frame, target) if name not in known]
        if unknown:
            named = " nor ".join(map(quoted, unknown))
            trouble = f"no transform of frame {named} on /tf or /tf_static yet"
        else:
            trouble = (
                f"frames {quoted(frame)} and {quoted(target)} are not in one tree of transforms"
            )
        if self._unfit:
            named = ", ".join(map(quoted, [*self._unfit][:SHOWN]))
            trouble += f"; the transforms of {named} have no unit quaternion"
        return trouble
