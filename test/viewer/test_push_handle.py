"""The handle that a link is pulled by, dragged as a browser reports it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from page_client import PageClient
from robodyn_ros import Robot
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.push_handle import PushHandle
from robodyn_ros.viewer.robot_scene import RobotScene
from robots import example
from viewed import move, nodes, shown

HAND = "panda_hand"


class Pushes:
    """What a handle tells, in its order."""

    def __init__(self) -> None:
        self.told: list[tuple[str, np.ndarray, np.ndarray]] = []
        self._more = threading.Condition()

    def __call__(self, body: str, force: np.ndarray, point: np.ndarray) -> None:
        """Remember a push."""
        with self._more:
            self.told.append((body, force.copy(), point.copy()))
            self._more.notify_all()

    def wait(self, count: int) -> None:
        """Wait until so many pushes were told."""
        with self._more:
            assert self._more.wait_for(lambda: len(self.told) >= count, timeout=20.0), self.told


class Bench:
    """A handle on a page that somebody drags."""

    def __init__(self, page: Page, client: PageClient) -> None:
        self.scene: RobotScene
        self.robot: Robot
        self.scene, self.robot = shown(page, example("panda.urdf"))
        move(self.scene, self.robot, self.robot.random_configuration(4))
        self.handle = PushHandle(self.scene, stiffness=200.0)
        self.pushes = Pushes()
        self.handle.on_push(self.pushes)
        self._client = client
        self.path = f"{self.scene.root}/push_handle"

    @property
    def center(self) -> np.ndarray:
        """Centre of mass (3,) of the hand, m."""
        body = self.robot.model.bodies[self.robot.model.body_index(HAND)]
        return self.scene.point(HAND, body.com)

    def start(self) -> None:
        """Grab the handle."""
        self._client._send({"type": "TransformControlsDragStartMessage", "name": self.path})

    def drag(self, position: np.ndarray) -> None:
        """Drag it to a position (3,), m."""
        message: dict[str, Any] = {"type": "TransformControlsUpdateMessage", "name": self.path}
        self._client._send(message | {"wxyz": (1, 0, 0, 0), "position": position.tolist()})

    def end(self) -> None:
        """Let it go."""
        self._client._send({"type": "TransformControlsDragEndMessage", "name": self.path})


@pytest.fixture
def bench(page: Page) -> Iterator[Bench]:
    """A handle, and a page that is open."""
    with PageClient(page.address) as client:
        client.wait(lambda: page.clients == 1, "to be counted")
        yield Bench(page, client)
        client.close()


def test_dragging_pulls_as_a_spring_and_letting_go_ends_it(page: Page, bench: Bench) -> None:
    bench.handle.attach(HAND)
    np.testing.assert_allclose(nodes(page)[bench.path].position, bench.center, atol=1e-5)
    away = np.array([0.1, -0.2, 0.3])
    bench.start()
    bench.drag(bench.center + away)
    bench.pushes.wait(2)
    assert bench.handle.dragged
    body, force, point = bench.pushes.told[1]
    assert body == HAND
    np.testing.assert_allclose(force, 200.0 * away, atol=0.01)
    np.testing.assert_allclose(point, bench.center, atol=1e-5)
    bench.end()
    bench.pushes.wait(3)
    np.testing.assert_array_equal(bench.pushes.told[2][1], np.zeros(3))
    assert not bench.handle.dragged
    np.testing.assert_allclose(nodes(page)[bench.path].position, bench.center, atol=1e-5)


def test_while_it_is_dragged_the_spring_follows_the_link(page: Page, bench: Bench) -> None:
    bench.handle.attach(HAND)
    target = bench.center + 0.2
    bench.start()
    bench.drag(target)
    bench.pushes.wait(2)
    move(bench.scene, bench.robot, bench.robot.neutral())
    bench.handle.update()
    _, force, point = bench.pushes.told[-1]
    np.testing.assert_allclose(point, bench.center, atol=1e-5)
    np.testing.assert_allclose(force, 200.0 * (target - bench.center), atol=0.02)
    np.testing.assert_allclose(nodes(page)[bench.path].position, target, atol=1e-5)


def test_at_rest_it_stays_with_the_link_and_says_nothing(page: Page, bench: Bench) -> None:
    bench.handle.attach(HAND)
    move(bench.scene, bench.robot, bench.robot.neutral())
    bench.handle.update()
    np.testing.assert_allclose(nodes(page)[bench.path].position, bench.center, atol=1e-5)
    assert bench.pushes.told == []


def test_taking_it_away_lets_go(page: Page, bench: Bench) -> None:
    bench.handle.attach(HAND)
    bench.start()
    bench.drag(bench.center + 0.1)
    bench.pushes.wait(2)
    bench.handle.attach(None)
    np.testing.assert_array_equal(bench.pushes.told[-1][1], np.zeros(3))
    assert bench.path not in nodes(page)
    assert bench.handle.body is None
    count = len(bench.pushes.told)
    bench.handle.update()
    bench.handle.attach("panda_link3")
    assert bench.handle.body == "panda_link3"
    assert len(bench.pushes.told) == count


def test_a_page_that_is_closed_while_it_drags_lets_go(page: Page, bench: Bench) -> None:
    bench.handle.attach(HAND)
    bench.start()
    bench.drag(bench.center + 0.1)
    bench.pushes.wait(2)
    bench._client.close()
    bench.pushes.wait(3)
    np.testing.assert_array_equal(bench.pushes.told[-1][1], np.zeros(3))
    assert not bench.handle.dragged


def test_an_unknown_link_is_refused(bench: Bench) -> None:
    with pytest.raises(UnknownNameError, match=HAND):
        bench.handle.attach("panda_hnad")
    assert bench.handle.body is None
