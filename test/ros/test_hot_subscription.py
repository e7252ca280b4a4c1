"""The hot subscription over real DDS: in this process, with a second one, and at its end."""

from __future__ import annotations

import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from std_msgs.msg import String, UInt32

from robodyn_ros.ros.hot_subscription import JOIN_TIMEOUT, HotSubscription
from ros_graph import DEADLINE, Graph

#: Room for a second, should the machine be busy with something else for as long.
DEPTH = 1000
RELIABLE = QoSProfile(depth=DEPTH, reliability=ReliabilityPolicy.RELIABLE)
#: A publisher with room for all it sends, so that a slow reader slows nothing down for good.
SENDER = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)
#: How long an end may take; the wait is woken, so most of it is the machine's other load.
AT_ONCE = 0.2
BOTH = pytest.mark.parametrize("threaded", [True, False], ids=["thread", "executor"])


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


@pytest.fixture
def context() -> Iterator[Context]:
    context = Context()
    rclpy.init(context=context)
    yield context
    rclpy.try_shutdown(context=context)


@pytest.fixture
def node(context: Context) -> Iterator[Node]:
    node = Node("receiver", context=context)
    yield node
    node.destroy_node()


@pytest.fixture
def graph() -> Iterator[Graph]:
    graph = Graph()
    yield graph
    graph.close()


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


@BOTH
def test_every_message_at_1000_hz_arrives_once_and_in_order(
    node: Node, graph: Graph, threaded: bool
) -> None:
    receiver = Receiver(node, threaded=threaded)
    publisher = connected(graph)
    with spinning(node):
        receiver.hot.start()
        assert (receiver.hot.mode, bool(receiver.hot.reason)) == (
            ("thread", False) if threaded else ("executor", True)
        )
        send(publisher, 3000)
        receiver.wait(lambda: len(receiver.numbers) >= 3000)
        receiver.hot.stop()
    assert receiver.numbers == list(range(3000))
    assert max(map(len, receiver.calls)) <= DEPTH
    assert min(map(len, receiver.calls)) >= 1


SENDER_PROGRAM = """
    import sys, time, rclpy
    from rclpy.node import Node
    from rclpy.qos import QoSProfile, ReliabilityPolicy
    from std_msgs.msg import UInt32
    rclpy.init()
    node = Node("sender")
    qos = QoSProfile(depth=5000, reliability=ReliabilityPolicy.RELIABLE)
    publisher = node.create_publisher(UInt32, "hot", qos)
    while publisher.get_subscription_count() == 0:
        time.sleep(0.01)
    start, count = time.perf_counter(), int(sys.argv[1])
    for i in range(count):
        publisher.publish(UInt32(data=i))
        while (left := start + (i + 1) / 1000 - time.perf_counter()) > 0.0:
            time.sleep(left)
    print("sent", flush=True)
    sys.stdin.read()
"""


