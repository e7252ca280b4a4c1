"""The nodes of a robot's links: what hangs on one moves with it."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model
from robodyn_ros.viewer.node_pose import pose_setters
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.poses import Flags, Floats, Poses, wxyz

_STILL = 1e-6
"""Moves that are smaller, m or a quaternion's numbers, are not sent."""


def node_name(name: str) -> str:
    """Return a foreign name as one level of a path of nodes."""
    return quote(name, safe=" ._-+:()[]") or "_"


class Links:
    """A node for every body, below `/NAME/links`.

    Attributes:
        page: the page.
        model: the robot.
        root: path of the robot's nodes.
        paths: of the nodes, by body.
        position: (nb, 3) where they are, m.
        orientation: (nb, 4) xyzw.
        rotation: R_WB (nb, 3, 3).
        valid: (nb,) whether their bodies are known to be there now.
        moved: whether the last call of `show` moved any.
        q: (nq,) coordinates, None where they are not known.
    """

    def __init__(self, page: Page, model: Model, root: str, poses: Poses) -> None:
        """Put the nodes where bodies are."""
        self.page = page
        self.model = model
        self.root = root
        self.paths = [f"{root}/links/{node_name(body.name)}" for body in model.bodies]
        scene = page.server.scene
        self._setters = [
            pose_setters(scene.add_frame(path, show_axes=False)) for path in self.paths
        ]
        self.position: Floats = np.zeros((model.nb, 3))
        self.orientation: Floats = np.tile([0.0, 0.0, 0.0, 1.0], (model.nb, 1))
        self.show(poses)

    def show(self, poses: Poses) -> None:
        """Move the nodes of bodies that moved; those without a usable pose stay."""
        same_side = np.einsum("ij,ij->i", poses.orientation, self.orientation) >= 0.0
        turned = np.where(same_side[:, None], poses.orientation, -poses.orientation)
        shifted = poses.usable & _moved(poses.position, self.position)
        rotated = poses.usable & _moved(turned, self.orientation)
        self.position[shifted] = poses.position[shifted]
        self.orientation[rotated] = turned[rotated]
        turns = wxyz(self.orientation)
        for body, (set_position, set_orientation) in enumerate(self._setters):
            if shifted[body]:
                set_position(self.position[body])
            if rotated[body]:
                set_orientation(turns[body])
        self.rotation: Floats = poses.rotation
        if not poses.usable.all():
            self.rotation = poses.rotation_of(self.orientation)
        self.moved = bool(shifted.any() or rotated.any())
        self.valid: Flags = poses.valid
        self.q = poses.q

    def points(self, bodies: NDArray[np.intp], offsets: Floats) -> Floats:
        """Return the world positions (n, 3) of points (n, 3) given in the axes of bodies (n,)."""
        turned = np.einsum("ijk,ik->ij", self.rotation[bodies], offsets)
        placed: Floats = self.position[bodies] + turned
        return placed


def _moved(new: Floats, old: Floats) -> Flags:
    moved: Flags = np.max(np.abs(new - old), axis=1) > _STILL
    return moved
