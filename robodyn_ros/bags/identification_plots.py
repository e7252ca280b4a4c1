"""The plots of an identification's report, as SVG text."""

from __future__ import annotations

import numpy as np

from robodyn_ros.analysis.friction_of_joints import JointFriction
from robodyn_ros.analysis.residuals import JointResidual
from robodyn_ros.bags.report_plots import svg_text
from robodyn_ros.plots.figures import pyplot_figure

_POINTS = 400
_BLUE, _RED, _GREY, _ORANGE = "#0072b2", "#b42318", "#6b7280", "#e69f00"


def residual_plot(residuals: tuple[JointResidual, ...], title: str) -> str:
    """Return bars of what is left of measured efforts, as shares of them, by joint."""
    figure = pyplot_figure(8.6, 0.6 + 0.34 * len(residuals) + 0.4)
    panel = figure.subplots()
    places = np.arange(len(residuals))
    for shift, key, color, label in (
        (-0.2, "before", _GREY, "described"),
        (0.2, "after", _BLUE, "identified"),
    ):
        shares = [100.0 * getattr(one, key) / max(one.measured, 1e-12) for one in residuals]
        panel.barh(places + shift, shares, 0.38, color=color, label=label)
    panel.set_yticks(places, [one.name for one in residuals], fontsize="small")
    panel.invert_yaxis()
    panel.grid(visible=True, axis="x", alpha=0.25)
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small", frameon=False)
    return svg_text(figure, panel, title, "residual, % of the measured efforts", left=0.28)


def friction_plot(one: JointFriction, unit: str) -> str:
    """Return friction over speed: measured, as described and as identified."""
    figure = pyplot_figure(8.6, 2.6)
    panel = figure.subplots()
    low, high = (float(np.min(one.speed)), float(np.max(one.speed)))
    room = 0.05 * max(high - low, 1e-3)
    speeds = np.asarray(np.linspace(low - room, high + room, _POINTS), np.float64)
    panel.errorbar(
        one.speed,
        one.effort,
        yerr=np.abs(one.spread),
        fmt=".",
        color=_GREY,
        lw=0.8,
        label="measured",
    )
    panel.plot(speeds, one.described(speeds), "--", color=_ORANGE, lw=1.2, label="described")
    panel.plot(speeds, one.curve(speeds), color=_BLUE, lw=1.4, label="identified")
    if one.stribeck is not None:
        panel.plot(speeds, one.stribeck(speeds), color=_RED, lw=1.2, label="with Stribeck")
    panel.set_ylabel(unit)
    panel.grid(visible=True, alpha=0.25)
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small", frameon=False)
    rate = "m/s" if unit == "N" else "rad/s"
    return svg_text(figure, panel, f"{one.name}: friction over speed", rate)
