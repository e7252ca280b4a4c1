"""A handle on a link that is pulled with the mouse, as by a spring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.viewer.robot_scene import RobotScene

Floats = NDArray[np.float64]
OnPush = Callable[[str, Floats, Floats], None]
"""Takes the body, the force (3,) in N and the point (3,) in m that it acts on, world axes."""


class PushHandle:
    """Arrows at a link's centre of mass; dragging them pulls it there.

    Attributes:
        scene: whose robot is pulled.
        stiffness: of the spring from the link to the pointer, N/m.
        body: the link, None while there is no handle.
    """

    def __init__(self, scene: RobotScene, *, stiffness: float = 100.0) -> None:
        """Make no handle yet; `attach` does."""
        self.scene = scene
        self.stiffness = stiffness
        self.body: str | None = None
        self._on_push: list[OnPush] = []
        self._node: Any = None

    def attach(self, body: str | None) -> None:
        """Put the handle on a body, or with None take it away.

        Raises:
            UnknownNameError: the robot has no such body.
        """

    def on_push(self, callback: OnPush) -> OnPush:
        """Let `callback(body, force, point)` be called while the handle is dragged.

        When dragging ends, it is called once more with a force of zero.
        """
        self._on_push.append(callback)
        return callback
