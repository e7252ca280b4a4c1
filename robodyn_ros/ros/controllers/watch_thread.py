"""The thread that looks at a controller while nothing comes."""

from __future__ import annotations

import threading
from collections.abc import Callable


class WatchThread(threading.Thread):
    """Calls a function at a steady period, until `stop`."""

    def __init__(self, period: float, look: Callable[[], None]) -> None:
        """Prepare; the period is in s."""
        super().__init__(name="watchdog", daemon=True)
        self._period = period
        self._look = look
        self._stopping = threading.Event()

    def run(self) -> None:
        """Look, over and over."""
        while not self._stopping.wait(self._period):
            self._look()

    def stop(self) -> None:
        """End it."""
        self._stopping.set()
        if self.is_alive():
            self.join()
