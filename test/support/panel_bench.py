"""A panel of one robot or of several on a page of its own, and what people ask for on it."""

from __future__ import annotations

import math
import threading
from dataclasses import fields
from typing import Any

from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.panel import Places, RobotPanel
from robodyn_ros.viewer.panel_actions import Abilities
from robodyn_ros.viewer.panel_joints import Range

RANGES = [
    Range("lift", -0.5, 0.5, "m"),
    Range("elbow", -2.0, 2.0, "rad"),
    Range("wrist", -math.pi, math.pi, "rad", turns_endlessly=True),
]

EVERYTHING = Abilities(**{field.name: True for field in fields(Abilities)})


class Recorder:
    """Actions that only remember what they were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.came = threading.Event()

    def __getattr__(self, name: str) -> Any:
        def record(*arguments: Any) -> None:
            self.asked.append((name, *arguments))

        return record


class Bench:
    """A panel on a page, its clock and what it asks for."""

    def __init__(self, page: Page, names: tuple[str, ...] = ("",)) -> None:
        self.page = page
        self.now = 100.0
        self.actions = {name: Recorder() for name in names}
        gui = page.server.gui
        places = Places(gui, names)
        self.panels = {
            name: RobotPanel(gui, places, name, self.actions[name], clock=lambda: self.now)
            for name in names
        }

    @property
    def panel(self) -> RobotPanel:
        """The only one."""
        (found,) = self.panels.values()
        return found

    @property
    def asked(self) -> list[tuple[Any, ...]]:
        """What the only one asked for."""
        (found,) = self.actions.values()
        return found.asked
