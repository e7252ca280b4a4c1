"""A client that is used as it ought not to be: one clear error, and it goes on."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rclpy.node import Node
from robodyn_interfaces.srv import MassMatrix

from client_rig import POSITION, asking_node, serve
from node_process import DEADLINE
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.client import DynamicsClient, NoReplyError
from robodyn_ros.ros.client_calls import ServiceCalls
from robodyn_ros.ros.client_requests import payload_message
from spinning import Spinning

LINK = "tool0"
SURROGATE = "\ud800"
NO_TEXTS = [None, 3, b"tool0", ["tool0"], SURROGATE, "tool0\0"]
NO_TIMES = [0, -1.0, float("nan"), None, "1", True, [1.0, 2.0]]


@pytest.fixture(scope="module")
def server() -> Iterator[Spinning]:
    """A server of a UR5."""
    spinning = serve("misused")
    yield spinning
    spinning.close()


@pytest.fixture(scope="module")
def user() -> Iterator[Node]:
    """A node that nobody spins."""
    with asking_node() as node:
        yield node


@pytest.fixture
def client(user: Node, server: Spinning) -> Iterator[DynamicsClient]:
    """A client, which still works after the test."""
    with DynamicsClient(user, "misused", timeout=DEADLINE) as made:
        yield made
        assert made.mass_matrix(POSITION).matrix.shape == (6, 6)


@pytest.mark.parametrize("value", NO_TEXTS)
def test_a_text_is_a_text(client: DynamicsClient, value: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: client.mass_matrix([0.0], names=[value], rest="neutral"),
        lambda: client.jacobian(value, POSITION),
        lambda: client.inverse_dynamics(POSITION, external_wrenches=_keyed(value, np.zeros(6))),
        lambda: client.set_payload(value, 1.0),
        lambda: client.clear_payload(value),
    ]
    if value is not None:
        calls.append(lambda: client.set_payload(LINK, 1.0, name=value))
    for call in calls:
        with pytest.raises(ArgumentError, match=r"must be a|no message can hold"):
            call()


def _keyed(key: Any, value: Any) -> Any:
    return [key, value] if isinstance(key, list) else {key: value}


@pytest.mark.parametrize("names", ["shoulder_pan_joint", b"x", 5])
def test_names_are_a_list(client: DynamicsClient, names: Any) -> None:
    with pytest.raises(ArgumentError, match="names must be a list of texts"):
        client.mass_matrix([0.0], names=names, rest="neutral")


@pytest.mark.parametrize("value", ["no", 1, None, [True]])
def test_friction_is_yes_or_no(client: DynamicsClient, value: Any) -> None:
    for method in (client.inverse_dynamics, client.forward_dynamics):
        with pytest.raises(ArgumentError, match="friction must be True or False"):
            method(POSITION, friction=value)


@pytest.mark.parametrize("value", NO_TIMES)
def test_a_timeout_is_a_positive_number(client: DynamicsClient, user: Node, value: Any) -> None:
    if value is not None:  # which stands for the client's own
        with pytest.raises(ArgumentError, match="timeout must be a positive number of seconds"):
            client.mass_matrix(POSITION, timeout=value)
    threads = threading.active_count()
    with pytest.raises(ArgumentError, match="timeout must be a positive number of seconds"):
        DynamicsClient(user, timeout=value)
    assert threading.active_count() == threads


@pytest.mark.parametrize("name", ["", "/", "a b", "1st", "säule", None, 3])
def test_a_server_has_a_name(user: Node, name: Any) -> None:
    with pytest.raises(ArgumentError, match=r"server|no client of service"):
        DynamicsClient(user, name)


def test_a_destroyed_node_has_no_client(user: Node) -> None:
    gone = Node("gone", context=user.context)
    gone.destroy_node()
    with pytest.raises(ArgumentError, match=r"no client of service .* destruction was requested"):
        DynamicsClient(gone)


def test_a_request_that_cannot_be_sent_fails_and_no_other(user: Node, server: Spinning) -> None:
    calls = ServiceCalls(user, [(MassMatrix, "misused/mass_matrix")])
    try:
        bad = MassMatrix.Request(names=[SURROGATE])
        good = MassMatrix.Request(position=POSITION)
        replies = [
            calls.call(MassMatrix, request, lambda x: x, DEADLINE)
            for request in (good, bad, good, bad, good)
        ]
        for reply in replies[1::2]:
            with pytest.raises(NoReplyError, match=r"to /misused/mass_matrix cannot be sent: "):
                calls.wait(reply)
        for reply in replies[::2]:
            assert calls.wait(reply).success
    finally:
        calls.close()


def test_what_ends_the_thread_is_told_to_all(user: Node, server: Spinning) -> None:
    with DynamicsClient(user, "misused", timeout=DEADLINE) as client:
        client.mass_matrix(POSITION)
        lost = client.mass_matrix_async(POSITION)
        lost.add_done_callback(lambda _: sys.exit("enough"))
        lost.exception(DEADLINE)
        client._calls._thread.join(DEADLINE)
        with pytest.raises(NoReplyError, match="thread ended: SystemExit: enough"):
            client.mass_matrix(POSITION)


def test_a_burst_is_answered_and_may_be_cancelled(user: Node, server: Spinning) -> None:
    calls = ServiceCalls(user, [(MassMatrix, "misused/mass_matrix")])
    (queue,) = calls._queues.values()
    try:
        request = MassMatrix.Request(position=POSITION)
        replies = [calls.call(MassMatrix, request, lambda x: x, DEADLINE) for _ in range(300)]
        cancelled = [reply for reply in replies[::2] if reply.cancel()]
        for reply in replies:
            assert reply in cancelled or calls.wait(reply).success
        end = time.monotonic() + DEADLINE
        while queue or queue.client._pending_requests:
            assert time.monotonic() < end
            time.sleep(0.01)
    finally:
        calls.close()


def test_inertias_are_as_symmetric_as_products_are() -> None:
    turn, _ = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))
    inertia = turn @ np.diag([0.3, 0.4, 0.5]) @ turn.T
    inertia[0, 1] += 1e-17
    moments = payload_message(LINK, 1.0, (0, 0, 0), inertia, None).inertia
    assert moments.ixy == pytest.approx(inertia[0, 1], abs=1e-16)
    inertia[0, 1] += 1e-6
    with pytest.raises(ArgumentError, match="inertia must be symmetric"):
        payload_message(LINK, 1.0, (0, 0, 0), inertia, None)


@pytest.mark.parametrize(
    ("last", "code"), [("pass", 0), ("rclpy.shutdown()", 0), ("raise SystemExit(7)", 7)]
)
def test_a_process_that_closes_nothing_ends_as_it_wants(last: str, code: int) -> None:
    program = f"""
import rclpy
from rclpy.node import Node
from robodyn_ros.ros.client import DynamicsClient
rclpy.init()
client = DynamicsClient(Node("careless"), "nowhere")
reply = client.model_report_async(timeout=3600.0)
{last}
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=False,
        text=True,
        timeout=2 * DEADLINE,
    )
    assert (done.returncode, done.stderr) == (code, "")
