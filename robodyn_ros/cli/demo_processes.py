"""The demo's nodes as processes: how each is started, how all end, and what one said that died."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import IO

from robodyn_ros.errors import RobodynError

STOP_TIMEOUT = 10.0
LAST_LINES = 30


class ChildError(RobodynError):
    """A node of the demo ended by itself."""


class NodeProcesses:
    """Nodes in processes of this group, so that Ctrl-C and hang-ups reach them too."""

    def __init__(self, nodes: Mapping[str, Iterable[tuple[str, str]]], log: IO[str]) -> None:
        """Prepare; the nodes start with the context.

        Args:
            nodes: By executable, its parameters: name and value, as YAML.
            log: File that takes what they say.
        """
        self._nodes = nodes
        self._log = log
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> NodeProcesses:
        """Start them."""
        try:
            for name, parameters in self._nodes.items():
                command = [sys.executable, "-m", "robodyn_ros.nodes.executables", name]
                command.append("--ros-args")
                for key, value in parameters:
                    command += ["-p", f"{key}:={value}"]
                self._children[name] = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log
                )
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End them."""
        self._end()

    @property
    def ended(self) -> str | None:
        """A node that has ended, None while all are running."""
        running = self._children.items()
        return next((name for name, child in running if child.poll() is not None), None)

    def failure(self, name: str) -> ChildError:
        """Return how a node has ended and what was said before."""
        self._log.seek(0)
        said = "\n".join(self._log.read().strip().splitlines()[-LAST_LINES:])
        code = self._children[name].returncode
        return ChildError(f"{name} ended with exit code {code}; it said:\n{said}")

    def _end(self) -> None:
        for child in self._children.values():
            if child.poll() is None:
                child.send_signal(signal.SIGINT)
        for child in self._children.values():
            _wait(child)


def _wait(child: subprocess.Popen[bytes]) -> None:
    """Wait for a node that was told to stop."""
    try:
        child.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
