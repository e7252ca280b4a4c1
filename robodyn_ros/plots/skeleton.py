"""A robot as lines: from each body's origin to the joints, markers and elements that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.algorithms import BodyMotion
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import Joint
from robodyn_ros.joints.placed import Placed
from robodyn_ros.joints.reversed import Reversed
from robodyn_ros.model import Model
from robodyn_ros.model.closure import Weld
from robodyn_ros.model.elements import constant
from robodyn_ros.plots.strokes import End, Stroke, strokes

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


#: Joints that hold nothing: no line leads to them.
UNSEEN = ("floating", "six_dof", "control")


class Line(NamedTuple):
    """A line of a body, from its frame's origin to `end` (3,) in its axes, m."""

    body: int
    end: Floats


class Skeleton:
    """The lines and dots of one model; those of bodies that only serve loops are left out.

    Attributes:
        lines: of all bodies that have any.
        connections: each joint's two frames, from the parent's to the child's.
        joints: (body, position) of the two frames of each joint, those that close loops included.
        slides: from one to the other, of joints that let them part: sliders, links of DH elements.
        points: (body, position) of the markers that are points.
        arrows: (body, direction) of the markers that are directions.
        ties: the strokes of constraint elements.
    """

    def __init__(self, model: Model) -> None:
        """Find the lines: to the joints a body carries, its point markers, or else its centre."""
        connected = tuple(_connections(model))
        self.connections = tuple(stroke for _, stroke in connected)
        self.joints = tuple(
            end for stroke in self.connections for end in (stroke.begin, stroke.end)
        )
        self.slides = tuple(stroke for joint, stroke in connected if _parts(joint))
        self.ties = strokes(model)
        marked = [(m.body, m.vector) for m in model.markers if m.kind == "position"]
        held = [end for tie in self.ties if tie.carried for end in (tie.begin, tie.end)]
        places = (*self.joints, *marked, *held)
        lines = [Line(*place) for place in places if np.any(place[1])]
        ended = {line.body for line in lines}
        lines += [
            Line(i, body.com)
            for i, body in enumerate(model.bodies)
            if i and i not in ended and not body.auxiliary
        ]
        self.lines = tuple(line for line in lines if np.any(line.end))
        self.points = tuple(marked)
        self.arrows = tuple((m.body, m.vector) for m in model.markers if m.kind == "direction")

    def ends(self, motion: BodyMotion, view: str) -> tuple[Floats, Floats]:
        """Return the two ends of lines and slides on paper, (n, lines + slides, 2) each."""
        bodies = [line.body for line in self.lines]
        origins = on_paper(motion.position[:, bodies], view)
        ends = self._placed(motion, self.lines, view)
        slid = self._strokes(motion, self.slides, view)
        starts = np.concatenate([origins, slid[:, :, 0]], axis=1)
        return starts, np.concatenate([ends, slid[:, :, 1]], axis=1)

    def dots(self, motion: BodyMotion, view: str) -> Floats:
        """Return the point markers on paper (n, points, 2), for n states."""
        return self._placed(motion, self.points, view)

    def pins(self, motion: BodyMotion, view: str) -> Floats:
        """Return the joints on paper (n, joints, 2), for n states."""
        return self._placed(motion, self.joints, view)

    def tied(self, motion: BodyMotion, view: str) -> Floats:
        """Return the strokes' two ends on paper (n, ties, 2, 2), for n states."""
        return self._strokes(motion, self.ties, view)

    def linked(self, motion: BodyMotion, view: str) -> Floats:
        """Return the joints' two frames on paper (n, connections, 2, 2), for n states."""
        return self._strokes(motion, self.connections, view)

    def _strokes(self, motion: BodyMotion, strokes: Sequence[Stroke], view: str) -> Floats:
        sides = [s.begin for s in strokes], [s.end for s in strokes]
        both: Floats = np.stack([self._placed(motion, side, view) for side in sides], axis=-2)
        return both

    def _placed(
        self, motion: BodyMotion, places: Sequence[tuple[int, Floats]], view: str
    ) -> Floats:
        bodies = [body for body, _ in places]
        vectors = np.reshape([vector for _, vector in places], (len(places), 3))
        R, p = motion.rotation[:, bodies], motion.position[:, bodies]
        return on_paper(p + np.einsum("nkij,kj->nki", R, vectors), view)


def _connections(model: Model) -> Iterator[tuple[Joint, Stroke]]:
    """Yield each joint with its two frames' origins; what is free or a control has none."""
    closing = {e.body_1: e.body_2 for e in model.closure.elements if isinstance(e, Weld)}
    for child, joint in model.moving:
        kind = joint.joint
        if kind.type_name in UNSEEN:
            continue
        inner, place = _inner(kind)
        behind = End(closing.get(child, child), place)
        yield inner, Stroke(End(joint.parent, joint.position), behind, joint.name)


def _inner(joint: Joint) -> tuple[Joint, Floats]:
    """Return a joint without its place in the child, and that place (3,) in the child's frame."""
    if isinstance(joint, Placed):
        return joint.inner, joint.p_CM
    if isinstance(joint, Reversed):
        return _inner(joint.inner)[0], joint.p_PF
    return joint, constant(np.zeros(3))


def _parts(joint: Joint) -> bool:
    """Return whether a joint's frames have their origins in two places, at least when it moves."""
    q = joint.integrate(joint.neutral(), np.ones(joint.nv))
    return bool(np.any(joint.pose(q)[1]))


def on_paper(points: Floats, view: str) -> Floats:
    """Return points (..., 3) of the world as (..., 2): right and up in a view.

    Raises:
        UnknownNameError: there is no such view.
    """
    if view not in VIEWS:
        raise UnknownNameError.among("view", view, VIEWS)
    seen: Floats = points @ VIEWS[view].T
    return seen
