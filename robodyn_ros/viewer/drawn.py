"""The shapes that a description draws its bodies with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism import Shape
from robodyn_ros.description.mechanism.drawing import GREY
from robodyn_ros.model import Body
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.meshes import MeshFiles
from robodyn_ros.viewer.painted import Painted, SharedMesh, SingleNode, place_of, rgba
from robodyn_ros.viewer.poses import REACH, Flags

Floats = NDArray[np.float64]

_WATER = 1000.0
"""kg/m^3, of boxes in place of meshes that cannot be read."""
_STAND_IN_OPACITY = 0.6


class Drawn(Layer):
    """All shapes; those of a body whose motion is not known are grey and can be seen through.

    A mesh that several shapes have in common is sent once.
    """

    def __init__(
        self,
        links: Links,
        shapes: Sequence[Shape],
        files: MeshFiles,
        *,
        folder: str,
        visible: bool,
    ) -> None:
        """Take the shapes; they are read when they are first shown.

        Args:
            links: what they hang on.
            shapes: the shapes; of those that cannot be shown `notes` tells.
            files: the meshes.
            folder: the level of the path below the link.
            visible: whether to show them now.
        """
        super().__init__(links, visible=visible)
        self.notes: list[str] = []
        self._shapes = tuple(shapes)
        self._files = files
        self._folder = folder
        self._painted: list[Painted] | None = None
        self._valid: Flags = links.valid
        self.refresh()

    def refresh(self) -> None:
        """Show or hide the nodes."""
        if self._painted is None:
            if not self._visible:
                return
            self._painted = list(self._made())
        for painted in self._painted:
            painted.show(visible=self._visible)
        self._paint()

    def follow(self) -> None:
        """Follow the links, and paint what became valid or ceased to be."""
        if not self._visible:
            return
        self._paint()
        if self._links.moved:
            for painted in self._painted or ():
                painted.follow()

    def reach(self) -> tuple[Floats, Floats]:
        """Return middles (n, 3), in the world, and radii (n,) of spheres about what was made."""
        spheres = [x.sphere() for x in self._painted or ()]
        middles = np.array([middle for middle, _ in spheres]).reshape(-1, 3)
        return middles, np.array([radius for _, radius in spheres])

    def _paint(self) -> None:
        if np.array_equal(self._valid, self._links.valid):
            return
        self._valid = self._links.valid
        for painted in self._painted or ():
            painted.paint(self._valid)

    def _made(self) -> Iterator[Painted]:
        seen = [(k, shape) for k, shape in enumerate(self._shapes) if self._can_be_seen(shape)]
        uses = Counter(_common(shape) for _, shape in seen if shape.kind == "mesh")
        shared: dict[tuple[Any, ...], list[Shape]] = {}
        for number, shape in seen:
            if shape.kind != "mesh":
                yield self._primitive(shape, number)
            elif self._files.read(shape.file).note:
                yield from self._stand_in(shape, number)
            elif uses[_common(shape)] > 1:
                shared.setdefault(_common(shape), []).append(shape)
            else:
                yield from self._mesh(shape, number)
        for number, shapes in enumerate(shared.values()):
            path = f"{self._links.root}/shared/{self._folder}/{number}"
            for k, part in enumerate(self._files.read(shapes[0].file).parts):
                yield SharedMesh(self._links, f"{path}/{k}", part, shapes)

    def _can_be_seen(self, shape: Shape) -> bool:
        numbers = np.abs([*shape.position, *shape.size])
        if shape.size.all() and (numbers <= REACH).all():
            return True
        self.notes.append(f"{shape.body}: a {shape.kind} is flat, or too large or far to be seen")
        return False

    def _primitive(self, shape: Shape, number: int) -> Painted:
        scene, color = self._links.page.server.scene, rgba(shape.color)
        add: _Add
        if shape.kind == "box":
            add = _box(scene)
        elif shape.kind == "sphere":
            add = _sphere(scene)
        else:
            add = _cylinder(scene)
        body, place = place_of(self._links.model, shape)
        node = add(self._path(body, number), scale=tuple(shape.size.tolist()), **place)
        radius = 0.5 * float(np.linalg.norm(shape.size))
        return SingleNode(self._links, node, body, color, place["position"], radius)

    def _mesh(self, shape: Shape, number: int) -> Iterator[Painted]:
        body, place = place_of(self._links.model, shape)
        for k, part in enumerate(self._files.read(shape.file).parts):
            scaled = part.scaled(shape.size)
            node = self._links.page.server.scene.add_mesh_simple(
                f"{self._path(body, number)}/{k}",
                scaled.vertices,
                scaled.faces,
                side="double",
                **place,
            )
            color = part.color if shape.own_color and part.color else rgba(shape.color)
            yield SingleNode(self._links, node, body, color, place["position"], scaled.radius)

    def _stand_in(self, shape: Shape, number: int) -> Iterator[Painted]:
        """Yield a box for a mesh that cannot be read, as large as the body is heavy."""
        self.notes.append(f"{shape.body}: {self._files.read(shape.file).note}")
        body, _ = place_of(self._links.model, shape)
        described = self._links.model.bodies[body]
        side = _side(described)
        if side > 0.0:
            node = self._links.page.server.scene.add_box(
                self._path(body, number), dimensions=(side, side, side), position=described.com
            )
            color = (*GREY[:3], _STAND_IN_OPACITY)
            yield SingleNode(self._links, node, body, color, described.com, side)

    def _path(self, body: int, number: int) -> str:
        return f"{self._links.paths[body]}/{self._folder}/{number}"


class _Add(Protocol):
    """Adds a shape of size 1 along each axis."""

    def __call__(self, path: str, *, scale: tuple[float, ...], **place: Any) -> Any: ...


def _box(scene: Any) -> _Add:
    return lambda path, *, scale, **place: scene.add_box(path, dimensions=scale, **place)


def _sphere(scene: Any) -> _Add:
    return lambda path, *, scale, **place: scene.add_icosphere(
        path, radius=0.5, scale=scale, **place
    )


def _cylinder(scene: Any) -> _Add:
    return lambda path, *, scale, **place: scene.add_cylinder(
        path, radius=0.5, height=1.0, scale=scale, **place
    )


def _common(shape: Shape) -> tuple[Any, ...]:
    """Return what shapes of one shared mesh have in common."""
    return shape.file, *shape.size.tolist()


def _side(body: Body) -> float:
    """Return the side in m of a box of water with a body's mass."""
    return float(np.cbrt(body.mass / _WATER)) if 0.0 < body.mass < REACH else 0.0
