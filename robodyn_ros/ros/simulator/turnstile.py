"""A lock that nobody waits for twice as long as the others hold it."""

from __future__ import annotations

import threading
from types import TracebackType


class Turnstile:
    """A lock that is given to whoever waits before the one who held it gets it again.

    Python's own lock may go back to a thread that releases and takes it in a loop, any number of
    times, while others wait. Here whoever waits stands in a gate that the next one has to pass.
    """

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._lock = threading.Lock()

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for it."""
        return self._gate.locked()

    def __enter__(self) -> None:
        """Wait for one's turn."""
        with self._gate:
            self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the next one in."""
        self._lock.release()
