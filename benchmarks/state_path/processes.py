"""The processes of one run, each ended with it, and the CPU time that they use."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

CACHE = "XDG_CACHE_HOME"


@contextlib.contextmanager
def module(
    name: str,
    arguments: Sequence[str],
    *,
    cache: str | None = None,
    stdout: IO[bytes] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a module as a process until the block ends.

    Args:
        name: The module.
        arguments: Its command line.
        cache: Directory for its kernels instead of the user's.
        stdout: Where its output goes.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if cache is not None:
        environment[CACHE] = cache
    command = [sys.executable, "-m", name, *arguments]
    process = subprocess.Popen(command, env=environment, stdout=stdout)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def cpu(pid: int) -> float:
    """Return the CPU time (s) of a process by its clock, which counts ns."""
    # What clock_getcpuclockid(3) gives for a process; Python has it for threads only.
    return time.clock_gettime(~pid << 3 | 2)


def cpu_of_threads(pid: int) -> Counter[str]:
    """Return the CPU time (s) of a process's threads by their names; the first one is "main"."""
    times: Counter[str] = Counter()  # of s, not of events
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            name = "main" if task.name == str(pid) else (task / "comm").read_text().strip()
            times[name] += int((task / "schedstat").read_text().split()[0]) * 1e-9
    return times
