"""From the threads of the page to the one of the executor."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from rclpy.node import Node

MOST = 1000
"""Calls that wait at most; of more, the oldest are lost: a page that asks so much is hostile."""


class Handover:
    """Runs calls in the executor's thread, in the order in which they are posted."""

    def __init__(self, node: Node) -> None:
        """Begin to take calls.

        Args:
            node: The node whose executor runs them.
        """
        self._calls: deque[Callable[[], None]] = deque(maxlen=MOST)
        self._lock = threading.Lock()
        self._closed = False
        self._guard = node.create_guard_condition(self._run)

    def post(self, call: Callable[[], None]) -> None:
        """Have something called, soon; after `close` nothing is."""
        with self._lock:
            if self._closed:
                return
            self._calls.append(call)
            self._guard.trigger()

    def close(self) -> None:
        """Take no more calls; those that wait are dropped."""
        with self._lock:
            self._closed = True
            self._calls.clear()

    def _run(self) -> None:
        while True:
            try:
                call = self._calls.popleft()
            except IndexError:
                return
            try:
                call()
            except BaseException:
                self._again()
                raise

    def _again(self) -> None:
        """Come back for the calls behind one that failed."""
        with self._lock:
            if self._calls and not self._closed:
                self._guard.trigger()
