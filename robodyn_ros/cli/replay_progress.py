"""How far a replay is, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from robodyn_ros.bags import Replay


@contextmanager
def progress_of(replay: Replay) -> Iterator[None]:
    """Show a bar on standard error while a bag is read, where that is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("messages", total=replay.expected)
        replay.progress = lambda count: bar.advance(task, count)
        yield
