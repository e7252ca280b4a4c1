"""The shapes that a description draws its bodies with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism.drawing import GREY, Shape
from robodyn_ros.model import Body
from robodyn_ros.model.elements import Frame
from robodyn_ros.spatial import quaternion_from_matrix
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.meshes import MeshFiles, Part, Rgba
from robodyn_ros.viewer.poses import REACH, Flags, Poses, wxyz
from robodyn_ros.viewer.settings import COLORS

Floats = NDArray[np.float64]

_GHOST = 0.3
"""Opacity of bodies whose motion is not known."""
_WATER = 1000.0
"""kg/m^3, of boxes in place of meshes that cannot be read."""


class Drawn(Layer):
    """All shapes; those of a body whose motion is not known are grey and can be seen through."""

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
        super().__init__(visible=visible)
        self.notes: list[str] = []
        self._links = links
        self._shapes = tuple(shapes)
        self._files = files
        self._folder = folder
        self._nodes: list[tuple[int, Any, Rgba]] | None = None
        self._valid: Flags = np.ones(links.model.nb, dtype=bool)
        self.refresh()

    def refresh(self) -> None:
        """Show or hide the nodes."""
        if self._nodes is None:
            if not self._visible:
                return
            self._nodes = list(self._made())
            self._paint(range(self._links.model.nb))
        for _, node, _ in self._nodes:
            node.visible = self._visible

    def show(self, poses: Poses) -> None:
        """Paint what became valid or ceased to be."""
        changed = np.flatnonzero(self._valid != poses.valid)
        self._valid = poses.valid
        self._paint(changed.tolist())

    def _paint(self, bodies: Sequence[int]) -> None:
        asked = set(bodies)
        for body, node, (red, green, blue, opacity) in self._nodes or ():
            if body not in asked:
                continue
            if self._valid[body]:
                node.color, node.opacity = _rgb((red, green, blue)), _opacity(opacity)
            else:
                node.color, node.opacity = COLORS["unknown"], _GHOST * opacity

    def _made(self) -> Iterator[tuple[int, Any, Rgba]]:
        model = self._links.model
        for number, shape in enumerate(self._shapes):
            frame = model.frame(shape.body)
            if not _is_visible(shape):
                self.notes.append(f"a {shape.kind} of {shape.body} is flat or too large to be seen")
                continue
            path = f"{self._links.paths[frame.body]}/{self._folder}/{number}"
            for node, color in self._nodes_of(shape, frame, path):
                yield frame.body, node, color

    def _nodes_of(self, shape: Shape, frame: Frame, path: str) -> Iterator[tuple[Any, Rgba]]:
        scene = self._links.page.server.scene
        color = rgba(shape.color)
        pose = _pose(frame, shape)
        sizes = shape.size.tolist()
        if shape.kind == "box":
            yield scene.add_box(path, dimensions=tuple(sizes), **pose), color
        elif shape.kind == "sphere":
            yield scene.add_icosphere(path, radius=0.5, scale=tuple(sizes), **pose), color
        elif shape.kind == "cylinder":
            yield (
                scene.add_cylinder(path, radius=0.5, height=1.0, scale=tuple(sizes), **pose),
                color,
            )
        else:
            yield from self._mesh(shape, frame, path)

    def _mesh(self, shape: Shape, frame: Frame, path: str) -> Iterator[tuple[Any, Rgba]]:
        scene = self._links.page.server.scene
        mesh = self._files.read(shape.file)
        if mesh.note:
            self.notes.append(f"{shape.body}: {mesh.note}")
            body = self._links.model.bodies[frame.body]
            side = _stand_in(body)
            if side > 0.0:
                yield (
                    scene.add_box(path, dimensions=(side,) * 3, position=body.com),
                    (*GREY[:3], 0.6),
                )
            return
        for k, part in enumerate(mesh.parts):
            vertices, faces = _scaled(part, shape.size)
            color = part.color if shape.own_color and part.color else rgba(shape.color)
            node = scene.add_mesh_simple(
                f"{path}/{k}", vertices, faces, flat_shading=False, side="double",
                **_pose(frame, shape),
            )  # fmt: skip
            yield node, color


def _pose(frame: Frame, shape: Shape) -> dict[str, Any]:
    """Return where a shape is in its body, as viser takes it."""
    rotation = frame.rotation @ shape.rotation
    position = frame.position + frame.rotation @ shape.position
    return {"position": position, "wxyz": wxyz(quaternion_from_matrix(rotation))}


def _scaled(part: Part, scale: Floats) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return vertices and faces of a scaled part; a mirrored one is turned inside out again."""
    vertices = part.vertices * scale.astype(np.float32)
    return vertices, part.faces[:, ::-1] if np.prod(scale) < 0.0 else part.faces


def _is_visible(shape: Shape) -> bool:
    numbers = np.abs([*shape.position, *shape.size])
    return bool(shape.size.all() and (numbers <= REACH).all())


def _stand_in(body: Body) -> float:
    """Return the side in m of a box of water with a body's mass."""
    return float(np.cbrt(body.mass / _WATER)) if 0.0 < body.mass < REACH else 0.0


def rgba(color: Floats) -> Rgba:
    """Return a colour as a tuple."""
    red, green, blue, opacity = color.tolist()
    return red, green, blue, opacity


def _rgb(color: tuple[float, float, float]) -> tuple[int, int, int]:
    red, green, blue = (round(255.0 * x) for x in color)
    return red, green, blue


def _opacity(opacity: float) -> float | None:
    return None if opacity >= 1.0 else opacity
