"""What `robodyn demo` shows: counts, latencies and the motion of bodies, as a table or as lines."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from rich.markup import escape
from rich.table import Table

from robodyn_ros.errors import quoted

if TYPE_CHECKING:
    from robodyn_ros.model import Model

WINDOW = 2.0
"""Seconds over which rates and latencies are reckoned."""


@dataclass(frozen=True, slots=True)
class BodyRow:
    """One body, in the world frame: position (m), speeds and accelerations (norms)."""

    name: str
    position: tuple[float, float, float]
    speed: float
    turn_rate: float
    acceleration: float
    valid: bool


@dataclass(frozen=True, slots=True)
class SimulatedClock:
    """What a simulator says of its time: s, how many of it pass in one, whether it stands."""

    time: float
    factor: float
    paused: bool

    def __str__(self) -> str:
        """Return it in a few words."""
        if self.paused:
            return f"simulated {self.time:.1f} s, paused"
        return f"simulated {self.time:.1f} s at {self.factor:.2f} of real time"


class Stream:
    """Arrivals of one topic within the window."""

    def __init__(self) -> None:
        self.total = 0
        self._arrivals: deque[tuple[float, float]] = deque(maxlen=20_000)

    def arrived(self, now: float, latency: float) -> None:
        """Note one message at `now`, `latency` seconds after its stamp; NaN where not known."""
        self.total += 1
        self._arrivals.append((now, latency))

    def rate(self, now: float) -> float:
        """Return messages per second."""
        return len(self._recent(now)) / WINDOW

    def latencies(self, now: float) -> tuple[float, float]:
        """Return the median and the 99th percentile in ms, NaN where nothing is known."""
        recent = [latency for latency in self._recent(now) if not math.isnan(latency)]
        if not recent:
            return float("nan"), float("nan")
        middle, high = np.percentile(recent, [50, 99]) * 1e3
        return float(middle), float(high)

    def _recent(self, now: float) -> list[float]:
        while self._arrivals and self._arrivals[0][0] < now - WINDOW:
            self._arrivals.popleft()
        return [latency for _, latency in self._arrivals]


@dataclass
class Observations:
    """What came so far.

    Attributes:
        robot: What it is called.
        followed: The body that is shown where only one is.
        simulated: Whether stamps are those of a simulator.
        page: The address of the page, "" while it does not answer.
        streams: Arrivals by topic.
        bodies: The last states.
        clock: The simulator's time, None where nothing is known of it.
    """

    robot: str
    followed: str = ""
    simulated: bool = False
    page: str = ""
    streams: dict[str, Stream] = field(
        default_factory=lambda: {
            name: Stream() for name in ("joint states", "transforms", "body states")
        }
    )
    bodies: Sequence[BodyRow] = ()
    clock: SimulatedClock | None = None

    def summary(self, now: float) -> str:
        """Return rates and latencies in one line."""
        if not any(stream.total for stream in self.streams.values()):
            return "no message yet; the nodes are starting"
        parts = []
        for name, stream in self.streams.items():
            middle, high = stream.latencies(now)
            text = f"{name} {stream.rate(now):.0f}/s"
            if name != "joint states" and not math.isnan(middle):
                text += f" ({middle:.1f} ms, p99 {high:.1f})"
            parts.append(text)
        if self.clock is not None:
            parts.append(str(self.clock))
        return ", ".join(parts)

    def line(self, elapsed: float, now: float) -> str:
        """Return one line of text for a console that is no terminal."""
        text = f"{elapsed:5.1f} s  {self.summary(now)}"
        if self.bodies:
            last = self.bodies[-1]
            row = next((body for body in self.bodies if body.name == self.followed), last)
            x, y, z = row.position
            text += (
                f"; {_shown(row.name)} at {x:.3f} {y:.3f} {z:.3f} m,"
                f" {row.speed:.3f} m/s, {row.acceleration:.3f} m/s^2"
            )
        return text

    def table(self, elapsed: float, now: float, height: int) -> Table:
        """Return a table of the bodies that fit into `height` lines of a terminal."""
        title = escape(f"{_shown(self.robot)}: {elapsed:.1f} s\n{self.summary(now)}")
        if self.page:
            title += f"\n[bold]open {self.page}[/bold]"
        table = Table(title=title, title_justify="left", expand=False)
        table.add_column("frame", no_wrap=True)
        for heading in ("x", "y", "z [m]", "|v| [m/s]", "|w| [rad/s]", "|a| [m/s^2]"):
            table.add_column(escape(heading), justify="right")
        table.add_column("valid")
        room = max(3, height - 10)
        for row in self.bodies[:room]:
            numbers = (*row.position, row.speed, row.turn_rate, row.acceleration)
            shown = [f"{number:+.3f}" for number in numbers[:3]]
            shown += [f"{number:.3f}" for number in numbers[3:]]
            table.add_row(escape(_shown(row.name)), *shown, "yes" if row.valid else "[red]no")
        if len(self.bodies) > room:
            table.caption = f"and {len(self.bodies) - room} more"
        return table


def tip(model: Model) -> str:
    """Return the name of the body to watch: the tip of the longest chain that moves.

    That is the body with most joints that can move between it and the root; of several the one with
    most links between, and then the first. Where nothing moves it is the last body.
    """
    joints, links = [0], [0]
    for _, joint in model.moving:
        rates = joint.rate_limits if joint.joint.nv else ()
        moves = any(limits.lower is None or limits.lower != limits.upper for limits in rates)
        joints.append(joints[joint.parent] + moves)
        links.append(links[joint.parent] + 1)
    if not any(joints):
        return model.body_names[-1]
    return model.body_names[max(range(model.nb), key=lambda i: (joints[i], links[i], -i))]


def _shown(name: str) -> str:
    """Return a foreign name as it is, but on one line, printable and short."""
    return quoted(name)[1:-1]
