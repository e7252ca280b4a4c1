"""Complaints to a node's log, each as often as it should be said."""

from __future__ import annotations

import time
from collections.abc import Iterable

from rclpy.node import Node

from robodyn_ros.ros.complaints import Complaint, Memory, Severity


class Speaker:
    """Says complaints in a node's log."""

    def __init__(self, node: Node) -> None:
        logger = node.get_logger()
        self._memory = Memory()
        self._say = {
            Severity.DEBUG: lambda text: logger.debug(text),
            Severity.INFO: lambda text: logger.info(text),
            Severity.WARN: lambda text: logger.warning(text),
            Severity.ERROR: lambda text: logger.error(text),
        }

    def say(self, complaints: Iterable[Complaint]) -> None:
        """Log those that are due."""
        for complaint in complaints:
            if self._memory.allows(complaint, time.monotonic()):
                self._say[complaint.severity](complaint.text)

    def forget(self) -> None:
        """Say things again that were said once, as after a change of the description."""
        self._memory.forget()
