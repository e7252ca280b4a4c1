"""Nodes with a colour, which turn grey where the motion of their bodies is not known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.description.mechanism import Shape
from robodyn_ros.model import Model
from robodyn_ros.spatial import quaternion_from_matrix, quaternion_product
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.meshes import Part, Rgba
from robodyn_ros.viewer.poses import Flags, wxyz
from robodyn_ros.viewer.settings import COLORS

Floats = NDArray[np.float64]

_GHOST = 0.3
"""Opacity of what belongs to bodies whose motion is not known, as a share of its own."""


class Painted(ABC):
    """What is drawn of one or several bodies with one node."""

    @abstractmethod
    def show(self, *, visible: bool) -> None:
        """Show or hide the node."""

    @abstractmethod
    def paint(self, valid: Flags) -> None:
        """Have its own colour for bodies that are valid (nb,), and grey for the others."""

    @abstractmethod
    def follow(self) -> None:
        """Follow the links."""

    @abstractmethod
    def sphere(self) -> tuple[Floats, float]:
        """Return the middle (3,) in the world and the radius of a sphere that holds it, m."""


class SingleNode(Painted):
    """A node below a link's."""

    def __init__(
        self, links: Links, node: Any, body: int, color: Rgba, middle: Floats, radius: float
    ) -> None:
        """Paint a new node.

        Args:
            links: the links.
            node: the node, with a colour and an opacity.
            body: number of its body.
            color: its colour.
            middle: (3,) of a sphere that holds it, in the body, m.
            radius: of that, m.
        """
        self._links = links
        self._node = node
        self._body = body
        self._color = color
        self._sphere = middle, radius
        self.paint(links.valid)

    def show(self, *, visible: bool) -> None:
        """Show or hide the node."""
        self._node.visible = visible

    def paint(self, valid: Flags) -> None:
        """Have its own colour, or grey."""
        opacity = self._color[3]
        if valid[self._body]:
            self._node.color = tuple(_bytes(self._color[:3]).tolist())
            self._node.opacity = None if opacity >= 1.0 else opacity
        else:
            self._node.color, self._node.opacity = COLORS["unknown"], _GHOST * opacity

    def follow(self) -> None:
        """It moves with the link's node."""

    def sphere(self) -> tuple[Floats, float]:
        """Return a sphere that holds it."""
        middle, radius = self._sphere
        return self._links.points(np.array([self._body]), middle[None])[0], radius


class SharedMesh(Painted):
    """One mesh in several places, in the world's axes."""

    def __init__(self, links: Links, path: str, part: Part, shapes: Sequence[Shape]) -> None:
        """Make the node.

        Args:
            links: the links.
            path: of the node.
            part: what is drawn.
            shapes: where, all of the same size; and in which colours, where the part has none.
        """
        self._links = links
        places = [place_of(links.model, shape) for shape in shapes]
        self._bodies = np.array([body for body, _ in places], dtype=np.intp)
        self._offsets = np.array([place["position"] for _, place in places])
        self._turns = np.roll(np.array([place["wxyz"] for _, place in places]), -1, axis=1)
        scaled = part.scaled(shapes[0].size)
        self._radius = scaled.radius
        colors = [
            part.color if shape.own_color and part.color else rgba(shape.color) for shape in shapes
        ]
        self._colors = np.array(colors, dtype=np.float64)
        positions, turns = self._now()
        self._node: Any = links.page.server.scene.add_batched_meshes_simple(
            path,
            scaled.vertices,
            scaled.faces,
            turns,
            positions,
            batched_colors=_bytes(self._colors[:, :3]),
            batched_opacities=self._colors[:, 3].astype(np.float32),
            lod="off",
            side="double",
        )
        self.paint(links.valid)

    def show(self, *, visible: bool) -> None:
        """Show or hide all."""
        self._node.visible = visible
        self.follow()

    def paint(self, valid: Flags) -> None:
        """Have their own colours, or grey."""
        known = valid[self._bodies]
        grey = np.array(COLORS["unknown"], dtype=np.uint8)
        self._node.batched_colors = np.where(known[:, None], _bytes(self._colors[:, :3]), grey)
        opacity = np.where(known, 1.0, _GHOST) * self._colors[:, 3]
        self._node.batched_opacities = opacity.astype(np.float32)

    def follow(self) -> None:
        """Follow the links."""
        positions, turns = self._now()
        self._node.batched_positions = positions
        self._node.batched_wxyzs = turns

    def sphere(self) -> tuple[Floats, float]:
        """Return a sphere that holds the first of them."""
        return self._now()[0][0].astype(np.float64), self._radius

    def _now(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return positions (n, 3) in m and orientations (n, 4), wxyz."""
        positions = self._links.points(self._bodies, self._offsets)
        turns = quaternion_product(self._links.orientation[self._bodies], self._turns)
        return positions.astype(np.float32), wxyz(turns).astype(np.float32)


def place_of(model: Model, shape: Shape) -> tuple[int, dict[str, Any]]:
    """Return a shape's body, and where it is in that as viser takes it."""
    frame = model.frame(shape.body)
    rotation = frame.rotation @ shape.rotation
    position = frame.position + frame.rotation @ shape.position
    return frame.body, {"position": position, "wxyz": wxyz(quaternion_from_matrix(rotation))}


def rgba(color: Floats) -> Rgba:
    """Return a colour (4,) as a tuple."""
    red, green, blue, opacity = color.tolist()
    return red, green, blue, opacity


def _bytes(color: Sequence[float] | Floats) -> NDArray[np.uint8]:
    """Return colours from 0 to 1 as viser takes them."""
    return np.round(255.0 * np.asarray(color)).astype(np.uint8)
