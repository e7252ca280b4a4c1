"""Node processes that begin with everything imported: each is a fork of one process that is ready.

A node of a test is a real process, with DDS of its own, but for its imports, which take more than
half of the time of its start. What is about the start itself takes `Graph.run` and a command line.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

_MOST = 1 << 20
"""Bytes of a request."""
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): who is left by its parent becomes our child."""


class Forked:
    """A process like one of `subprocess.Popen`, as far as tests need it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
                os.close(self._ended)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return the exit code."""
        if self.returncode is None:
            select.select([self._ended], [], [], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("a node", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


class Nursery:
    """The process that is ready, and what it is asked for."""

    def __init__(self) -> None:
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(other.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
            )

    def start(self, arguments: Sequence[str], log: IO[str]) -> Forked:
        """Start a node; `arguments` are what follows `python -m robodyn_ros.nodes.executables`."""
        environment = dict(os.environ)
        request = {"arguments": list(arguments), "environment": environment, "at": str(Path.cwd())}
        socket.send_fds(self._socket, [json.dumps(request).encode()], [log.fileno()])
        answer = self._socket.recv(_MOST)
        assert answer, "the process that is ready to become a node has ended"
        return Forked(int(answer))


_NURSERIES: list[Nursery] = []


def forked_node(arguments: Sequence[str], log: IO[str]) -> Forked:
    """Start a node, from the one nursery of this process."""
    if not _NURSERIES:
        _NURSERIES.append(Nursery())
    return _NURSERIES[0].start(arguments, log)


def _serve(requests: socket.socket) -> int:
    """Answer requests in the process that is ready; return an exit code in those that it forks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        data, descriptors, _, _ = socket.recv_fds(requests, _MOST, 1)
        if not data:
            return 0
        (log,) = descriptors
        ours, theirs = os.pipe()
        between = os.fork()
        if between:
            os.close(log)
            os.close(theirs)
            os.waitpid(between, 0)  # only then the node is a child of the one who asks
            requests.send(os.read(ours, _MOST))
            os.close(ours)
            continue
        pid = os.fork()
        if pid:
            os.write(theirs, str(pid).encode())
            os._exit(0)
        os.close(ours)
        os.close(theirs)
        requests.close()
        return _become(log, **json.loads(data))


def _become(log: int, arguments: list[str], environment: dict[str, str], at: str) -> int:
    """Be a node; return its exit code."""
    from robodyn_ros.nodes import executables

    os.environ.clear()
    os.environ.update(environment)
    os.chdir(at)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = [executables.__file__, *arguments]
    return executables.main()


def _import_all() -> None:
    """Import what nodes need, and start nothing: threads would not survive a fork."""
    import importlib

    from robodyn_ros.nodes import executables

    for module, _ in executables.NODES.values():
        with contextlib.suppress(ImportError):
            importlib.import_module(module)


if __name__ == "__main__":
    sys.path[0] = str(Path.cwd())
    _import_all()
    sys.exit(_serve(socket.socket(fileno=int(sys.argv[1]))))
