"""What a node reports of itself on /diagnostics, once a period."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.ros import qos
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.reports import Level, Report

_LEVELS = {
    Level.OK: DiagnosticStatus.OK,
    Level.WARN: DiagnosticStatus.WARN,
    Level.ERROR: DiagnosticStatus.ERROR,
    Level.STALE: DiagnosticStatus.STALE,
}
MAX_VALUES = 600
"""Values of one status that are sent; no report of ours has as many."""


class DiagnosticsPublisher:
    """Publishes reports, stamped with the node's time, by a timer on the steady clock.

    Timers on simulated time stand still when it does, which is when a report is wanted most.
    """

    def __init__(
        self,
        node: Node,
        period: float,
        collect: Callable[[], Iterable[Report]],
        now: Callable[[], int] | None = None,
    ) -> None:
        """Begin to publish.

        Args:
            node: The node.
            period: Seconds between two messages.
            collect: Returns what is to be told.
            now: Returns the time for stamps, ns; the node's clock by default.
        """
        self._now = now or (lambda: int(node.get_clock().now().nanoseconds))
        self._node = node
        self._collect = collect
        self._publisher = node.create_publisher(
            DiagnosticArray, "/diagnostics", qos.DIAGNOSTICS, event_callbacks=qos.QUIET
        )
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(period, self._publish, clock=clock)

    def _publish(self) -> None:
        # Collected also when nobody listens: what is wrong is logged on the way.
        reports = list(self._collect())
        if self._publisher.get_subscription_count() == 0:
            return
        message = diagnostic_array(self._node.get_fully_qualified_name(), reports)
        set_time(message.header.stamp, self._now())
        self._publisher.publish(message)


def diagnostic_array(node: str, reports: Sequence[Report]) -> DiagnosticArray:
    """Return reports as a message, whatever their texts hold.

    Every status has the hardware id of the first report that has one: the robot's name.

    Args:
        node: Full name of the node that reports.
        reports: What it reports.
    """
    hardware = next((report.hardware_id for report in reports if report.hardware_id), "")
    return DiagnosticArray(
        status=[
            DiagnosticStatus(
                level=_LEVELS[report.level],
                name=one_line(f"{node.lstrip('/')}: {report.name}"),
                message=one_line(report.message),
                hardware_id=one_line(report.hardware_id or hardware),
                values=[
                    KeyValue(key=one_line(key), value=one_line(value))
                    for key, value in islice(report.values.items(), MAX_VALUES)
                ],
            )
            for report in reports
        ]
    )
