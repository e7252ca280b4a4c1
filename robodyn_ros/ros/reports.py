"""The state publisher's reports on itself, as values (`diagnostics` sends them)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from robodyn_ros.errors import quoted
from robodyn_ros.robot import Robot
from robodyn_ros.ros.rates import Traffic

QUIET_AFTER = 2.0
"""Seconds without a joint state after which the input is reported as silent."""


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


def description_report(robot: Robot | None, waiting_for: str) -> Report:
    """Report on the model in use, or on the topic that it is waited for on."""
    if robot is None:
        return Report("robot description", Level.ERROR, f"no description yet on {waiting_for}")
    model = robot.model
    values = {
        "bodies": str(model.nb),
        "joints with coordinates": str(len(model.joint_names)),
        **{f"kernel {name}": state for name, state in robot.kernel_states().items()},
    }
    return Report("robot description", Level.OK, f"robot {quoted(model.name)}", model.name, values)


def clock_report(now: int) -> Report:
    """Report on simulated time; `now` is the node's time in ns, 0 before the first /clock."""
    if now == 0:
        text = "use_sim_time is set and nothing came on /clock yet: time stands at 0"
        return Report("clock", Level.WARN, text)
    return Report("clock", Level.OK, "simulated time", values={"now": f"{now * 1e-9:.3f} s"})


def traffic_report(traffic: Traffic, topic: str, publishers: int, now: float) -> Report:
    """Report on joint states and what became of them.

    Args:
        traffic: The counts.
        topic: Full name of the input topic.
        publishers: Number of publishers on it.
        now: Monotonic time, s.
    """
    rates = traffic.rates(now)
    values = {f"{name} rate": f"{rate:.1f} Hz" for name, rate in rates.items()}
    values |= {name: str(count) for name, count in traffic.total.items()}
    values["input topic"] = topic
    values["input publishers"] = str(publishers)
    if traffic.last_input is None:
        text = f"no joint state yet on {topic} ({publishers} publishers)"
        return Report("joint states", Level.WARN, text, "", values)
    age = now - traffic.last_input
    values["input age"] = f"{age:.3f} s"
    if age > QUIET_AFTER:
        text = f"no joint state on {topic} for {age:.1f} s ({publishers} publishers)"
        return Report("joint states", Level.STALE, text, "", values)
    level = Level.WARN if traffic.troubled else Level.OK
    text = f"{rates.get('input', 0.0):.1f} joint states/s"
    if traffic.troubled:
        text += "; lately: " + ", ".join(sorted(traffic.troubled))
    traffic.troubled.clear()
    return Report("joint states", level, text, "", values)
