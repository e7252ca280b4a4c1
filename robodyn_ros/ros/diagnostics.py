"""What a node reports of itself on /diagnostics, once a period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from robodyn_ros.ros import qos
from robodyn_ros.ros.reports import Level, Report

_LEVELS = {
    Level.OK: DiagnosticStatus.OK,
    Level.WARN: DiagnosticStatus.WARN,
    Level.ERROR: DiagnosticStatus.ERROR,
    Level.STALE: DiagnosticStatus.STALE,
}


class DiagnosticsPublisher:
    """Publishes reports, stamped with the node's time, by a timer on the steady clock.

    Timers on simulated time stand still when it does, which is when a report is wanted most.
    """

    def __init__(self, node: Node, period: float, collect: Callable[[], Iterable[Report]]) -> None:
        """Begin to publish what `collect` returns, every `period` seconds."""
        self._node = node
        self._collect = collect
        self._publisher = node.create_publisher(
            DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS, event_callbacks=qos.QUIET
        )
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(period, self._publish, clock=clock)

    def _publish(self) -> None:
        reports = list(self._collect())
        if self._publisher.get_subscription_count() == 0:
            return
        name = self._node.get_fully_qualified_name().lstrip("/")
        message = DiagnosticArray(status=[_status(name, report) for report in reports])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)


def _status(node: str, report: Report) -> DiagnosticStatus:
    return DiagnosticStatus(
        level=_LEVELS[report.level],
        name=f"{node}: {report.name}",
        message=report.message,
        hardware_id=report.hardware_id,
        values=_values(report.values),
    )


def _values(values: Mapping[str, str]) -> list[KeyValue]:
    return [KeyValue(key=key, value=value) for key, value in values.items()]
