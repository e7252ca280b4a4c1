"""viser's server behind `Access`: the one place that reaches into it.

viser listens on all addresses by default, takes the next port where the one asked for is taken, and
answers every page that connects. What it is given instead: a socket that is bound already, and a
look at each request before its own. Both go in where it calls `websockets.asyncio.server.serve`.
Where a release of viser no longer does, construction fails, so that a page never stands open.
"""

from __future__ import annotations

import contextlib
import http
import logging
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

from robodyn_ros.errors import RobodynError
from robodyn_ros.viewer.access import Access

if TYPE_CHECKING:
    import viser

INSTALL = 'pip install "robodyn_ros[viewer]"'
CLOSING = 0.5
"""Seconds that a client has for its part of the end of a connection; a page that ends waits."""
_CALLER = "viser.infra._infra"
_UNREADABLE = 1007
"""Of the WebSocket protocol: data that are not of the type that was agreed on."""
_lock = threading.Lock()
_logger = logging.getLogger("robodyn_ros.viewer")


def guarded_server(bound: socket.socket, access: Access, label: str) -> viser.ViserServer:
    """Return a running server on a bound socket, which it then owns.

    Args:
        bound: a TCP socket that is bound.
        access: which requests are answered; others get 403.
        label: the title of its panel.

    Raises:
        RobodynError: viser is not installed, or cannot be guarded.
    """
    try:
        import viser
    except ImportError as error:
        raise RobodynError(f"the viewer needs viser: {error}; {INSTALL}") from None

    class Server(viser.ViserServer):
        """A server that is never shared over the internet, whoever asks."""

        def request_share_url(self, verbose: bool = True) -> str | None:
            """Open no tunnel."""
            return None

    host, port = bound.getsockname()[:2]
    with _lock, quiet(), _guarding(bound, access) as guarded:
        server = Server(host=host, port=port, label=label, verbose=False)
    if not guarded.is_set():
        with quiet():
            server.stop()
        raise RobodynError(
            f"viser {viser.__version__} does not start its server in a way that can be guarded"
            f" against foreign web pages; {INSTALL} brings a release that does"
        )
    return server


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep viser's own lines, which it prints by rich's shared console, from standard output."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


@contextlib.contextmanager
def _guarding(bound: socket.socket, access: Access) -> Iterator[threading.Event]:
    """Let the next server that viser starts be guarded; the event tells that one was."""
    import websockets.asyncio.server as module

    guarded = threading.Event()
    original = module.serve

    def serve(handler: Any, host: Any, port: Any, *, process_request: Any, **options: Any) -> Any:
        if getattr(handler, "__module__", "") != _CALLER or guarded.is_set():
            return original(handler, host, port, process_request=process_request, **options)

        def judged(connection: Any, request: Any) -> Any:
            # get_all: of two headers a careless reader would see one.
            hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
            host, origin = ",".join(hosts), ",".join(origins) if origins else None
            refusal = access.refusal(host, origin)
            if refusal is not None:
                return connection.respond(http.HTTPStatus.FORBIDDEN, f"robodyn: {refusal}\n")
            return process_request(connection, request)

        guarded.set()
        return original(
            _mannered(handler),
            sock=bound,
            process_request=judged,
            close_timeout=CLOSING,
            logger=_silent_logger(),
            **options,
        )

    module.serve = serve  # type: ignore[assignment, misc]
    try:
        yield guarded
    finally:
        module.serve = original  # type: ignore[misc]


def _mannered(handler: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    """Return a handler of connections that ends those which send what no page of ours does."""
    told = False

    async def handled(connection: Any) -> None:
        nonlocal told
        try:
            await handler(connection)
        except Exception as error:  # noqa: BLE001 - whatever a stranger's bytes lead to
            if not told:
                told = True
                _logger.warning(
                    "a client of the page sent what cannot be read (%s), and was disconnected;"
                    " reload the page if it is a browser. Others will be without a word",
                    type(error).__name__,
                )
            await connection.close(_UNREADABLE, "robodyn: that message cannot be read")

    return handled


def _silent_logger() -> logging.Logger:
    """Return a logger for websockets, which would print a stack for every stranger's bytes."""
    logger = logging.Logger("robodyn_ros.viewer.connections", logging.CRITICAL)
    logger.addHandler(logging.NullHandler())
    return logger
