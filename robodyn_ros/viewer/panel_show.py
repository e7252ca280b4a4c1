"""Checkboxes for the kinds of things that a scene shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robodyn_ros.viewer.panel_inputs import on_user
from robodyn_ros.viewer.settings import KINDS

if TYPE_CHECKING:
    import viser

    from robodyn_ros.viewer.robot_scene import RobotScene


class ShowControls:
    """A checkbox for every kind of things that a robot has."""

    def __init__(self, gui: viser.GuiApi) -> None:
        """Add the folder to the container that is open, empty.

        Args:
            gui: The page's controls.
        """
        self._gui = gui
        self._folder = gui.add_folder(None)
        #: By kind.
        self.boxes: dict[str, viser.GuiCheckboxHandle] = {}

    def arrange(self, scene: RobotScene) -> None:
        """Have checkboxes for what a scene shows; what was chosen before stays so."""
        chosen = {kind: bool(box.value) for kind, box in self.boxes.items()}
        for box in self.boxes.values():
            box.remove()
        self.boxes = {}
        with self._folder:
            for kind in scene.kinds:
                shown = chosen.get(kind, scene.is_visible(kind))
                scene.set_visible(kind, shown)
                self.boxes[kind] = self._box(scene, kind, shown)

    def _box(self, scene: RobotScene, kind: str, shown: bool) -> viser.GuiCheckboxHandle:
        box = self._gui.add_checkbox(KINDS.get(kind, kind), shown)
        on_user(box, lambda: scene.set_visible(kind, bool(box.value)))
        return box
