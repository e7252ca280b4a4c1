"""Where the demo is shown: a live table on a terminal, a line a second elsewhere."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.live import Live

from robodyn_ros.cli.demo_view import Observations

TABLE_PERIOD = 0.1
LINE_PERIOD = 1.0


class Screen:
    """Shows observations on standard output."""

    def __init__(self, seen: Observations) -> None:
        """Prepare; `seen` is read at every update, and told the page."""
        self._seen = seen
        self._console = Console()
        self._live = (
            Live(console=self._console, auto_refresh=False) if self._console.is_terminal else None
        )
        self._next = 0.0

    def __enter__(self) -> Screen:
        if self._live is not None:
            self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def tell(self, address: str) -> None:
        """Show where the page is: for good on a terminal, as a line elsewhere."""
        self._seen.page = address
        if self._live is None:
            print(f"open {address}", flush=True)
        self._next = 0.0

    def update(self, elapsed: float) -> None:
        """Show what is known `elapsed` seconds after the start, when it is time again."""
        if elapsed < self._next:
            return
        now = time.monotonic()
        if self._live is not None:
            self._next = elapsed + TABLE_PERIOD
            table = self._seen.table(elapsed, now, self._console.height)
            self._live.update(table, refresh=True)
        else:
            self._next = elapsed + LINE_PERIOD
            print(self._seen.line(elapsed, now), flush=True)
