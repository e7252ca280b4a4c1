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
from robodyn_ros.viewer.drawn import Drawn
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links, node_name
from robodyn_ros.viewer.meshes import MeshFiles
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.poses import Poses
from robodyn_ros.viewer.settings import KINDS, SHOWN_AT_FIRST, SceneSettings

Floats = NDArray[np.float64]


class Wrench(NamedTuple):
    """A force and moment on a body.

    Attributes:
        frame: the frame at whose origin it acts.
        wrench: (6,) [moment; force] in N m and N, world axes.
    """

    frame: str
    wrench: Floats


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
        self._poses = initial_poses(model)
        extent = extent_of(self._poses)
        self.settings = settings or SceneSettings.for_radius(extent.radius)
        files = files or MeshFiles()
        with page.atomic():
            self._links = Links(page, model, self._root)
            self._links.show(self._poses)
            self._layers: dict[str, Layer] = {}
            self._layers["visuals"] = Drawn(
                self._links, shapes, files, folder="visuals", visible="visuals" in SHOWN_AT_FIRST
            )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that this robot has, in the order of `KINDS`, which labels them."""
        return tuple(kind for kind in KINDS if kind in self._layers)

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
        drawn = [layer for layer in self._layers.values() if isinstance(layer, Drawn)]
        return tuple(dict.fromkeys(note for layer in drawn for note in layer.notes))

    @property
    def extent(self) -> Extent:
        """A sphere that holds the bodies where they were shown last, and their shapes nearly."""
        return extent_of(self._poses)

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
            self._poses = poses
            self._links.show(poses)
            for layer in self._layers.values():
                layer.show(poses)

    def show_motion(
        self,
        *,
        linear_velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        linear_acceleration: ArrayLike | None = None,
        angular_acceleration: ArrayLike | None = None,
    ) -> None:
        """Show how the bodies move, by arrows from their origins; (nb, 3) each, None for none."""

    def show_markers(self, value: ArrayLike, rate: ArrayLike, acceleration: ArrayLike) -> None:
        """Show how markers move, by arrows; (n, 3) each, in the order of `model.markers`."""

    def show_payloads(self, payloads: Sequence[Payload]) -> None:
        """Show what the robot carries, each at its centre of mass, with its name and mass."""

    def show_wrenches(self, wrenches: Sequence[Wrench]) -> None:
        """Show wrenches that act, by an arrow of the force and one of the moment."""

    def look_at(self) -> None:
        """Put the cameras of browsers that connect from now on so that they see the robot."""
        self.page.look_at(*self.extent)

    def remove(self) -> None:
        """Take everything off the page."""
        with self._lock, self.page.atomic():
            self.page.server.scene.remove_by_name(self._root)

    def _layer(self, kind: str) -> Layer:
        if kind not in self._layers:
            raise UnknownNameError.among("kind of things to show", kind, self._layers)
        return self._layers[kind]


def initial_poses(model: Model) -> Poses:
    """Return where a robot's bodies are in the state with which its description lets it begin."""
    q = np.asarray(model.defaults.q)
    with np.errstate(all="ignore"):
        motion = body_motion(model, q)
        turns = quaternion_from_matrix(motion.rotation)
    return Poses(model.nb, motion.position, turns, None, q)


def extent_of(poses: Poses) -> Extent:
    """Return a sphere that holds the origins of bodies, and somewhat more."""
    points = poses.position[poses.usable]
    if not len(points):
        return Extent(np.zeros(3), 1.0)
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.5 * float(np.linalg.norm(high - low))
    return Extent(0.5 * (low + high), 1.2 * radius if radius > 1e-3 else 0.5)
