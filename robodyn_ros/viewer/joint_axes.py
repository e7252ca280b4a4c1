"""The axes of joints, along which and about which positive rates move them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import TreeJoint
from robodyn_ros.model.joint_axes import joint_axes, joints_with_axes
from robodyn_ros.viewer.layer import Layer
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.settings import COLORS, SceneSettings

Floats = NDArray[np.float64]


class JointAxes(Layer):
    """An arrow through the axis of every rate; axes that change with coordinates need these."""

    def __init__(self, links: Links, settings: SceneSettings, *, visible: bool) -> None:
        """Make them when they are first shown."""
        super().__init__(links, visible=visible)
        self._settings = settings
        self._joints = dict(joints_with_axes(links.model))
        self._changing = {body: made for body, made in self._joints.items() if _changes(made)}
        self._nodes: dict[int, Any] = {}
        self.refresh()

    def __bool__(self) -> bool:
        """Whether the robot has joints that move."""
        return bool(self._joints)

    def refresh(self) -> None:
        """Show or hide the nodes."""
        if self._visible and not self._nodes:
            self._nodes = {body: self._node(body, made) for body, made in self._joints.items()}
        known = self._links.q is not None and bool(np.isfinite(self._links.q).all())
        for body, node in self._nodes.items():
            seen = self._links.valid[body] and (known or body not in self._changing)
            node.visible = bool(self._visible and seen)
            if node.visible and body in self._changing:
                node.points = self._points(self._changing[body])

    def follow(self) -> None:
        """Turn those that change, and hide those that are not known."""
        if self._visible:
            self.refresh()

    def _points(self, made: TreeJoint) -> Floats:
        """Return the ends (nv, 2, 3) of a joint's arrows in the body that it moves, m."""
        q = np.asarray(made.joint.neutral(), dtype=np.float64)
        if _changes(made) and self._links.q is not None:
            q = np.asarray(made.coordinates.position(self._links.q), dtype=np.float64)
        half = 0.5 * self._settings.axis_length
        axes = joint_axes(made.joint, q)
        return np.array(
            [[x.point - half * x.direction, x.point + half * x.direction] for x in axes]
        )

    def _node(self, body: int, made: TreeJoint) -> Any:
        width = 0.6 * self._settings.arrow_width
        kinds = ["turning" if turns else "sliding" for turns in made.joint.turning()]
        return self._links.page.server.scene.add_arrows(
            f"{self._links.paths[body]}/joint_axes",
            self._points(made),
            np.array([COLORS[kind] for kind in kinds], dtype=np.uint8),
            shaft_radius=0.5 * width,
            head_radius=1.2 * width,
            head_length=3.0 * width,
        )


def _changes(made: TreeJoint) -> bool:
    """Return whether a joint's axes depend on its coordinates."""
    return made.joint.subspace_derivative(made.joint.neutral()) is not None
