"""A node of this process that a thread spins."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import Executor, ExternalShutdownException, SingleThreadedExecutor


class Spinning:
    """Makes a node in a context of its own and spins it until it is closed."""

    def __init__(
        self,
        make: Callable[[Context], Any],
        executor: type[Executor] = SingleThreadedExecutor,
    ) -> None:
        self.context = Context()
        rclpy.init(context=self.context)
        self.node = make(self.context)
        self._executor = executor(context=self.context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._spin)
        self._thread.start()

    def _spin(self) -> None:
        with contextlib.suppress(ExternalShutdownException):
            self._executor.spin()

    def close(self) -> None:
        """Leave the graph."""
        self._executor.shutdown()
        self._thread.join()
        self.node.destroy_node()
        if self.context.ok():
            rclpy.shutdown(context=self.context)
