"""`~/inverse_dynamics` for Panda against an empty std_srvs/Trigger of the same process.

One node of another process serves both, so that the ratio is what the dynamics and its larger
messages cost over the middleware. Calls go in turn, one of each, from one client node.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import rclpy
from rclpy.client import Client
from rclpy.executors import Executor, SingleThreadedExecutor
from rclpy.node import Node
from robodyn_interfaces.srv import InverseDynamics
from std_srvs.srv import Trigger

import robodyn_ros as rd
from benchmarks.robots import ROBOTS
from benchmarks.state_path.processes import module

CALLS = 3000
"""Of each service, distinct states; a few hundred before them are not counted."""
QUICK_CALLS = 20
WARM_UP = 300
TOLERANCE = 1e-10
DEADLINE = 60.0
TRIGGER = "/dynamics_server/trigger"
INVERSE_DYNAMICS = "/dynamics_server/inverse_dynamics"


@dataclass(frozen=True)
class RoundTrip:
    """Seconds of every call of both services, in turn."""

    ours: np.ndarray
    empty: np.ndarray

    def percentiles(self, share: float) -> tuple[float, float]:
        """Return a percentile of both, s."""
        return float(np.percentile(self.ours, share)), float(np.percentile(self.empty, share))


def round_trip_figures(calls: int = CALLS) -> Iterator[str]:
    """Yield the table."""
    figure = round_trip(calls)
    yield f"### Round trip of a service, {calls} calls of each in turn, ms\n"
    yield "| | `~/inverse_dynamics`, Panda | empty `std_srvs/Trigger` | ratio |"
    yield "|---|---|---|---|"
    for share in (50, 99):
        ours, empty = figure.percentiles(share)
        yield f"| p{share} | {ours * 1e3:.3f} | {empty * 1e3:.3f} | {ours / empty:.2f} |"


def round_trip(calls: int) -> RoundTrip:
    """Measure; the answers of the first calls are held against the library first."""
    rclpy.init()
    try:
        node = rclpy.create_node("round_trip")
        with module("benchmarks.service_round_trip", ["serve"]):
            return _measured(node, calls)
    finally:
        rclpy.try_shutdown()


def _measured(node: Node, calls: int) -> RoundTrip:
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    ours = node.create_client(InverseDynamics, INVERSE_DYNAMICS)
    empty = node.create_client(Trigger, TRIGGER)
    for client in (ours, empty):
        if not client.wait_for_service(DEADLINE):
            raise SystemExit(f"no server of {client.srv_name} within {DEADLINE} s")
    robot = rd.load(_panda(), compile="off")
    names = list(robot.model.coordinate_names)
    rng = np.random.default_rng(0)
    states = rng.uniform(-1.5, 1.5, (WARM_UP + calls, 3, len(names)))
    for q, v, a in states[:20]:
        reply = _call(executor, ours, _request(names, q, v, a))
        expected = robot.inverse_dynamics(q, v, a)
        if not (reply.success and np.max(np.abs(expected - reply.effort)) < TOLERANCE):
            raise SystemExit(f"the reply differs from the library's: {reply}")
    times = np.empty((len(states), 2))
    for row, (q, v, a) in enumerate(states):
        request = _request(names, q, v, a)
        begin = time.perf_counter()
        _call(executor, ours, request)
        middle = time.perf_counter()
        _call(executor, empty, Trigger.Request())
        times[row] = middle - begin, time.perf_counter() - middle
    return RoundTrip(*times[WARM_UP:].T)


def _request(
    names: list[str], q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> InverseDynamics.Request:
    return InverseDynamics.Request(
        names=names, position=q.tolist(), velocity=v.tolist(), acceleration=a.tolist()
    )


def _call(executor: Executor, client: Client, request: object) -> Any:
    future = client.call_async(request)
    end = time.monotonic() + DEADLINE
    while not future.done() and time.monotonic() < end:
        executor.spin_once(timeout_sec=1.0)
    reply = future.result() if future.done() else None
    if reply is None:
        raise SystemExit(f"no reply from {client.srv_name}")
    return reply


def _panda() -> str:
    return str(next(ROBOTS.rglob("panda.urdf")))


def serve() -> None:
    """Serve both in one node until the process is ended."""
    from robodyn_ros.nodes.dynamics_server import DynamicsServer

    rclpy.init(args=["--ros-args", "-p", f"robot_description_file:={_panda()}"])
    node = DynamicsServer()
    node.create_service(Trigger, "~/trigger", lambda _, reply: reply)
    robot = node.path.robot if node.path is not None else None
    if robot is None or not robot.compile("effort_terms"):
        raise SystemExit("no kernel for inverse dynamics")
    with contextlib.suppress(KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        rclpy.spin(node)
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        print("\n".join(round_trip_figures()))
