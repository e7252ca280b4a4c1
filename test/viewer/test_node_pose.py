"""Nodes are moved as viser's own setters move them, with whatever release of it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from viser import _messages

from page_client import PageClient
from robodyn_ros.viewer.node_pose import pose_setters
from robodyn_ros.viewer.page import Page

POSITION = np.array([0.1, -0.2, 0.3])
TURN = np.array([0.5, 0.5, -0.5, 0.5])


def messages(page: Page) -> list[Any]:
    """Return what would be sent to a page that connects now."""
    return list(page.server._websock_server.get_message_buffer().message_from_id.values())


def sent(page: Page, node: Any) -> list[Any]:
    kinds = (_messages.SetPositionMessage, _messages.SetOrientationMessage)
    return [x for x in messages(page) if isinstance(x, kinds) and x.name == node.name]


def test_they_leave_what_the_public_setters_leave(page: Page) -> None:
    scene = page.server.scene
    ours, theirs = scene.add_frame("/ours"), scene.add_frame("/theirs")
    set_position, set_orientation = pose_setters(ours)
    set_position(POSITION)
    set_orientation(TURN)
    theirs.position, theirs.wxyz = POSITION, TURN
    np.testing.assert_array_equal(ours.position, theirs.position)
    np.testing.assert_array_equal(ours.wxyz, theirs.wxyz)
    expected = [dataclasses.replace(x, name="/ours") for x in sent(page, theirs)]
    assert sent(page, ours) == expected
    assert len(expected) == 2


def test_trying_whether_it_works_sends_nothing(page: Page) -> None:
    node = page.server.scene.add_frame("/node", position=(1.0, 2.0, 3.0))
    before = len(messages(page))
    pose_setters(node)
    assert len(messages(page)) == before


@pytest.mark.parametrize("name", ["SetPositionMessage", "SetOrientationMessage"])
def test_with_another_viser_its_public_setters_do(
    page: Page, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = page.server.scene.add_frame("/node")
    with monkeypatch.context() as patch:
        patch.delattr(_messages, name)
        set_position, set_orientation = pose_setters(node)
    set_position(POSITION)
    set_orientation(TURN)
    np.testing.assert_allclose(node.position, POSITION)
    np.testing.assert_allclose(node.wxyz, TURN)


def test_an_open_page_hears_of_it(page: Page) -> None:
    node = page.server.scene.add_frame("/node")
    set_position, _ = pose_setters(node)
    with PageClient(page.address) as client:
        client.wait(lambda: page.clients == 1, "to be counted")
        set_position(POSITION)
        client.wait(lambda: np.allclose(client.positions.get("/node", (0, 0, 0)), POSITION), "it")
