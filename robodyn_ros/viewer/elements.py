"""The constraint elements of a closed mechanism: lines that keep their lengths, and planes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import PointOnPlane
from robodyn_ros.model.element_lines import LINED, element_line
from robodyn_ros.spatial import axis_alignment, quaternion_from_matrix
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.poses import wxyz
from robodyn_ros.viewer.settings import COLORS, SceneSettings

Floats = NDArray[np.float64]

_PLATE = 0.5
_OPACITY = 0.4


class Elements(Layer):
    """A line for every element that keeps a length, a plate for every plane at its point."""

    def __init__(self, links: Links, settings: SceneSettings, *, visible: bool) -> None:
        """Make them when they are first shown."""
        super().__init__(links, visible=visible)
        elements = links.model.closure.elements
        self._lined = [element for element in elements if isinstance(element, LINED)]
        self._planes = [element for element in elements if isinstance(element, PointOnPlane)]
        self._settings = settings
        self._lines: Any = None
        self._plates: list[Any] = []
        self._made = False
        self.refresh()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._lined or self._planes)

    def refresh(self) -> None:
        """Show or hide the nodes."""
        if not self._made and not (self._visible and self):
            return
        if not self._made:
            self._make()
        if self._lines is not None:
            self._lines.visible = self._visible
        for plate in self._plates:
            plate.visible = self._visible
        self.follow()

    def follow(self) -> None:
        """Follow the links."""
        if not (self._visible and self._made):
            return
        links = self._links
        if self._lines is not None:
            self._lines.points = self._ends()
        for plane, plate in zip(self._planes, self._plates, strict=True):
            first = plane.body_1
            turned = links.rotation[first] @ axis_alignment(plane.normal)
            plate.position = links.position[plane.body_2] + (
                links.rotation[plane.body_2] @ plane.point_2
            )
            plate.wxyz = wxyz(quaternion_from_matrix(turned))

    def _ends(self) -> Floats:
        """Return the ends (n, 2, 3) of the lines, m; one out of reach is a point."""
        links = self._links
        with np.errstate(all="ignore"):
            found = [element_line(x, links.position, links.rotation) for x in self._lined]
        ends = np.array(found, dtype=np.float64).reshape(-1, 2, 3)
        ends[~(np.abs(ends) <= 1e6).all(axis=(1, 2))] = 0.0
        return ends

    def _make(self) -> None:
        scene, root = self._links.page.server.scene, f"{self._links.root}/constraints"
        self._made = True
        if self._lined:
            colors = [COLORS[element.type_name] for element in self._lined]
            both = np.repeat(np.array(colors, dtype=np.uint8)[:, None], 2, axis=1)
            width = 0.6 * self._settings.arrow_width
            self._lines = scene.add_line_segments(
                f"{root}/lines", self._ends(), both, thickness=width
            )
        side = _PLATE * self._settings.axis_length
        for number, _ in enumerate(self._planes):
            self._plates.append(
                scene.add_box(
                    f"{root}/planes/{number}",
                    color=COLORS["point_on_plane"],
                    dimensions=(side, side, 0.01 * side),
                    opacity=_OPACITY,
                    cast_shadow=False,
                )
            )
