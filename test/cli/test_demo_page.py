"""The port of the demo's page, and whether something answers there."""

from __future__ import annotations

import http.server
import socket
import threading

import pytest

from robodyn_ros.cli.demo_page import Page, free_port


def test_the_wanted_port_is_used_where_it_is_free_and_else_the_next() -> None:
    port = free_port(0)
    assert free_port(port) == port
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert port < free_port(port) < port + 100


def test_where_none_is_free_it_says_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 65535))
        taken.listen()
        with pytest.raises(OSError, match=r"no port from 65535 on is free.*--port"):
            free_port(65535)


class Server(http.server.BaseHTTPRequestHandler):
    """Has no file at all."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_it_answers_once_and_only_when_something_serves_it() -> None:
    port = free_port(0)
    assert not Page(port).look()
    with http.server.HTTPServer(("127.0.0.1", port), Server) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        page = Page(port)
        assert page.address == f"http://127.0.0.1:{port}"
        assert page.look()
        thread.join()
    assert page.answers
    assert not page.look()
