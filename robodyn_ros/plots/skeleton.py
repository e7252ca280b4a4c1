"""A robot as lines: from each joint to the joints and markers that its body carries."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import BodyMotion
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Model

Floats = NDArray[np.float64]

#: Rows that take world coordinates to right and up on paper.
VIEWS: Mapping[str, Floats] = MappingProxyType(
    {
        "front": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),  # along +y
        "side": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),  # along -x
        "top": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),  # along -z
        "oblique": np.array(
            [
                [np.sqrt(0.5), np.sqrt(0.5), 0.0],
                [-np.sqrt(1.0 / 6.0), np.sqrt(1.0 / 6.0), np.sqrt(2.0 / 3.0)],
            ]
        ),
    }
)


class Line(NamedTuple):
    """A line of a body, from its frame's origin to `end` (3,) in its axes, m."""

    body: int
    end: Floats


class Skeleton:
    """The lines and dots of one model.

    Attributes:
        lines: of all bodies that have any.
        points: (body, position) of the markers that are points.
        arrows: (body, direction) of the markers that are directions.
    """

    def __init__(self, model: Model) -> None:
        """Find the lines: to the joints a body carries, its point markers, or else its centre."""
        lines = []
        for _, joint in model.moving:
            lines.append(Line(joint.parent, joint.position))
        marked = [(m.body, m.vector) for m in model.markers if m.kind == "position"]
        lines += [Line(*marker) for marker in marked]
        ended = {line.body for line in lines}
        lines += [Line(i, body.com) for i, body in enumerate(model.bodies) if i and i not in ended]
        self.lines = tuple(line for line in lines if np.any(line.end))
        self.points = tuple(marked)
        self.arrows = tuple((m.body, m.vector) for m in model.markers if m.kind == "direction")

    def ends(self, motion: BodyMotion, view: str) -> tuple[Floats, Floats]:
        """Return the lines' two ends on paper, (n, lines, 2) each, for n states."""
        return self._origins(motion, view), self._placed(motion, self.lines, view)

    def dots(self, motion: BodyMotion, view: str) -> Floats:
        """Return the point markers on paper (n, points, 2), for n states."""
        return self._placed(motion, self.points, view)

    def _origins(self, motion: BodyMotion, view: str) -> Floats:
        bodies = [line.body for line in self.lines]
        return on_paper(motion.position[:, bodies], view)

    def _placed(
        self, motion: BodyMotion, places: tuple[tuple[int, Floats], ...], view: str
    ) -> Floats:
        bodies = [body for body, _ in places]
        vectors = np.reshape([vector for _, vector in places], (len(places), 3))
        R, p = motion.rotation[:, bodies], motion.position[:, bodies]
        return on_paper(p + np.einsum("nkij,kj->nki", R, vectors), view)


def on_paper(points: Floats, view: str) -> Floats:
    """Return points (..., 3) of the world as (..., 2): right and up in a view.

    Raises:
        UnknownNameError: there is no such view.
    """
    if view not in VIEWS:
        raise UnknownNameError.among("view", view, VIEWS)
    seen: Floats = points @ VIEWS[view].T
    return seen
