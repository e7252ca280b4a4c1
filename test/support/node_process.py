"""Executables of the package in processes of their own, and what they write."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from node_nursery import Forked, forked_node

_EXECUTABLES = (sys.executable, "-m", "robodyn_ros.nodes.executables")
#: Every wait ends by then; generous, because the machine may be busy with something else.
DEADLINE = 60.0


class NodeProcess:
    """One executable of the package in a process of its own, its output in a file."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: dict[str, str] | None = None,
        *,
        forked: bool = False,
    ) -> None:
        self._log = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115 - kept open
        self.process: subprocess.Popen[bytes] | Forked
        if forked:
            self.process = forked_node(arguments[len(_EXECUTABLES) :], self._log)
            return
        self.process = subprocess.Popen(
            list(arguments),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )

    @property
    def output(self) -> str:
        """All that it wrote so far, both streams."""
        return Path(self._log.name).read_text(errors="replace")

    def lines(self, pattern: str) -> list[str]:
        """Return the lines of output that a regular expression matches somewhere."""
        return [line for line in self.output.splitlines() if re.search(pattern, line)]

    def wait_for(self, pattern: str, timeout: float = DEADLINE) -> str:
        """Wait for a line of output and return it."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            found = self.lines(pattern)
            if found:
                return found[0]
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        raise AssertionError(f"no line matches {pattern!r} in:\n{self.output}")

    def finish(self, timeout: float = DEADLINE) -> int:
        """Wait for its end and return the exit code."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"did not end within {timeout} s:\n{self.output}") from None

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.finish()

    def discard(self) -> None:
        """End it if it still runs, whatever its state."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._log.close()


def wait_for_handlers(pid: int) -> None:
    """Wait until a process handles SIGTERM itself, as ours do before their heavy imports."""
    status = Path(f"/proc/{pid}/status")
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        caught = next(x for x in status.read_text().splitlines() if x.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.005)
    raise AssertionError("the process never handled SIGTERM")


OWN_DEFAULTS: dict[str, dict[str, Any]] = {"viewer": {"port": 0}}
"""Parameters that tests give a node where they do not say otherwise: ports of all are their own."""


def node_command(name: str, parameters: dict[str, Any] | None = None, *more: str) -> list[str]:
    """Return the command line of an executable with parameters and further ROS arguments."""
    command = [*_EXECUTABLES, name, "--ros-args"]
    for key, value in {**OWN_DEFAULTS.get(name, {}), **(parameters or {})}.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        command += ["-p", f"{key}:={text}"]
    return [*command, *more]
