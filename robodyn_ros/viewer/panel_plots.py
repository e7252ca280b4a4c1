"""Plots of efforts, energy and motion, and tables of what they are now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.viewer.live_plots import LivePlot, Pace, PlotText
from robodyn_ros.viewer.panel_inputs import on_user, show_value
from robodyn_ros.viewer.panel_loads import NO_LINK

if TYPE_CHECKING:
    import viser

Floats = NDArray[np.float64]

TERMS = (
    *("gravity", "coriolis", "inertial", "friction", "armature", "payload", "external"),
    *("total", "measured"),
)
"""Efforts of a coordinate, in this order: the terms, their sum, and what was measured."""
_AXES = ("x", "y", "z")
_MOTION = (*(f"linear {x}" for x in _AXES), *(f"angular {x}" for x in _AXES))
_TABLE_RATE = 4.0
"""Times a second that the tables change."""
_LEAST_EFFORT = 1e-3
"""N m or N, from which on a coordinate is one that needs an effort."""
DRAW_RATE = 10.0
"""Times a second that plots are drawn anew."""


@dataclass(frozen=True)
class EffortSample:
    """Efforts of a robot at one instant.

    Attributes:
        time: s.
        names: Its n coordinates.
        position, velocity, acceleration: (n,) rad or m, and their rates.
        terms: (n, 9) in the order of `TERMS`, N m or N; NaN where one is not known.
        residual: (n,) what was measured less the total, N m or N.
        kinetic, potential: Energies, J.
    """

    time: float
    names: tuple[str, ...]
    position: Floats
    velocity: Floats
    acceleration: Floats
    terms: Floats
    residual: Floats
    kinetic: float
    potential: float


@dataclass(frozen=True)
class MotionSample:
    """Motion of a robot's bodies at one instant, world axes.

    Attributes:
        time: s.
        names: Its bodies.
        position: (n, 3) m.
        velocity: (n, 6) linear m/s, then angular rad/s.
        acceleration: (n, 6) linear m/s^2, then angular rad/s^2.
    """

    time: float
    names: tuple[str, ...]
    position: Floats
    velocity: Floats
    acceleration: Floats


class Plots:
    """Plots of one coordinate's efforts, of the energies and of one body's motion."""

    def __init__(self, gui: viser.GuiApi, clock: Callable[[], float] = time.monotonic) -> None:
        """Add them to the container that is open.

        Args:
            gui: The page's controls.
            clock: Returns the time in s, which paces drawing.
        """
        self._pace = Pace(DRAW_RATE, clock)
        self.coordinate = gui.add_dropdown("coordinate", (NO_LINK,))
        on_user(self.coordinate, self._choose)
        self._is_chosen = False
        self.efforts = LivePlot(gui, PlotText("effort [N m, N]", TERMS))
        residual = PlotText("residual effort [N m, N]", ("residual",))
        self.residual = LivePlot(gui, residual, shown=False)
        energies = PlotText("energy [J]", ("kinetic", "potential", "total"))
        self.energy = LivePlot(gui, energies)
        self.body = gui.add_dropdown("body", (NO_LINK,))
        self.velocity = LivePlot(gui, PlotText("velocity [m/s, rad/s]", _MOTION), shown=False)
        title = "acceleration [m/s^2, rad/s^2]"
        self.acceleration = LivePlot(gui, PlotText(title, _MOTION), shown=False)
        #: Checkboxes that show the plots, by name.
        self.shown: dict[str, viser.GuiCheckboxHandle] = {}
        with gui.add_folder("Shown plots"):
            for name, plot in self.all.items():
                self.shown[name] = self._checkbox(gui, name, plot)
        self._plotted = ("", "")

    @property
    def all(self) -> dict[str, LivePlot]:
        """Every plot by its name."""
        return {
            "efforts": self.efforts,
            "residual": self.residual,
            "energy": self.energy,
            "velocity": self.velocity,
            "acceleration": self.acceleration,
        }

    def offer(self, coordinates: Sequence[str], bodies: Sequence[str], body: str) -> None:
        """Let people choose from these coordinates and bodies.

        `body` is the first choice, and the coordinate that needs the largest effort.
        """
        self._is_chosen = False
        self.coordinate.options = tuple(coordinates) or (NO_LINK,)
        self.body.options = tuple(bodies) or (NO_LINK,)
        if body in bodies:
            show_value(self.body, body)
        for plot in self.all.values():
            plot.clear()

    def add_efforts(self, sample: EffortSample) -> None:
        """Take efforts."""
        self._choose_largest(sample)
        self._follow_choices()
        total = sample.kinetic + sample.potential
        self.energy.add(sample.time, (sample.kinetic, sample.potential, total))
        coordinate, _ = self._plotted
        if coordinate in sample.names:
            row = sample.names.index(coordinate)
            self.efforts.add(sample.time, sample.terms[row])
            self.residual.add(sample.time, sample.residual[row : row + 1])

    def add_motion(self, sample: MotionSample) -> None:
        """Take the motion of bodies."""
        self._follow_choices()
        _, body = self._plotted
        if body in sample.names:
            row = sample.names.index(body)
            self.velocity.add(sample.time, sample.velocity[row])
            self.acceleration.add(sample.time, sample.acceleration[row])

    def draw(self) -> None:
        """Draw what is new, if it is time to."""
        if self._pace.is_due():
            for plot in self.all.values():
                plot.draw()

    def _checkbox(self, gui: viser.GuiApi, name: str, plot: LivePlot) -> viser.GuiCheckboxHandle:
        box = gui.add_checkbox(name, plot.is_shown)
        on_user(box, lambda: plot.show(bool(box.value)))
        return box

    def _choose(self) -> None:
        self._is_chosen = True

    def _choose_largest(self, sample: EffortSample) -> None:
        """Plot the coordinate that needs the largest effort, until somebody chooses one."""
        total = np.abs(sample.terms[:, TERMS.index("total")])
        if self._is_chosen or not np.nanmax(total, initial=0.0) > _LEAST_EFFORT:
            return
        self._is_chosen = True
        largest = sample.names[int(np.nanargmax(total))]
        if largest in self.coordinate.options:
            show_value(self.coordinate, largest)

    def _follow_choices(self) -> None:
        """Begin plots anew that are of something else now."""
        before, self._plotted = self._plotted, (self.coordinate.value, self.body.value)
        if before[0] != self._plotted[0]:
            self.efforts.clear()
            self.residual.clear()
        if before[1] != self._plotted[1]:
            self.velocity.clear()
            self.acceleration.clear()


class Tables:
    """Tables of what coordinates and bodies do now, in numbers."""

    def __init__(self, gui: viser.GuiApi, clock: Callable[[], float] = time.monotonic) -> None:
        """Add them to the container that is open.

        Args:
            gui: The page's controls.
            clock: Returns the time in s, which paces them.
        """
        self._paces = Pace(_TABLE_RATE, clock), Pace(_TABLE_RATE, clock)
        self.live = gui.add_checkbox("live", initial_value=True)
        with gui.add_folder("Coordinates"):
            self.coordinates = gui.add_html("")
        with gui.add_folder("Bodies"):
            self.bodies = gui.add_html("")

    def add_efforts(self, sample: EffortSample) -> None:
        """Show efforts."""
        if not self.live.value or not self._paces[0].is_due():
            return
        total, measured = sample.terms[:, -2], sample.terms[:, -1]
        columns = (sample.position, sample.velocity, sample.acceleration, total, measured)
        rows = zip(sample.names, np.stack([*columns, sample.residual], axis=1), strict=True)
        heads = ("", "position", "velocity", "acceleration", "effort", "measured", "residual")
        self.coordinates.content = html_table(heads, rows)

    def add_motion(self, sample: MotionSample) -> None:
        """Show the motion of bodies."""
        if not self.live.value or not self._paces[1].is_due():
            return
        columns = [sample.position, *(_norms(x) for x in (sample.velocity, sample.acceleration))]
        rows = zip(sample.names, np.concatenate(columns, axis=1), strict=True)
        heads = ("", "x", "y", "z", "m/s", "rad/s", "m/s^2", "rad/s^2")
        self.bodies.content = html_table(heads, rows)


def _norms(motion: Floats) -> Floats:
    """Return the lengths (n, 2) of linear and angular parts (n, 6)."""
    with np.errstate(over="ignore"):
        return np.stack(
            [np.linalg.norm(motion[:, :3], axis=1), np.linalg.norm(motion[:, 3:], axis=1)], axis=1
        )


_STYLE = (
    "<style>.robodyn{overflow-x:auto;font-size:0.7em}.robodyn table{border-collapse:collapse}"
    ".robodyn td,.robodyn th{padding:0 0.4em;text-align:right}"
    ".robodyn td:first-child{text-align:left}</style>"
)


def html_table(heads: Sequence[str], rows: Iterable[tuple[str, Floats]]) -> str:
    """Return a table of names and their numbers as HTML; names may hold anything."""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join(
        f"<tr><td>{escape(name)}</td>"
        + "".join(f"<td>{number_text(float(x))}</td>" for x in numbers)
        + "</tr>"
        for name, numbers in rows
    )
    return f'{_STYLE}<div class="robodyn"><table><tr>{top}</tr>{body}</table></div>'


def number_text(value: float) -> str:
    """Return a number with three decimals, a large one with fewer; "" for NaN."""
    if np.isnan(value):
        return ""
    if abs(value) >= 1e4:
        return f"{value:.3g}"
    return f"{round(value, 3) + 0.0:.3f}"  # the sum has no -0.000
