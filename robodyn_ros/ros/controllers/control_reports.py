"""What a controller reports of itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import isfinite

from robodyn_ros.ros.controllers.controller import Controller
from robodyn_ros.ros.reports import Level, Report

NAME = "controller"
_TOLD = 0.05
"""Share of lost payloads that is told."""


def control_report(state: str, controller: Controller, refusals: Sequence[str]) -> Report:
    """Report on a controller; called with the node's lock held.

    Args:
        state: Label of the lifecycle's state.
        controller: The controller.
        refusals: Why it cannot be activated now.
    """
    meters, made = controller.meters, controller.assembly
    values = {"state": state, "command topic": controller.output.topic}
    values["listeners"] = str(controller.output.listeners)
    values["commands sent"] = str(meters.sent)
    values["commands at an effort limit"] = str(meters.saturated)
    values["missed cycles"] = str(meters.missed)
    latency = meters.latency.summary()
    if isfinite(latency.p50):
        parts = (1e3 * x for x in (latency.p50, latency.p99, latency.max))
        values["latency, state to command"] = "p50 {:.3f} ms, p99 {:.3f} ms, max {:.3f} ms".format(
            *parts
        )
    intervals = meters.intervals.summary(time.monotonic())
    if isfinite(intervals.median):
        values["command rate"] = f"{intervals.rate:.1f} Hz"
        values["command jitter"] = f"p99 {1e3 * intervals.jitter:.3f} ms"
        values["longest gap"] = f"{1e3 * intervals.longest:.3f} ms"
    if made is not None:
        values["commanded joints"] = ", ".join(made.commanded.names)
        faults = made.supervisor.faults
        if (lost := made.supervisor.lost) > _TOLD:
            values["payloads lost"] = f"{lost:.0%} of their weight, which is not held any more"
        values |= {f"fault {kind.value}": fault.text for kind, fault in faults.items()}
        if faults:
            form = made.supervisor.form
            does = form.value if form is not None else "its law"
            text = f"{does}: " + "; ".join(fault.text for fault in faults.values())
            return Report(NAME, Level.ERROR, text, values=values)
    if refusals:
        return Report(NAME, Level.WARN, f"{state}; not ready: {'; '.join(refusals)}", values=values)
    if state == "active" and not controller.output.listeners:
        text = f"active, but nobody listens on {controller.output.topic}"
        return Report(NAME, Level.WARN, text, values=values)
    return Report(NAME, Level.OK, state, values=values)
