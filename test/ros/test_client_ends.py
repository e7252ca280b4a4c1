"""What a client does when the other end, or its own, goes away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.node import Node

from client_rig import POSITION, asking_node, serve
from dynamics_rig import Host, ServiceNode
from node_process import DEADLINE
from robodyn_ros.ros.client import DynamicsClient, NoReplyError


@pytest.fixture
def user() -> Iterator[Node]:
    """A node that nobody spins."""
    with asking_node() as node:
        yield node


def test_a_server_that_starts_later_and_again(user: Node) -> None:
    with DynamicsClient(user, "late", timeout=DEADLINE) as client:
        early = client.inverse_dynamics_async(POSITION)
        assert not early.done()
        first = serve("late")
        assert early.result(DEADLINE).effort.shape == (6,)
        first.close()
        until = time.monotonic() + DEADLINE
        while "late" in user.get_node_names():
            assert time.monotonic() < until
            time.sleep(0.02)
        again = serve("late")
        try:
            assert client.inverse_dynamics(POSITION).effort.shape == (6,)
        finally:
            again.close()


def test_a_server_that_does_not_answer(user: Node) -> None:
    silent = Context()
    rclpy.init(context=silent)
    node = ServiceNode(Host(None), "silent", context=silent)  # nobody spins it
    try:
        with DynamicsClient(user, "silent", timeout=DEADLINE) as client:
            while not _is_there(user, "/silent/model_report"):
                time.sleep(0.01)
            with pytest.raises(
                NoReplyError, match=r"no reply from /silent/model_report within 0\.5 s"
            ):
                client.model_report(timeout=0.5)
    finally:
        node.destroy_node()
        rclpy.shutdown(context=silent)


def _is_there(node: Node, service: str) -> bool:
    return service in [name for name, _ in node.get_service_names_and_types()]


def test_the_context_is_shut_down_while_a_call_waits(user: Node) -> None:
    client = DynamicsClient(user, "nowhere", timeout=DEADLINE)
    found: list[Exception] = []

    def call() -> None:
        try:
            client.inverse_dynamics(POSITION)
        except NoReplyError as failure:
            found.append(failure)

    waiting = threading.Thread(target=call)
    waiting.start()
    time.sleep(0.1)
    rclpy.shutdown(context=user.context)
    waiting.join(DEADLINE)
    assert not waiting.is_alive()
    assert "shut down" in str(found[0])
    with pytest.raises(NoReplyError, match="shut down"):
        client.inverse_dynamics(POSITION)
    client.close()


def test_a_client_is_closed_while_a_call_waits(user: Node) -> None:
    client = DynamicsClient(user, "nowhere", timeout=DEADLINE)
    reply = client.inverse_dynamics_async(POSITION)
    client.close()
    with pytest.raises(NoReplyError, match="the client was closed"):
        reply.result(DEADLINE)
    with pytest.raises(NoReplyError, match="the client was closed"):
        client.inverse_dynamics(POSITION)
    client.close()


def test_a_cancelled_reply_disturbs_nothing(user: Node) -> None:
    server = serve("patient")
    try:
        with DynamicsClient(user, "patient", timeout=DEADLINE) as client:
            reply = client.inverse_dynamics_async(POSITION)
            reply.cancel()
            assert client.inverse_dynamics(POSITION).effort.shape == (6,)
    finally:
        server.close()


def test_closed_clients_leave_nothing_behind(user: Node) -> None:
    before = threading.active_count()
    for _ in range(5):
        with DynamicsClient(user, "nowhere", timeout=0.05):
            pass
    assert threading.active_count() == before
    assert [name for name in user.get_node_names() if name.startswith("_user")] == []
