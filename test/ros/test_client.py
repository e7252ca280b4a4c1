"""Calls over DDS from wherever a node may call: none of them waits for ever."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node

from client_rig import POSITION, asking_node, serve, ur5
from differentiation import error
from dynamics_rig import Host
from node_process import DEADLINE
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.client import DynamicsClient, NoReplyError, RequestRefusedError
from spinning import Spinning

EXECUTORS = [SingleThreadedExecutor, MultiThreadedExecutor]


@pytest.fixture(scope="module")
def host() -> Host:
    """A UR5."""
    return ur5()


@pytest.fixture(scope="module")
def server(host: Host) -> Iterator[Spinning]:
    """A server in another context, as in another process."""
    spinning = serve(host=host)
    yield spinning
    spinning.close()


@pytest.fixture
def user() -> Iterator[Node]:
    """A node that nobody spins yet."""
    with asking_node() as node:
        yield node


@pytest.fixture
def client(user: Node, server: Spinning) -> Iterator[DynamicsClient]:
    """A client of the running server."""
    with DynamicsClient(user, timeout=DEADLINE) as made:
        yield made


def gravity(host: Host) -> np.ndarray:
    """Return the expected answer for `POSITION`."""
    assert host.robot is not None
    return host.robot.gravity_force(np.array(POSITION))


def spun_until(node: Node, done: threading.Event, executor_class: type) -> None:
    """Spin a node's executor until something is done."""
    executor = executor_class(context=node.context)
    executor.add_node(node)
    end = time.monotonic() + DEADLINE
    while not done.is_set():
        assert time.monotonic() < end, "waited in vain"
        executor.spin_once(timeout_sec=0.1)
    executor.shutdown()


def from_a_timer(node: Node, task: Callable[[], Any], executor_class: type) -> Any:
    """Return what a task gives in a timer's callback."""
    found: list[Any] = []
    done = threading.Event()

    def callback() -> None:
        try:
            found.append(task())
        finally:
            done.set()

    timer = node.create_timer(0.01, callback)
    spun_until(node, done, executor_class)
    node.destroy_timer(timer)
    return found[0]


def test_outside_any_spin(client: DynamicsClient, host: Host) -> None:
    efforts = client.inverse_dynamics(POSITION)
    assert efforts.names == host.model.coordinate_names
    assert error(efforts.effort, gravity(host)) < 1e-12


@pytest.mark.parametrize("executor", EXECUTORS)
def test_inside_a_callback(client: DynamicsClient, user: Node, host: Host, executor: type) -> None:
    efforts = from_a_timer(user, lambda: client.inverse_dynamics(POSITION), executor)
    assert error(efforts.effort, gravity(host)) < 1e-12


def test_in_several_callbacks_at_once(client: DynamicsClient, user: Node, host: Host) -> None:
    found: list[np.ndarray] = []
    done = threading.Event()

    def callback() -> None:
        found.append(client.inverse_dynamics(POSITION).effort)
        if len(found) >= 20:
            done.set()

    group = ReentrantCallbackGroup()
    timers = [user.create_timer(0.005, callback, callback_group=group) for _ in range(4)]
    spun_until(user, done, MultiThreadedExecutor)
    for timer in timers:
        user.destroy_timer(timer)
    assert all(error(effort, gravity(host)) < 1e-12 for effort in found)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_awaited_in_a_coroutine_of_an_executor(
    client: DynamicsClient, user: Node, host: Host, executor: type
) -> None:
    found: list[np.ndarray] = []
    done = threading.Event()

    async def callback() -> None:
        efforts = await client.inverse_dynamics_async(POSITION)
        found.append(efforts.effort)
        done.set()

    timer = user.create_timer(0.01, callback)
    spun_until(user, done, executor)
    user.destroy_timer(timer)
    assert error(found[0], gravity(host)) < 1e-12


def test_awaited_in_asyncio(client: DynamicsClient, host: Host) -> None:
    async def both() -> list[Any]:
        return await asyncio.gather(
            _awaited(client.inverse_dynamics_async(POSITION)),
            _awaited(client.mass_matrix_async(POSITION)),
        )

    efforts, mass = asyncio.run(both())
    assert error(efforts.effort, gravity(host)) < 1e-12
    assert host.robot is not None
    assert error(mass.matrix, host.robot.mass_matrix(np.array(POSITION))) < 1e-12


async def _awaited(reply: Any) -> Any:
    return await reply


