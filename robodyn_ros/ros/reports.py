"""The state publisher's reports on itself, as values (`diagnostics` sends them).

Each has a bounded size, whatever the robot, the graph and the names in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from math import isfinite
from types import MappingProxyType
from typing import TypeVar

from robodyn_ros.conditioning.complaints import counted
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model
from robodyn_ros.robot import Robot
from robodyn_ros.ros.clock_watch import ClockState
from robodyn_ros.ros.meters import Readings, Summary
from robodyn_ros.ros.rates import Mention, Traffic

T = TypeVar("T")

QUIET_AFTER = 2.0
"""Seconds without a joint state after which the input is reported as silent."""
STILL_AFTER = 2.0
"""Seconds of real time after which simulated time that does not change is reported."""
FIRST = 8
"""Elements named in a message; the values have more."""
MAX_ROWS = 256
"""Joints, topics or counters listed in the values of one report."""
OUTPUTS = ("tf", "body_states", "marker_states", "visualization")
"""Counters of outputs, whose rates are reported also while nobody listens."""
LATE_STAMP = 0.2
"""Seconds by which a message may be older than the node's clock says. Drivers, radio links and a
/clock of 10 Hz stay below; what looks up a transform of now waits, or allows it to be late, for
mostly 0.1 to 0.3 s."""
SLOWEST_LINK = 60.0
"""Seconds beyond which a stamp is not late but another clock's."""
EARLY_STAMP = 0.1
"""Seconds by which a message may be newer: clocks of two machines differ by less."""
OTHER_CLOCK = 3e8
"""Seconds (ten years) between a stamp and the node's clock beyond which one of them is simulated
time or time since power-on, and the other the time of day."""


class Level(Enum):
    """How well it goes."""

    OK = auto()
    WARN = auto()
    ERROR = auto()
    STALE = auto()


@dataclass(frozen=True, slots=True)
class Report:
    """One line of diagnostics with its values."""

    name: str
    level: Level
    message: str
    hardware_id: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_trouble(self) -> bool:
        """Whether it reports something that is not as it should be."""
        return self.level is not Level.OK


STUCK = 5
"""Messages with the stamp of the last one in a period that are no accident."""


def body_count(model: Model) -> int:
    """Return how many bodies a robot has, without those that serve loops and controls."""
    return sum(not body.auxiliary for body in model.bodies)


def description_report(
    robot: Robot | None, waiting_for: str, kernels: Mapping[str, str] = MappingProxyType({})
) -> Report:
    """Report on the model in use, or on the topic that it is waited for on.

    Args:
        robot: The robot; None while there is none.
        waiting_for: Full name of the topic.
        kernels: State of each of the robot's compiled functions.
    """
    if robot is None:
        text = (
            f"no description yet on {waiting_for}: publish one there, or set robot_description or"
            " robot_description_file"
        )
        return Report("robot description", Level.ERROR, text)
    model = robot.model
    values = {
        "bodies": str(body_count(model)),
        "joints with coordinates": str(len(model.joint_names)),
        "notes on the description": str(len(model.notes)),
        **{f"kernel {name}": state for name, state in kernels.items()},
    }
    return Report("robot description", Level.OK, f"robot {quoted(model.name)}", model.name, values)


def clock_report(clock: ClockState) -> Report:
    """Report on the node's clock.

    Args:
        clock: What `ClockWatch` knows of it.
    """
    values = {"now": f"{clock.now * 1e-9:.3f} s", "jumps back": str(clock.jumps)}
    if clock.jumps:
        values["last jump back"] = (
            f"by {clock.jumped_by * 1e-9:.3f} s to {clock.jumped_to * 1e-9:.3f} s"
        )
    if not clock.simulated:
        return Report("clock", Level.OK, "time of the system", values=values)
    values |= {"clock topic": clock.topic, "clock publishers": str(clock.publishers)}
    if clock.now == 0:
        text = (
            f"use_sim_time is set and nothing came on {clock.topic} yet"
            f" ({counted(clock.publishers, 'publisher')}): time stands at 0; start the simulation"
            " or set use_sim_time:=false"
        )
        return Report("clock", Level.WARN, text, values=values)
    if clock.still > STILL_AFTER:
        text = (
            f"simulated time stands at {clock.now * 1e-9:.3f} s for {clock.still:.1f} s:"
            f" {clock.topic} is silent or paused ({counted(clock.publishers, 'publisher')})"
        )
        return Report("clock", Level.WARN, text, values=values)
    return Report("clock", Level.OK, "simulated time", values=values)


