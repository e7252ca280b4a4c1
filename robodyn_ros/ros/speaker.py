"""Complaints to a node's log, each as often as it should be said."""

from __future__ import annotations

import time
from collections.abc import Iterable

from rclpy.node import Node

from robodyn_ros.conditioning.complaints import Complaint, Memory, Severity, one_line


class Speaker:
    """Says complaints in a node's log."""

    def __init__(self, node: Node) -> None:
        self._memory = Memory()
        self._logger = node.get_logger()
        self._context = node.context

    def say(self, complaints: Iterable[Complaint]) -> None:
        """Log those that are due; nothing once the context is shut down."""
        if not self._context.ok():
            return
        for complaint in complaints:
            if self._memory.allows(complaint, time.monotonic()):
                self._log(complaint)

    def forget(self) -> None:
        """Say things again that were said once, as after a change of the description."""
        self._memory.forget()

    def _log(self, complaint: Complaint) -> None:
        text = one_line(complaint.text)
        # rclpy ties a place in the source to one severity.
        if complaint.severity is Severity.DEBUG:
            self._logger.debug(text)
        elif complaint.severity is Severity.INFO:
            self._logger.info(text)
        elif complaint.severity is Severity.WARN:
            self._logger.warning(text)
        else:
            self._logger.error(text)
