"""The page of a robot that plays a motion, whose sliders move it, and who else may see it."""

from __future__ import annotations

import base64
import http.client
import os
from collections.abc import Iterator
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser

from beacon_rig import PIXELS, BeaconRig, beacon, wait_until_shown
from browser import ViewerPage
from ros_graph import Graph


@pytest.fixture(scope="module")
def rig(graph: Graph) -> BeaconRig:
    return BeaconRig(graph, "joint_trajectory_demo", rate=30.0)


@pytest.fixture(scope="module")
def page(rig: BeaconRig, browser: Browser) -> Iterator[ViewerPage]:
    opened = rig.open(browser)
    yield opened
    opened.close()
    assert not opened.errors


def halt(page: ViewerPage) -> None:
    """Stop the played motion, so that numbers in fields stay while others are typed."""
    if page.button("Pause").count():
        page.button("Pause").click()
    page.button("Run").wait_for()


def send(rig: BeaconRig, page: ViewerPage, **positions: float) -> None:
    """Type positions into the fields of sliders and wait until the robot is there."""
    halt(page)
    for name, position in positions.items():
        page.move(
            f"{name} [rad]",
            position,
            lambda name=name, position=position: abs(rig.positions()[name] - position) < 1e-6,
        )


def test_the_robot_moves_on_the_page_while_it_plays(rig: BeaconRig, page: ViewerPage) -> None:
    first = page.wait(lambda: (spot := page.spot()).count > 50 and spot, "the ball")
    page.wait(lambda: np.any(np.abs(page.spot().center - first.center) > 10.0 * PIXELS), "motion")
    assert not rig.is_still()


def test_a_link_is_seen_where_its_pose_says_and_nothing_moves_at_rest(
    rig: BeaconRig, page: ViewerPage
) -> None:
    centers = []
    for shoulder, elbow in ((0.5, 0.5), (-0.4, 1.2), (-0.5, -0.4)):
        send(rig, page, shoulder=shoulder, elbow=elbow)
        wait_until_shown(page, {"shoulder": shoulder, "elbow": elbow})
        centers.append(page.spot().center)
    moved = np.linalg.norm(np.diff(centers, axis=0), axis=1)
    assert moved.min() > 20.0 * PIXELS
    assert rig.is_still()
    before = page.scene()
    rig.graph.spin(1.0)
    np.testing.assert_array_equal(page.scene(), before)


def test_keys_and_mouse_on_a_slider_move_the_joint(rig: BeaconRig, browser: Browser) -> None:
    page = rig.open(browser)  # one of its own: arrow keys turn the page's camera too
    send(rig, page, shoulder=0.0, elbow=0.0)
    thumb = page.slider("shoulder [rad]")
    thumb.focus()
    for _ in range(5):
        thumb.press("ArrowRight")
    page.wait(lambda: rig.positions()["shoulder"] > 1e-3, "the joint to follow the keys")
    assert abs(rig.positions()["elbow"]) < 1e-6
    box = page.control("elbow [rad]").bounding_box()
    assert box is not None
    page.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 5.0)
    # A quarter before the end of -2.5 ... 2.5.
    page.wait(lambda: abs(rig.positions()["elbow"] - 1.25) < 0.2, "the joint to follow the mouse")
    page.close()
    assert not page.errors


def test_two_see_the_same_and_who_comes_again_sees_it_too(
    rig: BeaconRig, page: ViewerPage, browser: Browser
) -> None:
    send(rig, page, shoulder=0.3, elbow=-0.6)
    wait_until_shown(page, {"shoulder": 0.3, "elbow": -0.6})
    other = rig.open(browser)
    wait_until_shown(other, {"shoulder": 0.3, "elbow": -0.6})
    send(rig, other, shoulder=-0.3)
    for each in (other, page):
        wait_until_shown(each, {"shoulder": -0.3, "elbow": -0.6})
        field = each.beside("shoulder [rad]")
        each.wait(lambda field=field: abs(float(field.input_value()) + 0.3) < 1e-3, "the slider")
    other.close()
    assert not other.errors
    again = rig.open(browser)
    wait_until_shown(again, {"shoulder": -0.3, "elbow": -0.6})
    again.close()
    assert not again.errors


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Origin", None, 101),
        ("Origin", "http://evil.example", 403),
        ("Origin", "null", 403),
        ("Host", "evil.example", 403),
    ],
)
def test_only_the_page_itself_may_connect(
    rig: BeaconRig, header: str, value: str | None, status: int
) -> None:
    address = urlsplit(rig.address)
    headers = {
        "Host": address.netloc,
        "Origin": rig.address,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
    }
    if value is not None:
        headers[header] = value
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=60.0)
    connection.putrequest("GET", "/", skip_host=True)
    for name, content in headers.items():
        connection.putheader(name, content)
    connection.endheaders()
    assert connection.getresponse().status == status
    connection.close()


def test_a_foreign_page_cannot_connect(rig: BeaconRig, browser: Browser) -> None:
    """As a browser does it: a page of another port of this machine is another origin."""
    tab = browser.new_page()
    tab.goto("data:text/html,<p>elsewhere")
    answer = tab.evaluate(
        """address => new Promise(resolve => {
            const socket = new WebSocket(address);
            socket.onopen = () => resolve('open');
            socket.onerror = () => resolve('refused');
        })""",
        rig.address.replace("http", "ws"),
    )
    tab.close()
    assert answer == "refused"


def test_the_ball_is_where_the_library_says() -> None:
    """Straight up the arm is 0.3 + 0.4 + 0.3 m high; the tests above rely on it."""
    np.testing.assert_allclose(beacon({}), [0.1, 0.0, 1.0], atol=1e-12)
