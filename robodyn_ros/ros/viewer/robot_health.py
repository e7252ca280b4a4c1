"""What the status of a robot says: where it comes from, how fast, and what is wrong."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.viewer.panel import Line

SILENCE = 3.0
"""Seconds without a message after which that is told."""
_LEVELS = ("fine", "warning", "error", "stale")
_TONES = ("good", "warning", "bad", "bad")
_LONGEST = 160
_MOST_STATUSES = 256
_SOURCES = {"simulator": "the simulator", "demo": "the demo source", "topic": "a command topic"}


class Diagnostics:
    """The newest status of each kind from some nodes."""

    def __init__(self, nodes: Sequence[str]) -> None:
        """Begin without any.

        Args:
            nodes: Full names of the nodes that count.
        """
        self._begins = tuple(f"{node.lstrip('/')}: " for node in nodes)
        self._found: dict[str, tuple[float, int, str]] = {}

    def take(self, message: Any) -> None:
        """Take a DiagnosticArray."""
        now = time.monotonic()
        for status in message.status:
            level = int.from_bytes(status.level, "little")
            counts = status.name.startswith(self._begins) and level < len(_LEVELS)
            if counts and (status.name in self._found or len(self._found) < _MOST_STATUSES):
                text = one_line(f"{status.name}: {status.message}", _LONGEST)
                self._found[status.name] = (now, level, text)

    def worst(self) -> Line | None:
        """Return a line about the worst status of the last seconds; None where there is none."""
        since = time.monotonic() - SILENCE
        found = [(level, text) for at, level, text in self._found.values() if at > since]
        if not found:
            return None
        level, text = max(found, key=lambda one: one[0])
        said = text if level else "all is well"
        return Line("diagnostics", f"{_LEVELS[level]}: {said}" if level else said, _TONES[level])


@dataclass(frozen=True)
class Flow:
    """How messages of a topic come.

    Attributes:
        topic: Its full name.
        publishers: How many publish it.
        has_come: Whether a message has come.
        age: Seconds since the last, or since it is listened to.
        rate: Messages a second.
    """

    topic: str
    publishers: int
    has_come: bool
    age: float
    rate: float

    def line(self, label: str) -> Line:
        """Return a line about it."""
        if self.has_come and self.age < SILENCE:
            return Line(label, f"{self.rate:.0f} Hz", "good")
        if not self.publishers:
            return Line(label, f"nobody publishes {self.topic}", "bad")
        if self.age < SILENCE:
            return Line(label, f"waiting for {self.topic}")
        return Line(label, f"nothing for {self.age:.0f} s on {self.topic}", "bad")


def source_line(source: str, listening: Sequence[str]) -> Line:
    """Return a line about who is moved by the sliders.

    Args:
        source: "simulator", "demo", "topic", or "" for nobody.
        listening: Topics that were looked at for somebody.
    """
    if source:
        return Line("moved by", _SOURCES[source])
    return Line(
        "moved by", f"nobody takes positions on {' or '.join(listening)}: sliders only show"
    )


def time_line(factor: float, target: float, *, paused: bool) -> Line:
    """Return a line about simulated time; factors in simulated seconds per second."""
    if paused:
        return Line("time", "simulated, paused", "warning")
    wanted = "as fast as possible" if target == 0.0 else f"{target:.3g} wanted"
    is_late = target > 0.0 and not factor > 0.95 * target
    text = f"simulated, {factor:.3g} times real time ({wanted})"
    return Line("time", text, "warning" if is_late else "good")
