"""Arrows in the world: of velocities and accelerations, of forces and moments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.viewer.attached import add_arrows
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.settings import COLORS, SceneSettings

Floats = NDArray[np.float64]

_SHORTEST = 0.3
"""Arrows shorter than so many widths of their shafts are not shown."""


class Wrench(NamedTuple):
    """A force and a moment on a body.

    Attributes:
        frame: the frame at whose origin it acts.
        wrench: (6,) [moment; force] in N m and N, world axes.
    """

    frame: str
    wrench: Floats


class Arrows(Layer):
    """Arrows of one colour from points that are fixed in bodies."""

    def __init__(
        self,
        links: Links,
        settings: SceneSettings,
        kind: str,
        *,
        scale: float,
        visible: bool,
        color: str = "",
    ) -> None:
        """Begin without arrows.

        Args:
            links: what they begin at.
            settings: sizes.
            kind: the last level of the node's path.
            scale: m per unit of the vectors.
            visible: whether to show them.
            color: a key of `COLORS`; by default the kind.
        """
        super().__init__(links, visible=visible)
        self._settings = settings
        self._path = f"{links.root}/arrows/{kind}"
        self._color = COLORS[color or kind]
        self._scale = scale
        self._bodies: NDArray[np.intp] = np.zeros(0, dtype=np.intp)
        self._offsets: Floats = np.zeros((0, 3))
        self._vectors: Floats = np.zeros((0, 3))
        self._node: Any = None
        self._points: Floats = np.zeros((0, 2, 3))

    def put(self, bodies: NDArray[np.intp], offsets: Floats, vectors: Floats) -> None:
        """Show other vectors.

        Args:
            bodies: (n,) that the points are fixed in; arrows of one that is not valid are hidden.
            offsets: (n, 3) of the points in them, m.
            vectors: (n, 3) world axes.
        """
        self._bodies, self._offsets, self._vectors = bodies, offsets, vectors
        self.refresh()

    def refresh(self) -> None:
        """Show the arrows where they are now."""
        if not self._visible:
            self._hide()
            return
        points = self._now()
        if not len(points):
            self._hide()
        elif self._node is None:
            self._node = add_arrows(self._links, self._path, points, self._color, self._settings)
        else:
            self._node.points = points
            self._node.visible = True

    def follow(self) -> None:
        """Begin where the bodies are now."""
        if self._visible and len(self._bodies):
            self.refresh()

    def _hide(self) -> None:
        if self._node is not None:
            self._node.visible = False

    def _now(self) -> Floats:
        """Return start and end (n, 2, 3) of the arrows that can be seen, in m."""
        links, settings = self._links, self._settings
        with np.errstate(all="ignore"):
            arrows = self._scale * self._vectors
            lengths = np.sqrt(np.einsum("ij,ij->i", arrows, arrows))
            shown = links.valid[self._bodies] & np.isfinite(lengths)
            shown &= lengths >= _SHORTEST * settings.arrow_width
        arrows, lengths = arrows[shown], lengths[shown]
        arrows *= (np.minimum(lengths, settings.arrow_max_length) / lengths)[:, None]
        starts = links.points(self._bodies[shown], self._offsets[shown])
        both: Floats = np.stack([starts, starts + arrows], axis=1)
        return both


class Wrenches(Layer):
    """An arrow for every force and one for every moment, each from where it acts."""

    def __init__(self, links: Links, settings: SceneSettings, *, visible: bool) -> None:
        """Begin without any."""
        super().__init__(links, visible=visible)
        self._both = tuple(
            Arrows(links, settings, f"wrenches/{kind}", scale=scale, visible=visible, color=kind)
            for kind, scale in (("moment", settings.moment), ("force", settings.force))
        )

    def put(self, wrenches: Sequence[Wrench]) -> None:
        """Show other wrenches.

        Raises:
            UnknownNameError: there is no such frame.
        """
        frames = [self._links.model.frame(wrench.frame) for wrench in wrenches]
        bodies = np.array([frame.body for frame in frames], dtype=np.intp)
        offsets = np.array([frame.position for frame in frames]).reshape(-1, 3)
        rows = np.array([wrench.wrench for wrench in wrenches], dtype=np.float64).reshape(-1, 6)
        for arrows, vectors in zip(self._both, (rows[:, :3], rows[:, 3:]), strict=True):
            arrows.put(bodies, offsets, vectors)

    def refresh(self) -> None:
        """Show or hide them."""
        for arrows in self._both:
            arrows.visible = self._visible

    def follow(self) -> None:
        """Begin where the bodies are now."""
        for arrows in self._both:
            arrows.follow()
