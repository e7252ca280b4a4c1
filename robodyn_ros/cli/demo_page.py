"""The demo's page: a port for it, and whether it answers."""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import socket
import time

HOST = "127.0.0.1"
PORT = 8080
_TRIED = 100
_PERIOD, _PATIENCE = 0.1, 0.5
"""Seconds from one look at the page to the next, and for which an answer is waited for."""


def free_port(wanted: int = PORT) -> int:
    """Return the wanted port, or the next one that nobody listens at; 0 asks for any.

    Raises:
        OSError: none of the hundred from there on is free.
    """
    for port in range(wanted, min(wanted + _TRIED, 2**16)):
        with contextlib.suppress(OSError), socket.socket() as listener:
            # As the page's server does: a connection that has just ended does not count.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((HOST, port))
            listener.listen()
            return int(listener.getsockname()[1])
    raise OSError(f"no port from {wanted} on is free for the page: choose another with --port")


def missing() -> str:
    """Return what the page needs and is not installed, "" where all is."""
    if importlib.util.find_spec("viser") is not None:
        return ""
    return "no page: it needs viser, which is not installed (pip install 'robodyn_ros[viewer]')"


class Page:
    """What is known of the page at a port of this machine.

    Attributes:
        port: Where it is served.
        address: What to open.
        answers: Whether it has answered.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.address = f"http://{HOST}:{port}"
        self.answers = False
        self._next = 0.0

    def look(self) -> bool:
        """Look whether it answers; return whether it does so for the first time."""
        if self.answers or time.monotonic() < self._next:
            return False
        connection = http.client.HTTPConnection(HOST, self.port, timeout=_PATIENCE)
        with (
            contextlib.closing(connection),
            contextlib.suppress(OSError, http.client.HTTPException),
        ):
            connection.request("GET", "/there")  # no such file: the page itself is megabytes
            self.answers = connection.getresponse().status < 500
        self._next = time.monotonic() + _PERIOD
        return self.answers
