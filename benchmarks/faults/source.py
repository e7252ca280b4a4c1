"""A process that publishes at a steady rate and changes what it publishes as it is told.

Each line of its standard input is obeyed, and answered by the monotonic time, s, of the first
message that is changed by it.
"""

from __future__ import annotations

import select
import signal
import subprocess
import sys
import time
from typing import Protocol

from robodyn_ros.ros.controllers.thread_priority import prefer

PATIENCE = 60.0
"""s for which an answer may take."""


class Published(Protocol):
    """What is published.

    Attributes:
        period: s between two messages.
    """

    period: float

    def publish(self) -> None:
        """Publish one message, or none while it is silent."""

    def obey(self, line: str) -> None:
        """Change what is published."""


def serve(published: Published, priority: int) -> None:
    """Publish until standard input ends, with a real-time priority where that is allowed."""
    prefer(priority)
    due = time.monotonic()
    told = False
    while True:
        begun = time.monotonic()
        published.publish()
        if told:
            print(begun, flush=True)
            told = False
        due = max(due + published.period, time.monotonic() - published.period)
        ready, _, _ = select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))
        if ready:
            line = sys.stdin.readline()
            if not line:
                return
            published.obey(line)
            told = True
            time.sleep(max(0.0, due - time.monotonic()))


class Source:
    """Such a process, seen from who tells it."""

    def __init__(self, module: str, *arguments: str) -> None:
        """Start a module."""
        self._command = [sys.executable, "-m", module, *arguments]
        self.start()

    def start(self) -> None:
        """Start it again."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def tell(self, line: str) -> float:
        """Have it do something else; return the time of its first message of that kind."""
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise SystemExit("the process cannot be told anything")
        to.write(f"{line}\n")
        ready, _, _ = select.select([back], [], [], PATIENCE)
        answer = back.readline() if ready else ""
        if not answer:
            raise SystemExit(f"{' '.join(self._command)} does not answer {line!r}")
        return float(answer)

    def kill(self) -> float:
        """Kill it; return when."""
        begun = time.monotonic()
        self._process.kill()
        self._process.wait()
        return begun

    def freeze(self) -> float:
        """Stop it where it is; return when."""
        begun = time.monotonic()
        self._process.send_signal(signal.SIGSTOP)
        return begun

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)
