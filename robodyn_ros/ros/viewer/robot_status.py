"""The status of one robot on the page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from rclpy.node import Node

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.model import Payload
from robodyn_ros.ros.viewer.latest import Latest
from robodyn_ros.ros.viewer.robot_health import (
    SILENCE,
    Diagnostics,
    Flow,
    source_line,
    time_line,
)
from robodyn_ros.ros.viewer.robot_inputs import RobotInputs
from robodyn_ros.ros.viewer.robot_names import RobotNames
from robodyn_ros.ros.viewer.samples import Drive
from robodyn_ros.viewer.panel import Line

_SAID = 20.0
"""Seconds for which what was done last is told."""
_MOST_NOTES = 3


class RobotStatus:
    """Gathers what is to be told of a robot."""

    def __init__(self, node: Node, names: RobotNames, inputs: RobotInputs) -> None:
        """Begin.

        Args:
            node: The node.
            names: Where the robot is.
            inputs: What is heard of it.
        """
        self._node = node
        self._inputs = inputs
        nodes = (names.server, names.simulator, names.demo)
        self.diagnostics = Diagnostics([node.resolve_topic_name(names.own(x)) for x in nodes])
        commands = [names.own(names.command_topic)] if names.command_topic else []
        topics = commands or [
            names.of(x, "position_command") for x in (names.simulator, names.demo)
        ]
        self._commands = [node.resolve_topic_name(topic) for topic in topics]
        self._said: tuple[float, Line] | None = None

    def say(self, done: bool, text: str) -> None:
        """Tell for a while whether something was done, and what."""
        line = Line("done" if done else "not done", one_line(text), "good" if done else "bad")
        self._said = (time.monotonic(), line)
        if not done:
            self._node.get_logger().warning(f"not done: {one_line(text)}")

    def is_silent(self, topic: Latest[Any]) -> bool:
        """Return whether nothing has come on a topic for some time."""
        return topic.age() > SILENCE

    def lines(
        self,
        *,
        name: str,
        waiting: str,
        refusal: str,
        source: str,
        drive: Drive | None,
        payloads: Sequence[Payload],
        notes: Sequence[str],
    ) -> list[Line]:
        """Return the status.

        Args:
            name: The robot's name, "" before there is one.
            waiting: Topic that its description is waited for on; "" once there is one.
            refusal: Why the last description was not taken; "" where it was.
            source: Who takes positions.
            drive: What a simulator says; None without one.
            payloads: What the robot carries.
            notes: What else is wrong, or cannot be shown.
        """
        lines = [Line("robot", name or f"waiting for a description on {waiting}")]
        if refusal:
            lines.append(Line("description", f"not taken: {refusal}", "bad"))
        lines.append(source_line(source, self._commands))
        lines.append(self._flow(self._inputs.bodies).line("states"))
        lines.append(self._time(drive))
        if drive is not None and drive.trouble:
            lines.append(Line("simulator", one_line(drive.trouble, 300), "bad"))
        worst = self.diagnostics.worst()
        lines += [worst] if worst is not None else []
        if payloads:
            carried = ", ".join(f"{x.name} {x.mass:.3g} kg at {x.frame}" for x in payloads)
            lines.append(Line("carries", one_line(carried, 300)))
        trouble = [x for x in (self._inputs.trouble(), *notes) if x]
        lines += [Line("note", one_line(x, 300), "warning") for x in trouble[:_MOST_NOTES]]
        if self._said is not None and time.monotonic() - self._said[0] < _SAID:
            lines.append(self._said[1])
        return lines

    def _flow(self, topic: Latest[Any]) -> Flow:
        publishers = self._node.count_publishers(topic.topic)
        return Flow(topic.topic, publishers, topic.has_come, topic.age(), topic.rate())

    def _time(self, drive: Drive | None) -> Line:
        if drive is not None:
            return time_line(drive.factor, drive.target, paused=drive.paused)
        simulated = self._node.count_publishers("/clock") > 0
        return Line("time", "simulated, by /clock" if simulated else "wall time")
