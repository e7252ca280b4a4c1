"""Who may connect to a page: judged, and tried against a page that is served."""

from __future__ import annotations

import socket
from http.client import HTTPConnection

import pytest
import viser
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from robodyn_ros.errors import ArgumentError
from robodyn_ros.viewer.access import Access, is_loopback
from robodyn_ros.viewer.page import Page

HERE = Access("127.0.0.1")
EVERYWHERE = Access("0.0.0.0")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8080", None),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost:8080", "http://localhost:8080"),
        ("127.0.0.1:8080", "http://localhost:8080"),
        ("LocalHost:8080", "http://localhost:8080"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("localhost:9999", "http://localhost:9999"),  # a tunnel's other end
        ("localhost", "http://localhost"),
        ("localhost", "http://localhost:80"),
        ("localhost", "https://localhost"),
    ],
)
def test_the_pages_own_origin_may_connect(host: str, origin: str | None) -> None:
    assert HERE.refusal(host, origin) is None


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://127.0.0.1.evil.example",
        "http://127.0.0.1:8081",
        "http://localhost:3000",
        "http://localhost",
        "null",
        "",
        "file://",
        "http://127.0.0.1:8080@evil.example",
        "http://evil.example/127.0.0.1:8080",
        "http://127.0.0.1:8080/x",
        "http://127.0.0.1:99999",
        "http://[::1",
        "http://127.0.0.1:8080,http://evil.example",
        "ws://127.0.0.1:8080",
    ],
)
def test_a_foreign_origin_may_not(origin: str) -> None:
    refusal = HERE.refusal("127.0.0.1:8080", origin)
    assert refusal is not None
    assert "origins" in refusal


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.example",
        "evil.example:8080",
        "192.168.0.7:8080",
        "127.0.0.1:8080@evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:8080,evil.example",
        "evil.example/127.0.0.1",
        "127.0.0.1:port",
        "[::1",
        "127.0.0.1 evil.example",
    ],
)
def test_a_name_that_was_made_to_lead_here_is_refused(host: str | None) -> None:
    assert HERE.refusal(host, None) is not None
    assert HERE.refusal(host, f"http://{host}") is not None


def test_a_page_for_the_network_goes_by_addresses_and_by_the_machines_name() -> None:
    name = socket.gethostname()
    for host in ("192.168.0.7:8080", "[fe80::1]:8080", "127.0.0.1:8080", f"{name}:8080"):
        assert EVERYWHERE.refusal(host, f"http://{host}") is None
        assert EVERYWHERE.refusal(host, "http://evil.example") is not None
    assert EVERYWHERE.refusal("evil.example:8080", "http://evil.example:8080") is not None


def test_an_address_of_its_own_is_a_name_of_the_page() -> None:
    access = Access("192.168.0.7")
    assert access.refusal("192.168.0.7:8080", "http://192.168.0.7:8080") is None
    assert access.refusal("192.168.0.8:8080", "http://192.168.0.8:8080") is not None


def test_named_origins_may_connect_by_their_name_or_through_a_proxy() -> None:
    access = Access("127.0.0.1", ("HTTPS://Robots.Example:443/", "http://lab:8000"))
    assert access.origins == ("https://robots.example", "http://lab:8000")
    for host, origin in (
        ("127.0.0.1:8080", "https://robots.example"),
        ("robots.example", "https://robots.example"),
        ("lab:8000", "http://lab:8000"),
    ):
        assert access.refusal(host, origin) is None
    assert access.refusal("127.0.0.1:8080", "http://robots.example") is not None
    assert access.refusal("127.0.0.1:8080", "http://lab:8001") is not None


@pytest.mark.parametrize(
    "origin",
    ["*", "robots.example", "https://*", "https://", "ftp://a", "http://a/b", "http://a:x", "null"],
)
def test_an_origin_that_is_none_is_refused_at_the_start(origin: str) -> None:
    with pytest.raises(ArgumentError, match="must be http://HOST"):
        Access("127.0.0.1", (origin,))


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("", False),
        ("192.168.0.7", False),
        ("robots.example", False),
    ],
)
def test_loopback_is_told_from_the_network(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def first_message(page: Page, origin: str | None, **headers: str) -> bytes | str:
    """Return what a page's WebSocket sends first to one that says that it comes from there."""
    with connect(
        f"ws://127.0.0.1:{page.port}",
        origin=None if origin is None else Origin(origin),
        subprotocols=[Subprotocol(f"viser-v{viser.__version__}")],
        additional_headers=headers,
        compression=None,
    ) as socket_:
        return socket_.recv(timeout=10.0)


def test_a_served_page_answers_its_own(shared_page: Page) -> None:
    own = f"http://127.0.0.1:{shared_page.port}"
    for origin in (None, own, f"http://localhost:{shared_page.port}"):
        assert len(first_message(shared_page, origin)) > 0


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_a_served_page_refuses_a_foreign_websocket(shared_page: Page, origin: str) -> None:
    before = shared_page.clients
    with pytest.raises(InvalidStatus) as caught:
        first_message(shared_page, origin)
    assert caught.value.response.status_code == 403
    assert b"may not connect" in caught.value.response.body
    assert shared_page.clients == before


def test_a_second_origin_header_does_not_help(shared_page: Page) -> None:
    own = f"http://127.0.0.1:{shared_page.port}"
    with pytest.raises(InvalidStatus) as caught:
        first_message(shared_page, "http://evil.example", Origin=own)
    assert caught.value.response.status_code == 403


@pytest.mark.parametrize(
    ("host", "status"), [("evil.example", 403), ("localhost", 200), ("127.0.0.1", 200)]
)
def test_files_of_the_page_go_by_its_own_names_only(
    shared_page: Page, host: str, status: int
) -> None:
    connection = HTTPConnection("127.0.0.1", shared_page.port, timeout=10.0)
    connection.request("GET", "/", headers={"Host": f"{host}:{shared_page.port}"})
    assert connection.getresponse().status == status
    connection.close()


def test_a_page_takes_named_origins() -> None:
    with Page(port=0, origins="https://robots.example, http://lab:8000") as page:
        for origin in ("https://robots.example", "http://lab:8000"):
            assert len(first_message(page, origin)) > 0
        with pytest.raises(InvalidStatus):
            first_message(page, "http://robots.example")
