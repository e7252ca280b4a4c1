"""A ROS graph to test on: real node processes, real topics over DDS, waits with deadlines.

Everything stays on this machine, on a domain that no other test process uses.
"""

from __future__ import annotations

import itertools
import os
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
os.environ.pop("ROS_STATIC_PEERS", None)
os.environ.setdefault("RCUTILS_LOGGING_BUFFERED_STREAM", "0")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # node processes start faster with what is kept
for _name in ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE"):
    os.environ[_name] = str(Path(__file__).with_name("quick_discovery.xml"))
#: Bound as long as this process lives: no other test process takes the same domain.
DOMAIN_LOCK = socket.socket()


def _own_domain() -> int:
    first = 1 + os.getpid() % 90
    for domain in [*range(first, 91), *range(1, first)]:
        try:
            DOMAIN_LOCK.bind(("127.0.0.1", 21000 + domain))
        except OSError:
            continue
        return domain
    raise RuntimeError("all ROS domains for tests are taken")


os.environ["ROS_DOMAIN_ID"] = str(_own_domain())

import rclpy  # noqa: E402 - reads the environment above
from builtin_interfaces.msg import Time  # noqa: E402
from rcl_interfaces.msg import Parameter as ParameterMessage  # noqa: E402
from rcl_interfaces.msg import ParameterType, ParameterValue  # noqa: E402
from rcl_interfaces.srv import SetParameters  # noqa: E402
from rclpy.context import Context  # noqa: E402
from rclpy.executors import SingleThreadedExecutor  # noqa: E402
from rclpy.node import Node  # noqa: E402
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy  # noqa: E402
from sensor_msgs.msg import JointState  # noqa: E402

from node_process import DEADLINE, NodeProcess, node_command  # noqa: E402

RELIABLE = QoSProfile(depth=1000, reliability=ReliabilityPolicy.RELIABLE)
LATCHED = QoSProfile(
    depth=1,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)


_NUMBERS = itertools.count(1)


class Inbox(list[Any]):
    """The messages of one subscription, in the order of arrival."""


class Graph:
    """A test's own node, and the processes and topics that it deals with."""

    def __init__(self) -> None:
        self._context = Context()
        rclpy.init(context=self._context)
        self.node = Node(f"test_graph_{next(_NUMBERS)}", context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self.processes: list[NodeProcess] = []
        self._clients: dict[tuple[Any, str], Any] = {}
        self._last_stamp = 0

    def close(self) -> None:
        """End all processes and leave the graph."""
        for process in self.processes:
            process.discard()
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def start(self, name: str, parameters: dict[str, Any] | None = None, *more: str) -> NodeProcess:
        """Start an executable with parameters and further ROS arguments; its imports are done."""
        process = NodeProcess(node_command(name, parameters, *more), forked=True)
        self.processes.append(process)
        return process

    def run(self, command: Sequence[str], **environment: str) -> NodeProcess:
        """Start any command; it is ended with the graph."""
        process = NodeProcess(command, environment)
        self.processes.append(process)
        return process

    def listen(self, kind: type, topic: str, qos: QoSProfile = RELIABLE) -> Inbox:
        """Subscribe and return where messages arrive."""
        inbox = Inbox()
        self.node.create_subscription(kind, topic, inbox.append, qos)
        return inbox

    def publisher(self, kind: type, topic: str, qos: QoSProfile = RELIABLE) -> Any:
        """Return a publisher."""
        return self.node.create_publisher(kind, topic, qos)

    def spin(self, seconds: float) -> None:
        """Handle messages for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            self._executor.spin_once(timeout_sec=left)

    def wait(self, condition: Callable[[], Any], what: str, timeout: float = DEADLINE) -> None:
        """Handle messages until a condition holds; fail with all output when it never does."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                said = "\n---\n".join(process.output for process in self.processes)
                raise AssertionError(f"waited {timeout} s in vain for {what}; output:\n{said}")
            self._executor.spin_once(timeout_sec=0.02)

    def holds(self, condition: Callable[[], Any], *, within: float) -> bool:
        """Handle messages until a condition holds; return whether it did within so many s."""
        end = time.monotonic() + within
        while not condition():
            if (left := end - time.monotonic()) <= 0.0:
                return False
            self._executor.spin_once(timeout_sec=min(left, 0.02))
        return True

    def connect(self, publisher: Any, count: int = 1) -> None:
        """Wait until a publisher has its subscribers."""
        topic = publisher.topic_name
        self.wait(
            lambda: publisher.get_subscription_count() >= count, f"{count} subscribers of {topic}"
        )

    def hear(self, topic: str, count: int = 1) -> None:
        """Wait until a topic has publishers, and they had time to see our subscription."""
        self.wait(lambda: self.node.count_publishers(topic) >= count, f"publishers of {topic}")

    def call(self, service: Any, name: str, request: Any) -> Any:
        """Call a service and return the reply."""
        client = self._clients.get((service, name))
        if client is None:
            client = self._clients[service, name] = self.node.create_client(service, name)
        self.wait(client.service_is_ready, f"service {name}")
        future = client.call_async(request)
        self.wait(future.done, f"the reply of {name}")
        return future.result()

    def set_parameters(self, node: str, **values: Any) -> list[tuple[bool, str]]:
        """Set parameters of a node; return for each whether it was taken, and why not."""
        request = SetParameters.Request(
            parameters=[
                ParameterMessage(name=name, value=parameter_value(value))
                for name, value in values.items()
            ]
        )
        reply = self.call(SetParameters, f"{node}/set_parameters", request)
        return [(result.successful, result.reason) for result in reply.results]

    def stamp(self) -> float:
        """Return a time in s, later than any that was returned before: the clock, but strict."""
        now = max(time.time(), self._last_stamp + 1e-3)
        self._last_stamp = now
        return now


def parameter_value(value: Any) -> ParameterValue:
    """Return a bool, int, float, str, list of floats or None as a message."""
    if isinstance(value, bool):
        return ParameterValue(type=ParameterType.PARAMETER_BOOL, bool_value=value)
    if isinstance(value, int):
        return ParameterValue(type=ParameterType.PARAMETER_INTEGER, integer_value=value)
    if isinstance(value, float):
        return ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value)
    if isinstance(value, str):
        return ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=value)
    if isinstance(value, list):
        kind = ParameterType.PARAMETER_DOUBLE_ARRAY
        return ParameterValue(type=kind, double_array_value=value)
    return ParameterValue()


def joint_state(
    names: Sequence[str],
    position: Sequence[float] = (),
    velocity: Sequence[float] = (),
    *,
    stamp: float = 0.0,
    effort: Sequence[float] = (),
) -> JointState:
    """Return a joint state with a stamp in s."""
    message = JointState(
        name=list(names),
        position=[float(x) for x in position],
        velocity=[float(x) for x in velocity],
        effort=[float(x) for x in effort],
    )
    message.header.stamp = time_message(stamp)
    return message


def time_message(stamp: float) -> Time:
    """Return a stamp in s as a message."""
    total = round(stamp * 1e9)
    return Time(sec=total // 10**9, nanosec=total % 10**9)


def seconds(time: Time) -> float:
    """Return a message's stamp in s."""
    return float(time.sec + time.nanosec / 1e9)
