"""Messages over real DDS: all of them, in order, to the thread or to the executor."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time

import pytest
from rclpy.duration import Duration
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from std_msgs.msg import String, UInt32

from hot_receiver import DEPTH, RELIABLE, Receiver, connected, send, spinning
from node_process import DEADLINE
from robodyn_ros.ros.hot_subscription import HotSubscription
from ros_graph import Graph

BOTH = pytest.mark.parametrize("threaded", [True, False], ids=["thread", "executor"])


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
    assert publisher.wait_for_all_acked(Duration(seconds=DEADLINE))
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
    assert publisher.wait_for_all_acked(Duration(seconds=DEADLINE))
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


def test_it_says_what_it_subscribes_to_and_which_numbers_came(node: Node, graph: Graph) -> None:
    got: list[str] = []
    numbers: list[int] = []
    hot = HotSubscription(
        node,
        String,
        "words",
        RELIABLE,
        lambda messages: got.extend(deserialize_message(x, String).data for x in messages),
        numbered=numbers.append,
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
    publisher.publish(String(data="again"))
    graph.wait(lambda: len(got) == 2, "another word")
    assert numbers == [1, 2]
    hot.stop()
