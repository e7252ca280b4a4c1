"""Serving a page: ports, hosts, what it prints, how it ends."""

from __future__ import annotations

import importlib
import socket
import sys
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest
import viser
import websockets.asyncio.server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from page_client import PageClient
from robodyn_ros.errors import ArgumentError, RobodynError
from robodyn_ros.viewer.page import Page


def stranger(page: Page) -> ClientConnection:
    """Return a connection that looks like a page's."""
    return connect(
        f"ws://127.0.0.1:{page.port}/", subprotocols=[Subprotocol(f"viser-v{viser.__version__}")]
    )


def drained(client: ClientConnection) -> None:
    """Read until the connection ends."""
    while True:
        client.recv(timeout=60.0)


def test_it_is_served_on_this_machine_only_and_says_where(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Page(port=0, title="arms") as page:
        assert page.host == "127.0.0.1"
        assert page.address == f"http://127.0.0.1:{page.port}"
        assert page.warning is None
        assert b"<html" in urlopen(page.address).read()
        assert page.server.get_port() == page.port
    assert capfd.readouterr() == ("", "")


def test_a_port_that_is_taken_is_one_clear_error() -> None:
    with Page(port=0) as page:
        with pytest.raises(RobodynError, match=rf"port {page.port} of 127.0.0.1 is taken.*0: any"):
            Page(port=page.port)
        assert urlopen(page.address).status == 200


def test_a_port_that_others_listen_on_is_taken_too() -> None:
    other = socket.create_server(("127.0.0.1", 0))
    with other, pytest.raises(RobodynError, match="is taken"):
        Page(port=other.getsockname()[1])


def test_closing_frees_the_port_and_may_be_repeated() -> None:
    page = Page(port=0)
    with PageClient(page.address) as client:
        client.wait(lambda: page.clients == 1, "to be counted")
        page.close()
    page.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", page.port))
    with Page(port=page.port) as again:
        assert again.port == page.port
        assert urlopen(again.address).status == 200


@pytest.mark.parametrize(
    "bytes_or_text",
    [b"", b"\xc1", b"\x81" * 5000, b"\xdd\xff\xff\xff\xff", b"\x01", b"\x81\xa4type\xa1x", "text"],
)
def test_what_is_no_message_ends_that_connection_without_a_stack(
    bytes_or_text: bytes | str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Page(port=0) as page, PageClient(page.address) as good:
        good.wait(lambda: page.clients == 1, "to be counted")
        for _ in range(3):
            with stranger(page) as client:
                client.send(bytes_or_text)
                with pytest.raises(ConnectionClosed, match=r"1007.*cannot be read"):
                    drained(client)
        good.wait(lambda: page.clients == 1, "to be alone again")
    assert "Traceback" not in "".join(capfd.readouterr())
    told = [record for record in caplog.records if record.name.startswith("robodyn_ros")]
    assert [record.exc_info for record in told] == [None]
    assert "reload the page if it is a browser" in told[0].getMessage()


def test_what_is_no_request_leaves_no_stack(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with Page(port=0) as page:
        for request in (b"\0" * 100, b"GET / HTTP/1.1\r\n\xff\xfe: 1\r\n\r\n", b"GET", b""):
            with socket.create_connection(("127.0.0.1", page.port)) as client:
                client.sendall(request)
                client.shutdown(socket.SHUT_WR)
                while client.recv(1000):
                    pass
        assert urlopen(page.address).status == 200
    assert "Traceback" not in "".join(capfd.readouterr())
    assert not caplog.records


def test_clients_that_do_not_answer_do_not_hold_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(port=0)
    deaf = [stranger(page) for _ in range(3)]
    for client in deaf:
        monkeypatch.setattr(client.protocol, "receive_data", lambda _: None)
    page.close()
    thread = page.server._websock_server._server_thread
    assert thread is not None
    assert not thread.is_alive()  # viser waits 6 s for it, and then leaves it
    for client in deaf:
        client.socket.close()


@pytest.mark.parametrize("port", [-1, 65536, 8080.0, "8080", True, None])
def test_what_is_no_port_is_refused(port: Any) -> None:
    with pytest.raises(ArgumentError, match="port must be a whole number from 0 to 65535"):
        Page(port=port)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("no.such.host.invalid", "cannot be found"),
        ("192.0.2.1", "no address of this machine"),
        ("a b", "cannot be found"),
    ],
)
def test_a_host_that_cannot_be_had_is_one_clear_error(host: str, text: str) -> None:
    with pytest.raises(RobodynError, match=text):
        Page(host, 0)


def test_a_page_for_the_network_says_so() -> None:
    with Page("0.0.0.0", 0) as page:
        assert page.warning is not None
        assert f"port {page.port}" in page.warning
        assert "anyone on the network" in page.warning
        assert page.address == f"http://127.0.0.1:{page.port}"
        assert urlopen(page.address).status == 200


def test_addresses_of_ip_6_have_brackets() -> None:
    with Page("::1", 0) as page:
        assert page.address == f"http://[::1]:{page.port}"
        assert page.warning is None
        assert urlopen(page.address).status == 200


def test_two_pages_at_once_do_not_meet() -> None:
    with Page(port=0) as one, Page(port=0) as other:
        one.server.scene.add_frame("/only_here")
        assert "/only_here" not in other.server.scene._handle_from_node_name
        assert one.port != other.port


def test_no_tunnel_to_the_internet_is_opened() -> None:
    with Page(port=0) as page, PageClient(page.address) as client:
        client.wait(lambda: page.clients == 1, "to be counted")
        client._send({"type": "ShareUrlRequest"})
        client._send({"type": "GuiUpdateMessage", "uuid": "none", "updates": {}})
        assert page.server.request_share_url() is None
        page.server.gui.add_button("after")
        client.get("after")
        assert page.server._share_tunnel is None


def test_a_viser_that_cannot_be_guarded_is_not_served(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("robodyn_ros.viewer.guarded_server")
    monkeypatch.setattr(module, "_CALLER", "viser.somewhere_else")
    serve = websockets.asyncio.server.serve
    with pytest.raises(RobodynError, match="can be guarded"):
        Page(port=0)
    assert websockets.asyncio.server.serve is serve


def test_without_viser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(RobodynError, match=r'needs viser: .*pip install "robodyn_ros\[viewer\]"'):
        Page(port=0)


@pytest.mark.parametrize("radius", [1e-9, 0.3, 1.0, 50.0, 1e9, np.nan, np.inf])
def test_cameras_see_the_scene_from_above_and_z_is_up(radius: float) -> None:
    with Page(port=0) as page:
        page.look_at((1.0, 2.0, np.nan), radius)
        camera = page.server.initial_camera
        np.testing.assert_allclose(camera.look_at, [1.0, 2.0, 0.0])
        np.testing.assert_array_equal(camera.up, [0.0, 0.0, 1.0])
        away = np.linalg.norm(camera.position - camera.look_at)
        assert np.isfinite(away)
        assert camera.position[2] > camera.look_at[2]
        assert camera.near < away < camera.far
        assert page.ground_visible
        page.ground_visible = False
        assert not page.ground_visible