def test_every_message_of_another_process_arrives_once_and_in_order(node: Node) -> None:
    receiver = Receiver(node)
    receiver.hot.start()
    program = [sys.executable, "-c", textwrap.dedent(SENDER_PROGRAM), "3000"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as sender:
        assert sender.stdout is not None
        assert sender.stdout.readline() == b"sent\n"
        receiver.wait(lambda: len(receiver.numbers) >= 3000)
        sender.kill()
    receiver.hot.stop()
    assert receiver.numbers == list(range(3000))
    assert receiver.hot.mode == "thread"


def test_messages_that_wait_come_in_one_call_oldest_first(node: Node, graph: Graph) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def act(numbers: list[int]) -> None:
        entered.set()
        assert go_on.wait(DEADLINE)

    receiver = Receiver(node, act=act)
    publisher = connected(graph)
    receiver.hot.start()
    publisher.publish(UInt32(data=0))
    assert entered.wait(DEADLINE)
    send(publisher, 20, first=1)
    time.sleep(0.1)
    go_on.set()
    receiver.wait(lambda: len(receiver.numbers) >= 21)
    receiver.hot.stop()
    assert receiver.calls == [[0], list(range(1, 21))]


def test_one_call_brings_at_most_the_depth(node: Node, graph: Graph) -> None:
    entered, go_on = threading.Event(), threading.Event()

    def act(numbers: list[int]) -> None:
        entered.set()
        assert go_on.wait(DEADLINE)

    receiver = Receiver(node, act=act, qos=QoSProfile(depth=5, reliability=RELIABLE.reliability))
    publisher = connected(graph)
    receiver.hot.start()
    publisher.publish(UInt32(data=0))
    assert entered.wait(DEADLINE)
    send(publisher, 20, first=1)
    time.sleep(0.1)
    go_on.set()
    receiver.wait(lambda: len(receiver.calls) >= 2)
    receiver.hot.stop()
    # DDS kept the newest ones.
    assert receiver.calls[:2] == [[0], list(range(16, 21))]


def test_the_executor_never_sees_it(node: Node, graph: Graph) -> None:
    receiver = Receiver(node)
    publisher = connected(graph)
    receiver.hot.start()
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    executor.spin_once(timeout_sec=0.0)
    turns = []

    def turn() -> None:
        start = time.monotonic()
        executor.spin_once(timeout_sec=0.5)
        turns.append(time.monotonic() - start)

    thread = threading.Thread(target=turn)
    thread.start()
    send(publisher, 200)
    thread.join(DEADLINE)
    receiver.wait(lambda: len(receiver.numbers) >= 200)
    receiver.hot.stop()
    executor.shutdown()
    # Any work would have ended the turn early.
    assert turns[0] >= 0.49
    assert thread.ident not in receiver.threads


def test_without_a_thread_the_executor_serves_it_after_start_and_not_before(
    node: Node, graph: Graph
) -> None:
    receiver = Receiver(node, threaded=False)
    publisher = connected(graph)
    with spinning(node):
        send(publisher, 10)
        time.sleep(0.2)
        assert receiver.numbers == []
        receiver.hot.start()
        receiver.wait(lambda: len(receiver.numbers) >= 10)
        assert receiver.numbers == list(range(10))
        receiver.hot.stop()
        send(publisher, 10)
        time.sleep(0.2)
        assert len(receiver.numbers) == 10


def test_in_an_executor_of_many_threads_the_order_stays(node: Node, graph: Graph) -> None:
    receiver = Receiver(node, threaded=False)
    publisher = connected(graph)
    with spinning(node, MultiThreadedExecutor(3, context=node.context)):
        receiver.hot.start()
        send(publisher, 500)
        receiver.wait(lambda: len(receiver.numbers) >= 500)
        receiver.hot.stop()
    assert receiver.numbers == list(range(500))


@BOTH
def test_stopping_without_traffic_is_immediate_and_may_be_repeated(
    node: Node, threaded: bool
) -> None:
    receiver = Receiver(node, threaded=threaded)
    receiver.hot.start()
    receiver.hot.start()
    time.sleep(0.05)
    start = time.monotonic()
    receiver.hot.stop()
    assert time.monotonic() - start < AT_ONCE
    receiver.hot.stop()
    assert not [x for x in threading.enumerate() if x.name.startswith("hot ")]
    with pytest.raises(RuntimeError, match="was stopped"):
        receiver.hot.start()


def test_stopping_in_traffic_is_immediate_and_final(node: Node, graph: Graph) -> None:
    receiver = Receiver(node)
    publisher = connected(graph)
    receiver.hot.start()
    sender = threading.Thread(target=send, args=(publisher, 1000))
    sender.start()
    receiver.wait(lambda: len(receiver.numbers) >= 100)
    start = time.monotonic()
    receiver.hot.stop()
    took, count = time.monotonic() - start, len(receiver.numbers)
    sender.join(DEADLINE)
    assert took < AT_ONCE
    assert len(receiver.numbers) == count < 1000
    node.destroy_node()


def test_it_may_be_stopped_before_it_started_and_by_its_handler(node: Node, graph: Graph) -> None:
    HotSubscription(node, UInt32, "other", RELIABLE, lambda messages: None).stop()
    receiver = Receiver(node, act=lambda numbers: receiver.hot.stop())
    publisher = connected(graph)
    receiver.hot.start()
    publisher.publish(UInt32(data=7))
    receiver.wait(lambda: receiver.numbers)
    publisher.publish(UInt32(data=8))
    time.sleep(0.1)
    assert receiver.numbers == [7]


def test_a_handler_that_hangs_does_not_keep_stop(node: Node, graph: Graph) -> None:
    go_on = threading.Event()
    receiver = Receiver(node, act=lambda numbers: go_on.wait(DEADLINE))
    publisher = connected(graph)
    receiver.hot.start()
    publisher.publish(UInt32(data=1))
    receiver.wait(lambda: receiver.calls)
    start = time.monotonic()
    receiver.hot.stop()
    assert JOIN_TIMEOUT <= time.monotonic() - start < JOIN_TIMEOUT + 1.0
    publisher.publish(UInt32(data=2))
    go_on.set()
    time.sleep(0.1)
    assert receiver.numbers == [1]


@BOTH
def test_a_handler_that_raises_is_survived_and_said_once(
    node: Node, graph: Graph, threaded: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    def act(numbers: list[int]) -> None:
        raise ValueError("odd\nnews")

    receiver = Receiver(node, threaded=threaded, act=act)
    publisher = connected(graph)
    with spinning(node):
        receiver.hot.start()
        send(publisher, 200)
        receiver.wait(lambda: len(receiver.numbers) >= 200)
        receiver.hot.stop()
    said = [x for x in capfd.readouterr().err.splitlines() if "odd news" in x]
    assert len(said) == 1
    assert "handling /hot failed" in said[0]
    assert receiver.numbers == list(range(200))


def test_callbacks_of_the_executor_go_on_and_may_share_a_lock(node: Node, graph: Graph) -> None:
    lock, ticks = threading.Lock(), []

    def act(numbers: list[int]) -> None:
        with lock:
            time.sleep(1e-4)

    def tick() -> None:
        with lock:
            ticks.append(time.monotonic())

    receiver = Receiver(node, act=act)
    publisher = connected(graph)
    node.create_timer(0.005, tick)
    with spinning(node):
        receiver.hot.start()
        send(publisher, 1000)
        receiver.wait(lambda: len(receiver.numbers) >= 1000)
        receiver.hot.stop()
    assert receiver.numbers == list(range(1000))
    assert len(ticks) > 50


def test_a_shutdown_of_the_context_ends_the_thread(
    node: Node, graph: Graph, capfd: pytest.CaptureFixture[str]
) -> None:
    out = node.create_publisher(String, "out", 10)
    receiver = Receiver(node, act=lambda numbers: out.publish(String(data="x")))
    publisher = connected(graph)
    receiver.hot.start()
    sender = threading.Thread(target=send, args=(publisher, 500))
    sender.start()
    receiver.wait(lambda: len(receiver.numbers) >= 100)
    rclpy.shutdown(context=node.context)
    end = time.monotonic() + AT_ONCE
    while [x for x in threading.enumerate() if x.name == "hot /hot"]:
        assert time.monotonic() < end
        time.sleep(0.005)
    sender.join(DEADLINE)
    receiver.hot.stop()
    assert "Traceback" not in (said := capfd.readouterr().err)
    assert "failed" not in said


def test_a_subscription_that_is_destroyed_ends_the_thread(node: Node, graph: Graph) -> None:
    receiver = Receiver(node)
    connected(graph)
    receiver.hot.start()
    node.destroy_node()
    end = time.monotonic() + DEADLINE
    while [x for x in threading.enumerate() if x.name == "hot /hot"]:
        assert time.monotonic() < end
        time.sleep(0.005)
    receiver.hot.stop()


def test_an_rclpy_without_the_wait_set_leaves_it_to_the_executor(
    node: Node, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rclpy.impl.implementation_singleton import rclpy_implementation

    real = rclpy_implementation.WaitSet
    monkeypatch.delattr(rclpy_implementation, "WaitSet")
    receiver = Receiver(node)
    assert receiver.hot.mode == "executor"
    assert "AttributeError" in receiver.hot.reason
    assert "WaitSet" in receiver.hot.reason
    monkeypatch.setattr(rclpy_implementation, "WaitSet", real, raising=False)
    publisher = connected(graph)
    with spinning(node):
        receiver.hot.start()
        send(publisher, 100)
        receiver.wait(lambda: len(receiver.numbers) >= 100)
        receiver.hot.stop()
    assert receiver.numbers == list(range(100))


def test_a_wait_that_fails_later_leaves_it_to_the_executor(
    node: Node, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver = Receiver(node)
    publisher = connected(graph)

    def broken(most: int) -> list[bytes]:
        monkeypatch.undo()
        raise OSError("no more waiting")

    monkeypatch.setattr(receiver.hot, "_take", broken)
    with spinning(node):
        receiver.hot.start()
        receiver.wait(lambda: receiver.hot.mode == "executor" or publisher.publish(UInt32(data=1)))
        assert receiver.hot.reason == "waiting failed: OSError: no more waiting"
        count = len(receiver.numbers)
        receiver.wait(lambda: len(receiver.numbers) > count or publisher.publish(UInt32(data=2)))
        receiver.hot.stop()


def test_it_says_what_it_subscribes_to(node: Node, graph: Graph) -> None:
    got: list[str] = []
    hot = HotSubscription(
        node,
        String,
        "words",
        RELIABLE,
        lambda messages: got.extend(deserialize_message(x, String).data for x in messages),
    )
    assert hot.topic_name == "/words"
    assert hot.qos_profile is RELIABLE
    # The node has no waitables of it: events of QoS are not listened for.
    assert not list(next(x for x in node.subscriptions if x.topic_name == "/words").event_handlers)
    publisher = graph.publisher(String, "words")
    graph.connect(publisher)
    hot.start()
    publisher.publish(String(data="grüße"))
    graph.wait(lambda: got == ["grüße"], "the word")
    hot.stop()


SIGNALLED_PROGRAM = """
    import sys, rclpy
    from rclpy.executors import ExternalShutdownException
    from rclpy.node import Node
    from rclpy.qos import QoSProfile, ReliabilityPolicy
    from std_msgs.msg import String, UInt32
    from robodyn_ros.ros.hot_subscription import HotSubscription
    rclpy.init()
    node = Node("receiver")
    out = node.create_publisher(String, "out", 10)
    count = 0
    def handle(messages):
        global count
        for _ in messages:
            out.publish(String(data="x" * 100))
            count += 1
            if count == 200:
                print("busy", flush=True)
    qos = QoSProfile(depth=64, reliability=ReliabilityPolicy.RELIABLE)
    hot = HotSubscription(node, UInt32, "hot", qos, handle)
    hot.start()
    print("ready", flush=True)
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    if "untidy" not in sys.argv:
        hot.stop()
        node.destroy_node()
        rclpy.try_shutdown()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda x: x.name)
@pytest.mark.parametrize("how", ["tidy", "untidy", "idle"])
def test_a_signal_ends_the_process_quietly(graph: Graph, number: int, how: str) -> None:
    receiver = graph.run([sys.executable, "-c", textwrap.dedent(SIGNALLED_PROGRAM), how])
    receiver.wait_for("ready")
    publisher = connected(graph)
    sending = threading.Event()
    sending.set()

    def flood() -> None:
        while sending.is_set():
            send(publisher, 10)

    sender = threading.Thread(target=flood)
    if how != "idle":
        sender.start()
        receiver.wait_for("busy")
    start = time.monotonic()
    code = receiver.stop(number)
    took = time.monotonic() - start
    sending.clear()
    if how != "idle":
        sender.join(DEADLINE)
    assert code == 0, receiver.output
    assert receiver.output.split() in (["ready", "busy"], ["ready"])
    assert took < JOIN_TIMEOUT
