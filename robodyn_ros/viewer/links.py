"""The nodes of a robot's links: what hangs on one moves with it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import numpy as np

from robodyn_ros.model import Model
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.poses import Poses, wxyz

_STILL = 1e-6
"""Moves that are smaller, m or a quaternion's numbers, are not sent."""


def node_name(name: str) -> str:
    """Return a foreign name as one level of a path of nodes."""
    return quote(name, safe=" ._-+:()[]") or "_"


class Links:
    """A node for every body, below `/NAME/links`.

    Attributes:
        paths: of the nodes, by body.
    """

    def __init__(self, page: Page, model: Model, root: str) -> None:
        """Put the nodes at the world's origin."""
        self.page = page
        self.model = model
        self.paths = [f"{root}/links/{node_name(body.name)}" for body in model.bodies]
        self._nodes: list[Any] = [
            page.server.scene.add_frame(path, show_axes=False) for path in self.paths
        ]
        self._position = np.zeros((model.nb, 3))
        self._orientation = np.tile([0.0, 0.0, 0.0, 1.0], (model.nb, 1))

    def show(self, poses: Poses) -> None:
        """Move the nodes of bodies that moved; those without a usable pose stay."""
        same_sign = np.sign(np.einsum("ij,ij->i", poses.orientation, self._orientation))
        turned = poses.orientation * np.where(same_sign < 0.0, -1.0, 1.0)[:, None]
        shifted = np.abs(poses.position - self._position).max(axis=1) > _STILL
        rotated = np.abs(turned - self._orientation).max(axis=1) > _STILL
        for body in np.flatnonzero(poses.usable & shifted):
            self._position[body] = poses.position[body]
            self._nodes[body].position = poses.position[body]
        for body in np.flatnonzero(poses.usable & rotated):
            self._orientation[body] = turned[body]
            self._nodes[body].wxyz = wxyz(turned[body])
