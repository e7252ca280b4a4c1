"""A hot subscription under test: what it received, who sent it, who spins its node."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from std_msgs.msg import UInt32

from node_process import DEADLINE
from robodyn_ros.ros.hot_subscription import HotSubscription
from ros_graph import Graph

#: Room for a second, should the machine be busy with something else for as long.
DEPTH = 1000
RELIABLE = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.RELIABLE)
#: A publisher with room for all it sends, so that a slow reader slows nothing down for good.
SENDER = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)
#: How long an end may take; the wait is woken, so most of it is the machine's other load.
AT_ONCE = 0.2


def number(message: bytes) -> int:
    return int(struct.unpack_from("<I", message, 4)[0])


class Receiver:
    """A hot subscription that notes the numbers it gets, and the thread that spins its node."""

    def __init__(
        self,
        node: Node,
        *,
        threaded: bool = True,
        act: Callable[[list[int]], None] | None = None,
        qos: QoSProfile = RELIABLE,
    ) -> None:
        self.calls: list[list[int]] = []
        self._act = act or (lambda numbers: None)
        self.threads: set[int] = set()
        self.hot = HotSubscription(node, UInt32, "hot", qos, self._take, threaded=threaded)

    def _take(self, messages: list[bytes]) -> None:
        self.threads.add(threading.get_ident())
        self.calls.append([number(x) for x in messages])
        self._act(self.calls[-1])

    @property
    def numbers(self) -> list[int]:
        """All that came, in its order."""
        return [x for call in self.calls for x in call]

    def wait(self, condition: Callable[[], Any]) -> None:
        """Wait for what the subscription's thread does."""
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f"got {len(self.numbers)} messages and no more"
            time.sleep(0.002)


@contextmanager
def spinning(node: Node, executor: Any = None) -> Iterator[Any]:
    executor = executor or SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin, daemon=True)
    thread.start()
    yield executor
    executor.shutdown()
    thread.join(DEADLINE)
    assert not thread.is_alive()


def connected(graph: Graph) -> Any:
    publisher = graph.publisher(UInt32, "hot", SENDER)
    graph.connect(publisher)
    return publisher


def send(publisher: Any, count: int, rate: float = 1000.0, first: int = 0) -> None:
    start = time.perf_counter()
    for i in range(count):
        publisher.publish(UInt32(data=first + i))
        while (left := start + (i + 1) / rate - time.perf_counter()) > 0.0:
            time.sleep(left)
