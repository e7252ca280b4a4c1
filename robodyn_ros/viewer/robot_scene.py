"""A robot on a page: its links, what is fixed in them, and arrows of its motion.

Nodes have the paths /NAME/links/LINK/..., /NAME/arrows/KIND and the like, so that several robots
share a page by their names.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.algorithms import body_motion
from robodyn_ros.description.mechanism.drawing import Shape
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import Model, Payload
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.arrows import Wrench
from robodyn_ros.viewer.drawn import Drawn
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links, node_name
from robodyn_ros.viewer.meshes import MeshFiles
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.poses import Poses, as_rows
from robodyn_ros.viewer.scene_layers import SceneLayers
from robodyn_ros.viewer.settings import MARKER_MOTIONS, MOTIONS, SHOWN_AT_FIRST, SceneSettings
from robodyn_ros.viewer.stand_in import bars

__all__ = ["Extent", "RobotScene", "Wrench"]

Floats = NDArray[np.float64]


_SMALLEST_RADIUS = 0.5
_POINT = 1e-3
"""m; what is smaller than this has no size of its own."""


class Extent(NamedTuple):
    """A sphere that holds a robot: its centre (3,) and radius, m."""

    center: Floats
    radius: float


class RobotScene:
    """What a page shows of one robot.

    Arrays are in the model's order of bodies or markers, in world axes and SI. Methods may be
    called from any thread. What is switched off costs nothing, and what did not change is not sent.

    Attributes:
        page: the page.
        model: the robot.
        name: of its nodes.
        settings: sizes and scales.
    """

    def __init__(
        self,
        page: Page,
        model: Model,
        shapes: Sequence[Shape] = (),
        *,
        collisions: Sequence[Shape] = (),
        name: str = "",
        settings: SceneSettings | None = None,
        files: MeshFiles | None = None,
    ) -> None:
        """Put the robot on the page, in its initial configuration.

        Args:
            page: the page.
            model: the robot.
            shapes: what its bodies are drawn with, see `description.visuals`.
            collisions: shapes that collisions are looked for with, hidden at first.
            name: by which it is told from other robots of the page; the model's by default.
            settings: sizes and scales; by default as fits the robot's size.
            files: meshes that were read for other robots of the page.
        """
        self.page = page
        self.model = model
        self.name = name or model.name
        self._root = f"/{node_name(self.name)}"
        self._lock = threading.RLock()
        poses = initial_poses(model)
        radius = extent_of(poses.position[poses.usable]).radius
        files = files or MeshFiles()
        with page.atomic():
            self._links = Links(page, model, self._root, poses)
            self._drawn = Drawn(
                self._links,
                shapes or tuple(bars(model, radius)),
                files,
                folder="visuals",
                visible="visuals" in SHOWN_AT_FIRST,
            )
            self.settings = settings or SceneSettings.for_radius(self.extent.radius)
            self._layers = SceneLayers(self._links, self.settings, self._drawn, collisions, files)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that this robot has, in the order of `KINDS`, which labels them."""
        return tuple(self._layers.by_kind)

    def is_visible(self, kind: str) -> bool:
        """Return whether a kind of things is shown.

        Raises:
            UnknownNameError: the robot has no such kind.
        """
        return self._layer(kind).visible

    def set_visible(self, kind: str, visible: bool) -> None:
        """Show or hide a kind of things.

        Raises:
            UnknownNameError: the robot has no such kind.
        """
        with self._lock, self.page.atomic():
            self._layer(kind).visible = visible

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be shown as described, one line each: meshes that cannot be read."""
        return self._layers.notes

    @property
    def extent(self) -> Extent:
        """A sphere that holds the bodies, and what is drawn of them, where they were shown last."""
        seen = [k for k, body in enumerate(self.model.bodies) if not body.auxiliary]
        middles, radii = self._drawn.reach()
        low = np.concatenate([self._links.position[seen], middles - radii[:, None]])
        high = np.concatenate([self._links.position[seen], middles + radii[:, None]])
        return extent_of(np.concatenate([low, high]))

    @property
    def root(self) -> str:
        """The path of the robot's nodes."""
        return self._root

    def point(self, frame: str, offset: ArrayLike) -> Floats:
        """Return where a point (3,), given in a body's or frame's axes in m, is in the world.

        Raises:
            UnknownNameError: the robot has no such frame.
        """
        made = self.model.frame(frame)
        inside = made.position + made.rotation @ np.asarray(offset, dtype=np.float64)
        (placed,) = self._links.points(np.array([made.body]), inside[None])
        return np.array(placed)

    def body_path(self, body: str) -> str:
        """Return the path of a body's node; what is added below it moves with the body."""
        return self._links.paths[self.model.body_index(body)]

    def show(
        self,
        position: ArrayLike,
        orientation: ArrayLike,
        valid: ArrayLike | None = None,
        q: ArrayLike | None = None,
    ) -> None:
        """Move the bodies.

        Args:
            position: (nb, 3) of their origins, m.
            orientation: (nb, 4) unit quaternions, xyzw. A body whose numbers are not finite stays.
            valid: (nb,) whether they are known to be there now; the others are shown grey. All by
                default.
            q: (nq,) coordinates, for axes of joints that change with them; else these are hidden.

        Raises:
            ArgumentError: arrays of another shape.
        """
        coordinates = None if q is None else np.asarray(q, dtype=np.float64)
        poses = Poses(self.model.nb, position, orientation, valid, coordinates)
        with self._lock, self.page.atomic():
            self._links.show(poses)
            self._layers.follow()

    def show_motion(
        self,
        *,
        linear_velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        linear_acceleration: ArrayLike | None = None,
        angular_acceleration: ArrayLike | None = None,
    ) -> None:
        """Show how the bodies move, by arrows from their origins; (nb, 3) each, None for none.

        Raises:
            ArgumentError: arrays of another shape.
        """
        given = (linear_velocity, angular_velocity, linear_acceleration, angular_acceleration)
        count = self.model.nb
        seen = np.flatnonzero([not body.auxiliary for body in self.model.bodies])
        origins = np.zeros((len(seen), 3))
        with self._lock, self.page.atomic():
            for kind, vectors in zip(MOTIONS, given, strict=True):
                rows = np.zeros((count, 3)) if vectors is None else vectors
                self._layers.arrows[kind].put(seen, origins, as_rows(kind, rows, count, 3)[seen])

    def show_markers(self, value: ArrayLike, rate: ArrayLike, acceleration: ArrayLike) -> None:
        """Show how markers that are points move, by arrows.

        Args:
            value: (n, 3) of all markers, in the order of `model.markers`; what is not finite is not
                known, and has no arrows.
            rate: (n, 3) m/s; of directions they are not shown.
            acceleration: (n, 3) m/s^2.

        Raises:
            ArgumentError: arrays of another shape.
        """
        markers = self.model.markers
        count = len(markers)
        known = np.isfinite(as_rows("value", value, count, 3).sum(axis=1))
        points = [k for k, made in enumerate(markers) if made.kind == "position" and known[k]]
        bodies = np.array([markers[k].body for k in points], dtype=np.intp)
        offsets = np.array([markers[k].vector for k in points]).reshape(-1, 3)
        with self._lock, self.page.atomic():
            for kind, vectors in zip(MARKER_MOTIONS, (rate, acceleration), strict=True):
                rows = as_rows(kind, vectors, count, 3)[points]
                if markers:
                    self._layers.arrows[kind].put(bodies, offsets, rows)

    def show_payloads(self, payloads: Sequence[Payload]) -> None:
        """Show what the robot carries, each at its centre of mass, with its name and mass.

        Raises:
            UnknownNameError: the robot has no such frame.
        """
        for payload in payloads:
            self.model.frame(payload.frame)
        with self._lock, self.page.atomic():
            self._layers.carry(payloads)

    def show_wrenches(self, wrenches: Sequence[Wrench]) -> None:
        """Show wrenches that act, by an arrow of the force and one of the moment.

        Raises:
            UnknownNameError: the robot has no such frame.
        """
        with self._lock, self.page.atomic():
            self._layers.wrenches.put(wrenches)

    def look_at(self) -> None:
        """Put the cameras of browsers that connect from now on so that they see the robot."""
        self.page.look_at(*self.extent)

    def remove(self) -> None:
        """Take everything off the page."""
        with self._lock, self.page.atomic():
            self.page.server.scene.remove_by_name(self._root)

    def _layer(self, kind: str) -> Layer:
        found = self._layers.by_kind
        if kind not in found:
            raise UnknownNameError.among("kind of things to show", kind, found)
        return found[kind]


def initial_poses(model: Model) -> Poses:
    """Return where a robot's bodies are in the state with which its description lets it begin."""
    q = np.asarray(model.defaults.q)
    with np.errstate(all="ignore"):
        motion = body_motion(model, q)
        turns = quaternion_from_matrix(motion.rotation)
    return Poses(model.nb, motion.position, turns, None, q)


def extent_of(points: Floats) -> Extent:
    """Return a sphere that holds points (n, 3); one of half a metre where they are in one place."""
    if not len(points):
        return Extent(np.zeros(3), _SMALLEST_RADIUS)
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.5 * float(np.linalg.norm(high - low))
    return Extent(0.5 * (low + high), radius if radius > _POINT else _SMALLEST_RADIUS)
