"""The plots of a replay's report, as SVG text to be put into a page."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from typing import Any

import numpy as np

from robodyn_ros.bags.curves import Curve, Curves
from robodyn_ros.bags.evaluation import TERMS
from robodyn_ros.plots.figures import pyplot_figure

_COLORS = {
    "effort": "#111827",
    "measured": "#d55e00",
    "residual": "#b42318",
    "inertial": "#0072b2",
    "coriolis": "#cc79a7",
    "gravity": "#009e73",
    "friction": "#e69f00",
    "armature": "#56b4e9",
    "payload": "#7a5195",
    "kinetic": "#0072b2",
    "potential": "#009e73",
    "power": "#d55e00",
    "position": "#0072b2",
    "velocity": "#009e73",
}
"""Okabe and Ito's colours, which most people can tell apart, and some darker ones."""
_LABELS = {"effort": "model", "measured": "measured", "residual": "measured - model"}
_NOTHING = 1e-12
"""Terms that are never larger are not drawn."""


def coordinate_plot(curves: Curves, name: str, unit: str, motion: str, *, measured: bool) -> str:
    """Return the plot of one coordinate: motion, terms and, where measured, the comparison.

    Args:
        curves: What was kept.
        name: The coordinate's.
        unit: Of its efforts.
        motion: Unit of its position.
        measured: Whether there are efforts to compare with.
    """
    count = 4 if measured else 2
    figure = pyplot_figure(8.6, 1.9 * count + 0.4)
    panels = figure.subplots(count, 1, sharex=True)
    _draw(panels[0], curves, name, ("position", "velocity"), f"{motion}, {motion}/s")
    _draw(panels[1], curves, name, ("effort", *TERMS), unit)
    if measured:
        _draw(panels[2], curves, name, ("measured", "effort"), unit)
        _draw(panels[3], curves, name, ("residual",), unit)
    return svg_text(
        figure, panels[-1], f"{name}: motion, efforts by cause and measured efforts over time"
    )


def energy_plot(curves: Curves) -> str:
    """Return the plot of energies and power."""
    figure = pyplot_figure(8.6, 4.4)
    panels = figure.subplots(2, 1, sharex=True)
    for what in ("kinetic", "potential"):
        _line(panels[0], curves.whole(what), what)
    _line(panels[1], curves.whole("power"), "power")
    _finish(panels[0], "J")
    _finish(panels[1], "W")
    return svg_text(
        figure, panels[-1], "kinetic and potential energy, and mechanical power, over time"
    )


def _draw(panel: Any, curves: Curves, name: str, shown: Sequence[str], unit: str) -> None:
    for what in shown:
        curve = curves.of(name, what)
        largest = np.nanmax(np.abs(curve.value), initial=0.0) if len(curve.value) else 0.0
        if largest > _NOTHING or what in _LABELS or what in ("position", "velocity"):
            _line(panel, curve, what)
    _finish(panel, unit)


def _line(panel: Any, curve: Curve, what: str) -> None:
    width = 1.3 if what in ("effort", "measured") else 0.9
    style = "--" if what == "effort" else "-"
    panel.plot(
        curve.time, curve.value, style, color=_COLORS[what], lw=width, label=_LABELS.get(what, what)
    )


def _finish(panel: Any, unit: str) -> None:
    panel.set_ylabel(unit)
    panel.grid(visible=True, alpha=0.25)
    panel.margins(x=0.01)
    if panel.lines:
        panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small", frameon=False)


def svg_text(figure: Any, last: Any, title: str, axis: str = "s", left: float = 0.09) -> str:
    """Return a figure as an element of a page, with a title for who cannot see it.

    Args:
        figure: Of Matplotlib.
        last: Its lowest panel.
        title: What it shows.
        axis: What the lowest axis shows.
        left: Share of the width that is left free for labels.
    """
    from matplotlib import rc_context

    last.set_xlabel(axis)
    width, height = figure.get_size_inches()
    figure.subplots_adjust(
        left=left,
        right=1.0 - 1.5 / width,
        top=1.0 - 0.1 / height,
        bottom=0.45 / height,
        hspace=0.08,
    )
    figure.align_ylabels()
    text = io.StringIO()
    with rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": title, "path.simplify_threshold": 0.3}
    ):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    key = "t" + sha256(title.encode()).hexdigest()[:12]
    head = f'<svg role="img" aria-labelledby="{key}"'
    body = re.sub(r"^<svg", head, _apart(svg, key), count=1)
    return body.replace(">", f'><title id="{key}">{escape(title)}</title>', 1)


def _apart(svg: str, key: str) -> str:
    """Return a figure whose ids no other figure has."""
    svg = re.sub(r'\bid="', f'id="{key}-', svg)
    return re.sub(r'(url\(|href=")#', rf"\g<1>#{key}-", svg)