def test_every_service_has_its_result(client: DynamicsClient, host: Host) -> None:
    assert host.robot is not None
    q = np.array(POSITION)
    names = host.model.coordinate_names
    position = dict(zip(names, POSITION, strict=True))
    a = client.forward_dynamics(position, effort={names[0]: 5.0}, unnamed="zero_effort")
    tau = np.array([5.0, 0, 0, 0, 0, 0])
    assert error(a.acceleration, host.robot.forward_dynamics(q, np.zeros(6), tau)) < 1e-10
    assert [*a.by_name()] == [*names]
    mass = client.mass_matrix({names[2]: 0.9, names[1]: -1.1}, rest="neutral")
    assert mass.by_name()[names[1]][names[2]] == mass.matrix[1, 0]
    J = client.jacobian("tool0", position)
    assert error(J.matrix, host.robot.jacobian(q, "tool0")) < 1e-12
    np.testing.assert_array_equal(J.by_name()[names[3]], J.matrix[:, 3])
    bodies = client.body_motion(position, velocity=[1.0] * 6)
    motion = host.robot.body_motion(q, np.ones(6))
    assert error(bodies.position, motion.position) < 1e-12
    tool = motion.linear_velocity[host.model.body_index("tool0")]
    assert error(bodies.by_name("linear_velocity")["tool0"], tool) < 1e-12
    assert client.model_report().data["name"] == host.model.name
    client.set_payload("tool0", 2.0, name="box")
    loaded_terms = client.inverse_dynamics(POSITION).by_name("payload")
    client.clear_payload("box")
    assert abs(loaded_terms[names[1]]) > 1.0
    assert client.inverse_dynamics(POSITION).by_name("payload")[names[1]] == 0.0


def test_a_refused_request_raises_the_servers_reason(client: DynamicsClient) -> None:
    with pytest.raises(RequestRefusedError, match="position has length 1, but there are 6"):
        client.inverse_dynamics([0.0])
    with pytest.raises(RequestRefusedError, match="names lacks"):
        client.mass_matrix({"elbow_joint": 0.0})


@pytest.mark.parametrize("executor", [None, *EXECUTORS])
def test_without_a_server_the_error_names_the_service(user: Node, executor: type | None) -> None:
    def call() -> str:
        with pytest.raises(NoReplyError) as failure:
            client.inverse_dynamics(POSITION)
        return str(failure.value)

    with DynamicsClient(user, "nowhere", timeout=0.3) as client:
        text = call() if executor is None else from_a_timer(user, call, executor)
    assert "no server of /nowhere/inverse_dynamics within 0.3 s" in text


def test_names_are_resolved_as_the_nodes_own() -> None:
    context = Context()
    rclpy.init(context=context, args=["--ros-args", "-r", "renamed:=other", "-r", "__node:=me"])
    node = Node("user", context=context, namespace="cell")
    try:
        for server, expected in {
            "arm": "/cell/arm/jacobian",
            "/arm/": "/arm/jacobian",
        }.items():
            with (
                DynamicsClient(node, server, timeout=0.1) as client,
                pytest.raises(NoReplyError, match=f"no server of {expected} "),
            ):
                client.jacobian("tool0", POSITION)
        with DynamicsClient(node):
            names = [name for name in node.get_node_names() if name == "me"]
        assert names == ["me"]  # the rule for the node's name is not for the client's
    finally:
        node.destroy_node()
        rclpy.shutdown(context=context)


def test_two_clients_with_bursts_at_once(client: DynamicsClient, user: Node, host: Host) -> None:
    with DynamicsClient(user, timeout=DEADLINE) as other:
        pairs = [
            (client.inverse_dynamics_async(POSITION), other.mass_matrix_async(POSITION))
            for _ in range(100)
        ]
        for efforts, mass in pairs:
            assert error(efforts.result(DEADLINE).effort, gravity(host)) < 1e-12
            assert mass.result(DEADLINE).matrix.shape == (6, 6)


def test_waiting_in_a_callback_of_a_reply_is_refused(client: DynamicsClient) -> None:
    found: list[BaseException] = []
    done = threading.Event()

    def callback(_: Any) -> None:
        try:
            client.inverse_dynamics(POSITION)
        except ArgumentError as failure:
            found.append(failure)
        finally:
            done.set()

    client.inverse_dynamics_async(POSITION).add_done_callback(callback)
    assert done.wait(DEADLINE)
    assert "would wait for itself" in str(found[0])


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("nan")])
def test_a_timeout_is_a_positive_time(client: DynamicsClient, timeout: float) -> None:
    with pytest.raises(ArgumentError, match="timeout must be a positive number of seconds"):
        client.inverse_dynamics(POSITION, timeout=timeout)
