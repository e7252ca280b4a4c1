"""The controls, plots and tables of one robot on the page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from robodyn_ros.viewer.panel_actions import Abilities, Actions
from robodyn_ros.viewer.panel_joints import JointSliders
from robodyn_ros.viewer.panel_loads import LoadControls
from robodyn_ros.viewer.panel_plots import EffortSample, MotionSample, Plots, Tables
from robodyn_ros.viewer.panel_push import PushControls
from robodyn_ros.viewer.panel_show import ShowControls
from robodyn_ros.viewer.panel_time import TimeControls

if TYPE_CHECKING:
    import viser

COLORS = {"good": "#2b8a3e", "warning": "#e67700", "bad": "#c92a2a", "plain": "inherit"}
"""Of a line of the status by how things are."""


@dataclass(frozen=True)
class Line:
    """A line of the status.

    Attributes:
        label: What it is about.
        text: How that is.
        tone: A key of `COLORS`.
    """

    label: str
    text: str
    tone: str = "plain"


class Places:
    """Where on the page each robot has its controls, plots and tables."""

    def __init__(self, gui: viser.GuiApi, names: Sequence[str]) -> None:
        """Lay out the page: plots at the left, controls at the right; a tab for each robot.

        Args:
            gui: The page's controls.
            names: The robots; one alone needs no tab.
        """
        self._single = len(names) == 1
        self._controls: dict[str, AbstractContextManager[Any]] = {}
        self._plots: dict[str, AbstractContextManager[Any]] = {}
        self._tables: dict[str, AbstractContextManager[Any]] = {}
        tabs = None if self._single else gui.add_tab_group()
        side = gui.add_panel()
        for name in names:
            self._controls[name] = nullcontext() if tabs is None else tabs.add_tab(name)
            prefix = "" if self._single else f"{name} "
            self._plots[name] = side.add_tab(f"{prefix}plots")
            self._tables[name] = side.add_tab(f"{prefix}values")
        side.dock_left()

    def controls(self, name: str) -> AbstractContextManager[Any]:
        """Return where a robot's controls go."""
        return self._controls[name]

    def plots(self, name: str) -> AbstractContextManager[Any]:
        """Return where a robot's plots go."""
        return self._plots[name]

    def tables(self, name: str) -> AbstractContextManager[Any]:
        """Return where a robot's tables go."""
        return self._tables[name]


class RobotPanel:
    """All controls of one robot. What they ask for goes to `Actions`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        places: Places,
        name: str,
        actions: Actions,
        *,
        warning: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Add the controls to the page.

        Args:
            gui: The page's controls.
            places: Where they go.
            name: The robot, one of those the places were made for.
            actions: What is asked for; called in threads of the page.
            warning: Something that everybody who uses the sliders should know.
            clock: Returns the time in s.
        """
        with places.controls(name):
            self.status = gui.add_html("")
            if warning:
                gui.add_html(_lines([Line("", warning, "bad")]))
            tabs = gui.add_tab_group()
            with tabs.add_tab("Move"):
                self.time = TimeControls(gui, actions, clock)
                self.joints = JointSliders(gui, actions.move, clock)
            with tabs.add_tab("Loads"):
                self.loads = LoadControls(gui, actions, clock)
                self.push = PushControls(gui, actions)
            with tabs.add_tab("Show"):
                self.show = ShowControls(gui)
        with places.plots(name):
            self.plots = Plots(gui, clock)
        with places.tables(name):
            self.tables = Tables(gui, clock)

    def offer(
        self, coordinates: Sequence[str], frames: Sequence[str], bodies: Sequence[str], chosen: str
    ) -> None:
        """Let people choose from what a robot has.

        Args:
            coordinates: Coordinates that have efforts.
            frames: Links and frames that may carry a payload, or be pushed.
            bodies: Bodies whose motion is known.
            chosen: The frame and body that is chosen first.
        """
        self.loads.offer(frames, chosen)
        self.push.offer(frames, chosen)
        self.plots.offer(coordinates, bodies, chosen)

    def allow(self, abilities: Abilities) -> None:
        """Grey out what nothing would do."""
        self.time.allow(abilities)
        self.joints.allow(abilities)
        self.loads.allow(abilities)
        self.push.allow(abilities)

    def tell(self, lines: Sequence[Line]) -> None:
        """Show the status."""
        content = _lines(lines)
        if content != self.status.content:
            self.status.content = content

    def follow(self, positions: Mapping[str, float]) -> None:
        """Show where coordinates are, rad or m."""
        self.joints.follow(positions)

    def add_efforts(self, sample: EffortSample) -> None:
        """Plot efforts, and list them."""
        self.plots.add_efforts(sample)
        self.tables.add_efforts(sample)

    def add_motion(self, sample: MotionSample) -> None:
        """Plot the motion of a body, and list that of all."""
        self.plots.add_motion(sample)
        self.tables.add_motion(sample)


def _lines(lines: Sequence[Line]) -> str:
    """Return lines as HTML; their texts may hold anything."""
    shown = "".join(
        f'<div style="color:{COLORS[line.tone]};overflow-wrap:anywhere">'
        + (f"<b>{escape(line.label)}:</b> " if line.label else "")
        + f"{escape(line.text)}</div>"
        for line in lines
    )
    style = "font-size:0.8em;padding:0.2em 0.8em;max-height:18em;overflow-y:auto"
    return f'<div style="{style}">{shown}</div>'
