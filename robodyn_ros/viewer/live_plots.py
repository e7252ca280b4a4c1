"""Plots of the last seconds of some numbers, drawn on the page as they come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import viser

Floats = NDArray[np.float64]

SPAN = 10.0
"""Seconds that are shown."""
RATE = 20.0
"""Samples kept a second, and the most updates of a plot a second."""
LARGEST = 1e12
"""Numbers beyond it are left out: they would make an axis without meaning."""
LEAST_RANGE = 0.02
"""Of the vertical axis: its numbers have three decimals, and what is less is rounding."""
HEIGHT = 180
"""Of a plot on the page, pixels."""
COLORS = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"),
    *("#8c564b", "#e377c2", "#17becf", "#000000", "#7f7f7f"),
)
"""Of the curves, one after another."""


class History:
    """The last samples of some numbers over time."""

    def __init__(self, width: int, span: float = SPAN, rate: float = RATE) -> None:
        """Begin without samples.

        Args:
            width: How many numbers a sample has.
            span: Seconds that are kept.
            rate: Samples that are kept a second; what comes sooner is left out.
        """
        self._period = 1.0 / rate
        self._rows = np.full((round(span * rate) + 1, 1 + width), np.nan)
        self._count = 0
        self._span = span

    def clear(self) -> None:
        """Forget all samples."""
        self._count = 0

    def add(self, time: float, values: Sequence[float] | Floats) -> bool:
        """Keep a sample, unless it comes too soon after the last; return whether it was kept.

        A time that jumps back begins anew. Numbers that are not finite, or beyond `LARGEST`, are
        gaps.

        Args:
            time: s.
            values: (width,).
        """
        if not np.isfinite(time):
            return False
        last = self._rows[self._count - 1, 0] if self._count else -np.inf
        if time < last or time > last + self._span:
            self._count = 0
        elif time < last + self._period * (1.0 - 1e-6):
            return False
        if self._count == len(self._rows):
            self._rows[:-1] = self._rows[1:]
            self._count -= 1
        row = self._rows[self._count]
        row[0], row[1:] = time, values
        row[1:][~(np.abs(row[1:]) <= LARGEST)] = np.nan
        self._count += 1
        return True

    def columns(self) -> tuple[Floats, ...]:
        """Return seconds before the last sample (n,), and every number (n,); (1,) where none is."""
        if not self._count:
            return (np.zeros(1), *(np.full(1, np.nan) for _ in range(self._rows.shape[1] - 1)))
        rows = self._rows[: self._count]
        rows = rows[rows[:, 0] >= rows[-1, 0] - self._span]
        return (rows[:, 0] - rows[-1, 0], *np.ascontiguousarray(rows[:, 1:].T))


@dataclass(frozen=True)
class PlotText:
    """What a plot says.

    Attributes:
        title: What is plotted, with its unit.
        curves: Names of its curves.
    """

    title: str
    curves: tuple[str, ...]


class LivePlot:
    """One plot on the page and its history; it draws while it is shown."""

    def __init__(self, gui: viser.GuiApi, text: PlotText, *, shown: bool = True) -> None:
        """Add the plot to the container that is open.

        Args:
            gui: The page's controls.
            text: What it says.
            shown: Whether it is shown at the start.
        """
        self._text = text
        self._gui = gui
        self.history = History(len(text.curves))
        self._is_new = False
        columns = _drawable(self.history.columns())
        self.handle = gui.add_uplot(
            columns,
            _series(text.curves),
            title=text.title,
            scales=_scales(columns),
            legend={"show": True},
            height=HEIGHT,
            visible=shown,
        )

    @property
    def is_shown(self) -> bool:
        """Whether the plot is on the page."""
        return bool(self.handle.visible)

    def show(self, shown: bool) -> None:
        """Show the plot, or hide it; a hidden one keeps its history and costs the page nothing."""
        self.handle.visible = shown
        self._is_new = self._is_new or shown

    def clear(self) -> None:
        """Forget the history."""
        self.history.clear()
        self._is_new = True

    def add(self, time: float, values: Sequence[float] | Floats) -> None:
        """Keep a sample at a time in s; see `History.add`."""
        self._is_new = self.history.add(time, values) or self._is_new

    def draw(self) -> None:
        """Send what is new to the page."""
        if self._is_new and self.is_shown:
            self._is_new = False
            columns = _drawable(self.history.columns())
            scales = _scales(columns)
            if scales != self.handle.scales:
                self.handle.scales = scales
            self.handle.data = columns


def _drawable(columns: tuple[Floats, ...]) -> tuple[Floats, ...]:
    """Return columns of which none is without a number: uPlot would find no range for any.

    The number goes where another curve begins; one point is no curve, and nothing of it is seen.
    """
    begins = [column[0] for column in columns[1:] if np.isfinite(column[0])]
    for column in columns[1:]:
        if not np.isfinite(column).any():
            column[0] = begins[0] if begins else 0.0
    return columns


def _scales(columns: tuple[Floats, ...]) -> dict[str, viser.uplot.Scale]:
    """Return the axes; the vertical one is uPlot's choice unless numbers hardly differ."""
    scales: dict[str, viser.uplot.Scale] = {"x": {"time": False, "range": (-SPAN, 0.0)}}
    least = min(float(np.nanmin(column)) for column in columns[1:])
    most = max(float(np.nanmax(column)) for column in columns[1:])
    if most - least < LEAST_RANGE:
        middle = round(0.5 * (least + most) / LEAST_RANGE) * LEAST_RANGE
        scales["y"] = {"range": (middle - LEAST_RANGE, middle + LEAST_RANGE)}
    return scales


def _series(curves: Sequence[str]) -> tuple[viser.uplot.Series, ...]:
    first: viser.uplot.Series = {"label": "t [s]"}
    rest: list[viser.uplot.Series] = [
        {
            "label": name,
            "stroke": COLORS[i % len(COLORS)],
            "width": 1.5,
            "points": {"show": False},
        }
        for i, name in enumerate(curves)
    ]
    return (first, *rest)


class Pace:
    """Lets something happen at most so many times a second."""

    def __init__(self, rate: float, clock: Callable[[], float]) -> None:
        """Let the first time happen at once.

        Args:
            rate: Times a second.
            clock: Returns the time in s.
        """
        self._period = 1.0 / rate
        self._clock = clock
        self._due = -np.inf

    def is_due(self) -> bool:
        """Return whether it may happen now; if so, it counts as done."""
        now = self._clock()
        if now < self._due:
            return False
        self._due = now + self._period
        return True
