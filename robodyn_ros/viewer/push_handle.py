"""A handle on a link that is pulled with the mouse, as by a spring."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.viewer.robot_scene import RobotScene

Floats = NDArray[np.float64]
OnPush = Callable[[str, Floats, Floats], None]
"""Takes the body, the force (3,) in N and the point (3,) in m that it acts on, world axes."""


class PushHandle:
    """Arrows at a link's centre of mass; dragging them pulls it towards the pointer.

    The handle stays where it is dragged to while the link moves, and goes back to the link when it
    is let go.

    Attributes:
        scene: whose robot is pulled.
        stiffness: of the spring from the link to the pointer, N/m; may be set.
    """

    def __init__(self, scene: RobotScene, *, stiffness: float = 100.0) -> None:
        """Make no handle yet; `attach` does."""
        self.scene = scene
        self.stiffness = stiffness
        self._lock = threading.RLock()
        self._body: str | None = None
        self._callbacks: list[OnPush] = []
        self._node: Any = None
        self._dragged = False

    @property
    def body(self) -> str | None:
        """The link that has the handle, None for none."""
        return self._body

    @property
    def dragged(self) -> bool:
        """Whether somebody is dragging it now."""
        return self._dragged

    def attach(self, body: str | None) -> None:
        """Put the handle on a body, or with None take it away; what was pulled is let go.

        Raises:
            UnknownNameError: the robot has no such body.
        """
        if body is not None:
            self.scene.model.body_index(body)
        with self._lock:
            self._let_go()
            if self._node is not None:
                self._node.remove()
            self._node, self._body = None, body
            if body is not None:
                self._node = self._made(body)

    def on_push(self, callback: OnPush) -> OnPush:
        """Let `callback(body, force, point)` be called while the handle is dragged.

        It is called in the page's threads, once more with a force of zero when dragging ends. For
        as long as it lasts, call `update` whenever the link may have moved.
        """
        self._callbacks.append(callback)
        return callback

    def update(self) -> None:
        """Follow the link; while the handle is dragged, pull from where the link is now."""
        with self._lock:
            if self._node is None:
                return
            if self._dragged:
                self._pull()
            else:
                self._node.position = self._grip()

    def _made(self, body: str) -> Any:
        size = 2.0 * self.scene.settings.frame_size
        node = self.scene.page.server.scene.add_transform_controls(
            f"{self.scene.root}/push_handle",
            scale=size,
            disable_rotations=True,
            disable_sliders=True,
            depth_test=False,
            position=self._grip(),
        )

        # On the page's event loop, so that the phases come in their order.
        async def dragged(event: Any) -> None:
            self._drag(event.phase, body)

        node.on_update(dragged)
        return node

    def _drag(self, phase: str, body: str) -> None:
        with self._lock:
            if self._body != body or self._node is None:
                return
            if phase == "end":
                self._let_go()
            else:
                self._dragged = True
                self._pull()

    def _let_go(self) -> None:
        if not self._dragged:
            return
        self._dragged = False
        if self._node is not None:
            self._node.position = self._grip()
        self._tell(np.zeros(3))

    def _pull(self) -> None:
        target = np.asarray(self._node.position, dtype=np.float64)
        self._tell(self.stiffness * (target - self._grip()))

    def _tell(self, force: Floats) -> None:
        body = self._body
        if body is None or not np.isfinite(force).all():
            return
        for callback in self._callbacks:
            callback(body, force, self._grip())

    def _grip(self) -> Floats:
        """Return the centre of mass (3,) of the link in the world, m."""
        name = self._body or self.scene.model.body_names[0]
        return self.scene.point(
            name, self.scene.model.bodies[self.scene.model.body_index(name)].com
        )
