"""What is told of a replay in numbers and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from robodyn_ros.bags.replay import Replay
from robodyn_ros.bags.series import WIDTH
from robodyn_ros.bags.statistics import Statistics
from robodyn_ros.errors import quoted

_MANY = 0.01
"""Share of rows from which on something is told."""


def percent(share: float) -> str:
    """Return a share as text: never 100 % of what is not all, never 0 % of what is not nothing."""
    value = 100.0 * share
    if value in (0.0, 100.0):
        return f"{value:.0f} %"
    if value > 99.0:
        return f"{min(value, 99.99):.2f} %"
    return f"{value:.2g} %"


def summary_of(replay: Replay, statistics: Statistics) -> dict[str, Any]:
    """Return everything about a replay that was iterated over, as data for JSON."""
    robot = replay.robot
    found = statistics.to_dict()
    return {
        "robot": robot.model.name,
        "bag": str(replay.path),
        "topics": dict(replay.topics),
        "bag_duration": replay.duration,
        "gravity": robot.gravity.tolist(),
        "payloads": [
            {"name": x.name, "frame": x.frame, "mass": x.mass, "com": x.com.tolist()}
            for x in robot.payloads
        ],
        "messages": dict(replay.counts),
        "invalid": {"not finite": replay.insane, "outliers": replay.outliers},
        **found,
        "notes": [*_notes(replay, found), *statistics.likeness.hints()],
        "method": list(method_of(replay)),
    }


def _notes(replay: Replay, found: dict[str, Any]) -> Iterator[str]:
    """Yield what is to be known of the numbers."""
    yield from replay.warnings
    for name, why in replay.refused.items():
        yield f"measured efforts of {quoted(name)} are not used: {why}"
    for what, counted in (
        ("numbers that are not finite, or beyond all bounds", replay.insane),
        ("numbers that do not follow from those round them", replay.outliers),
    ):
        if counted:
            listed = ", ".join(f"{quoted(name)} ({count})" for name, count in counted.items())
            yield f"{what}, in so many rows: {listed}"
    bad = [x for x in found["coordinates"] if x["valid_share"] < 1.0 - _MANY]
    if bad:
        listed = ", ".join(f"{quoted(x['name'])} ({percent(x['valid_share'])})" for x in bad)
        yield f"efforts are known in a part of the rows only: {listed}"
    if not any(x["measured"] for x in found["coordinates"]):
        yield "the bag has no measured efforts to compare with"
    if not replay.choices.friction:
        yield "joint friction is not counted"


def method_of(replay: Replay) -> Iterator[str]:
    """Yield how the numbers came about."""
    choices = replay.choices
    yield (
        "topics " + ", ".join(name for name, _ in replay.topics) + ": a row for each message that"
        " counts; a coordinate that a message does not name stays as it was told last, and is not"
        f" used when that is {choices.conditioning.stale_after:g} s ago"
    )
    width = WIDTH * choices.conditioning.filter_time_constant
    if choices.conditioning.filtered_acceleration:
        yield (
            "velocities are those of the messages, where they have any; other derivatives are"
            f" those of parabolas fitted to the samples up to {width:g} s before and behind, which"
            " delays nothing"
        )
    else:
        yield "velocities are those of the messages; accelerations are taken for 0"
    x, y, z = replay.robot.gravity
    yield f"gravity ({x:g}, {y:g}, {z:g}) m/s^2 in world axes"
    for load in replay.robot.payloads:
        yield f"payload {quoted(load.name)} of {load.mass:g} kg on {quoted(load.frame)}"
    friction = "with" if choices.friction else "without"
    yield f"inverse dynamics {friction} joint friction; SI units and radians"
    if choices.efforts.driver_compensates_gravity:
        yield "the driver compensates gravity: residuals leave the weight of links and payloads out"


def lines_of(summary: dict[str, Any]) -> list[str]:
    """Return a summary as lines of text."""
    pauses, counts = summary["pauses"], summary["messages"]
    rate = f", {summary['rate']:.5g} per s" if summary["rate"] else ""
    robot, duration = quoted(summary["robot"])[1:-1], summary["duration"]
    lines = [f"{robot}: {summary['rows']} rows in {duration:.6g} s{rate}"]
    dropped = {
        name: count
        for name, count in counts.items()
        if count and name not in ("messages", "rows", "without stamp", "clock resets")
    }
    if dropped:
        told = ", ".join(f"{count} {name}" for name, count in dropped.items())
        lines.append(f"left out of {counts['messages']} messages: {told}")
    if counts.get("without stamp"):
        lines.append(
            f"{counts['without stamp']} messages without a stamp have their recording time"
        )
    if summary["clock_resets"]:
        lines.append(f"clock resets: {summary['clock_resets']}")
    if pauses["count"]:
        lines.append(
            f"pauses: {pauses['count']}, the longest {pauses['longest']:.3g} s at"
            f" {pauses['longest_at']:.6g} s"
        )
    lines += [
        f"{quoted(one['name'])}: {beyond['kind']} {beyond['worst']:.4g} beyond its limit at"
        f" {beyond['worst_time']:.6g} s, {percent(beyond['share'])} of the rows"
        for one in summary["coordinates"]
        for beyond in one["beyond"]
    ]
    worst = [
        (x["residual"]["rms"], x["name"], x["unit"])
        for x in summary["coordinates"]
        if x["residual"]
    ]
    if worst:
        rms, name, unit = max(worst)
        lines.append(f"largest residual: {quoted(name)}, {rms:.4g} {unit} rms")
    return [*lines, *summary["notes"]]
