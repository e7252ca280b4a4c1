"""state_publisher and whatever bytes come on joint_states: through its own handler, out over DDS.

Other tests say what is made of each fault. These say what never happens, whatever comes: an error,
a number that is not finite in anything that is published, memory that grows.
"""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rclpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from robodyn_interfaces.msg import BodyStateArray
from visualization_msgs.msg import MarkerArray

import published_bytes
from fault_injection import malformed, sound_nonsense
from node_process import DEADLINE
from robodyn_ros.nodes.state_publisher import StatePublisher
from tf2_msgs.msg import TFMessage

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"
COUNT = int(os.environ.get("ROBODYN_FUZZ_STATES", "20000"))
"""Malformed states; 100,000 take two minutes, and as many go through the state path elsewhere."""
MOST_AT_ONCE = 16
"""Messages that wait together; twice as many as are published of a backlog."""
SHARE_OF_WARM_UP = 0.2
GROWTH = 4 << 20
"""Bytes that the process may grow by; what is kept of 16,000 messages would be 10 MB at least."""
DEEP = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)


def memory() -> int:
    """Return the bytes of this process that are in memory."""
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def numbers(message: Any) -> Iterator[float]:
    """Yield all floats of a message."""
    if hasattr(message, "get_fields_and_field_types"):
        for name in message.get_fields_and_field_types():
            yield from numbers(getattr(message, name))
    elif isinstance(message, (list, tuple)):
        for item in message:
            yield from numbers(item)
    elif isinstance(message, float):
        yield message


def _of_transforms(data: bytes) -> list[float]:
    return [number for each in published_bytes.transforms(data) for number in each.pose]


def _of_bodies(data: bytes) -> list[float]:
    message = published_bytes.bodies(data)
    return [number for body in message.bodies for number in (*body.motion, body.age)]


def _of_markers(data: bytes) -> list[float]:
    # No text or count looks like it, so what does not either need not be read: it takes 20 ms.
    words = np.frombuffer(data, dtype="<f8", offset=4, count=(len(data) - 4) // 8)
    finite = bool(np.isfinite(words).all())
    return [] if finite else list(numbers(deserialize_message(data, MarkerArray)))


class Listener:
    """Takes all that the node publishes, as bytes, and checks it.

    Attributes:
        seen: Messages by topic.
    """

    def __init__(self, context: Context) -> None:
        self._node = rclpy.create_node("listener", context=context)
        topics: dict[str, tuple[Any, Callable[[bytes], list[float]]]] = {
            "/tf": (TFMessage, _of_transforms),
            "/state_publisher/body_states": (BodyStateArray, _of_bodies),
            "/state_publisher/visualization": (MarkerArray, _of_markers),
        }
        self._streams = {
            topic: (self._node.create_subscription(kind, topic, len, DEEP, raw=True), read)
            for topic, (kind, read) in topics.items()
        }
        self.seen = dict.fromkeys(topics, 0)

    def take(self) -> None:
        """Take and check what has come."""
        for topic, (subscription, read) in self._streams.items():
            while (
                taken := subscription.handle.take_message(subscription.msg_type, True)
            ) is not None:
                self.seen[topic] += 1
                found = np.array(read(taken[0]))
                assert np.isfinite(found).all(), f"{topic}: {taken[0]!r}"

    def destroy(self) -> None:
        """Leave the graph."""
        self._node.destroy_node()


class Rig:
    """The node in this process, its kernel in use, and who listens to it.

    Attributes:
        node: The node.
        names: Its joints.
        listener: Who subscribes to what it publishes.
    """

    def __init__(self) -> None:
        rclpy.init(args=["--ros-args", "-p", f"robot_description_file:={ARM}"])
        self.node = StatePublisher()
        self.listener = Listener(rclpy.get_default_context())
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        path = self.node.path
        assert path is not None
        self.names = path.plan.slots.names
        assert path.stepper.prepare(wait=True), "this machine compiles kernels"
        self._wait(
            lambda: all(
                x.get_subscription_count()
                for x in self.node.publishers
                if x.topic_name in self.listener.seen
            )
        )

    def _wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end
            self._executor.spin_once(timeout_sec=0.02)

    def send(self, data: list[bytes]) -> None:
        """Hand bytes to the node as its subscription does, let its timers run, take what came."""
        self.node._joint_states_received(data)
        self._executor.spin_once(timeout_sec=0.0)
        self.listener.take()

    def close(self) -> None:
        """End the node and leave the graph."""
        self._executor.shutdown()
        self.listener.destroy()
        self.node.destroy_node()
        rclpy.try_shutdown()


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.close()


def test_malformed_states_by_the_thousand(rig: Rig) -> None:
    rng = random.Random(20)
    sent, baseline = 0, 0
    while sent < COUNT:
        batch = [malformed(rig.names, rng) for _ in range(rng.randint(1, MOST_AT_ONCE))]
        rig.send(batch)
        sent += len(batch)
        if not baseline and sent > SHARE_OF_WARM_UP * COUNT:
            baseline = memory()
    growth = memory() - baseline
    assert growth < GROWTH, f"{growth / 2**20:.1f} MB more after {sent} messages"
    assert min(rig.listener.seen.values()) > 100, rig.listener.seen


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.binary(max_size=300), min_size=1, max_size=12), st.integers(0, 2**32))
def test_any_bytes_among_sound_nonsense(rig: Rig, data: list[bytes], seed: int) -> None:
    rng = random.Random(seed)
    rig.send([*data, *(b"\0\1\0\0" + x for x in data), sound_nonsense(rig.names, rng)])