def traffic_report(
    traffic: Traffic,
    topic: str,
    publishers: Sequence[str],
    now: float,
    readings: Readings | None = None,
    *,
    simulated: bool = False,
) -> Report:
    """Report on joint states and what became of them.

    Args:
        traffic: The counts.
        topic: Full name of the input topic.
        publishers: Names of its publishers' nodes, as often as they have publishers.
        now: Monotonic time, s.
        readings: What the meters of the input read since the last report.
        simulated: Whether the node follows simulated time.
    """
    rates = traffic.rates(now)
    many = len(publishers)
    values = {"input topic": topic, "input publishers": str(many)}
    values["input publisher nodes"] = listed(publishers, many)
    values |= dict.fromkeys((f"{name} rate" for name in OUTPUTS), "0.0 Hz")
    values |= {f"{name} rate": f"{rate:.1f} Hz" for name, rate in _first_rows(rates)}
    values |= {name: str(count) for name, count in _first_rows(dict(traffic.total))}
    troubles = [_with_names(kind, traffic.mentioned) for kind in traffic.take_troubles()]
    stuck = traffic.recent.get("repeated stamps", 0)
    if stuck >= max(STUCK, 0.9 * traffic.recent.get("input", 0)):
        troubles.append(f"stamps on {topic} stand still: its publisher repeats one message")
    if readings is not None:
        values |= _reading_values(readings, single=many == 1)
        if mismatch := stamp_mismatch(readings.end_to_end, topic, simulated=simulated):
            troubles.append(mismatch)
    if traffic.last_input is None:
        text = f"no joint state yet on {topic} ({counted(many, 'publisher')})"
        return Report("joint states", Level.WARN, text, "", values)
    age = now - traffic.last_input
    values["input age"] = f"{age:.3f} s"
    if age > QUIET_AFTER:
        text = f"no joint state on {topic} for {age:.1f} s ({counted(many, 'publisher')})"
        return Report("joint states", Level.STALE, text, "", values)
    text = f"{rates.get('input', 0.0):.1f} joint states/s"
    if troubles:
        text += "; lately: " + listed(troubles, len(troubles))
    return Report("joint states", Level.WARN if troubles else Level.OK, text, "", values)


def stamp_mismatch(delay: Summary, topic: str, *, simulated: bool) -> str:
    """Return how stamps and the node's clock disagree, with the remedy; "" where they agree.

    Args:
        delay: From the stamps of messages to the node's time when they were published again, s.
        topic: Full name of the topic.
        simulated: Whether the node follows simulated time.
    """
    late = delay.p50
    if not (late > LATE_STAMP or late < -EARLY_STAMP):
        return ""
    if LATE_STAMP < late < SLOWEST_LINK:
        return (
            f"stamps on {topic} are {late:.3g} s late by the node's clock: lookups of a present"
            " transform wait, fail or extrapolate; synchronise the clocks of the machines (chrony),"
            " set use_sim_time alike in both nodes, or look for what delays the publisher"
        )
    text = f"stamps on {topic} differ from the node's clock by {late:.3g} s: "
    if late > OTHER_CLOCK and not simulated:
        return text + (
            "they are simulated time or time since power-on, the node has the time of the system;"
            " set use_sim_time:=true here (and play bags with --clock), or stamp with the system's"
        )
    if late < -OTHER_CLOCK and simulated:
        return text + (
            "they are the time of the system, the node has simulated time; set use_sim_time:=true"
            " in their publisher, or false here"
        )
    return text + "set use_sim_time alike in both nodes, or synchronise the clocks of the machines"


def listed(names: Sequence[str], count: int) -> str:
    """Return the first `FIRST` names of `count` in one line, and how many more there are."""
    more = count - min(len(names), FIRST)
    return ", ".join(names[:FIRST]) + (f" and {more} more" if more > 0 else "")


def _with_names(kind: str, mentioned: Mapping[str, Mapping[str, Mention]]) -> str:
    """Return a kind of trouble with the names that it was about in this period."""
    names = [quoted(name) for name, each in mentioned.get(kind, {}).items() if each.recent]
    return f"{kind} ({listed(names, len(names))})" if names else kind


def _first_rows(table: Mapping[str, T]) -> Iterator[tuple[str, T]]:
    return islice(table.items(), MAX_ROWS)


def _reading_values(readings: Readings, *, single: bool) -> dict[str, str]:
    """Return what the meters read, in words; what nothing was read of is left out."""
    values = {}
    latencies = {
        "latency, arrival to published": readings.processing,
        "latency, stamp to published": readings.end_to_end,
    }
    for name, latency in latencies.items():
        if isfinite(latency.p50):
            parts = (latency.p50, latency.p99, latency.max)
            values[name] = "p50 {:.3f} ms, p99 {:.3f} ms, max {:.3f} ms".format(
                *(1e3 * x for x in parts)
            )
    batch = readings.batch
    if isfinite(batch.p50):
        values["messages a turn"] = f"p50 {batch.p50:.0f}, p99 {batch.p99:.0f}, max {batch.max:.0f}"
    arrivals = readings.arrivals
    if isfinite(arrivals.rate):
        values["input mean rate"] = f"{arrivals.rate:.1f} Hz"
    if isfinite(arrivals.median):
        values["input jitter"] = (
            f"p99 {arrivals.jitter * 1e3:.3f} ms off the median interval of"
            f" {arrivals.median * 1e3:.3f} ms"
        )
        values["input longest gap"] = f"{arrivals.longest * 1e3:.3f} ms"
    if single:
        values["input lost"] = str(readings.lost)
    return values
