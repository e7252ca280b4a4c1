"""Nodes end quietly, at any moment, and say in one line why they do not start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sensor_msgs.msg import JointState

from node_process import NodeProcess, node_command, wait_for_handlers
from publisher_setup import ARM
from robodyn_ros import load
from ros_graph import Graph, joint_state
from tf2_msgs.msg import TFMessage

SIGNALS = [signal.SIGINT, signal.SIGTERM]


def assert_quiet_end(process: NodeProcess, number: int) -> None:
    assert process.stop(number) == 0, process.output
    for word in ("Traceback", "Error", "Exception", "terminate"):
        assert word not in process.output


@contextmanager
def traffic(publisher: Any, rate: float) -> Iterator[None]:
    """Publish joint states from a thread of its own, whatever else happens."""
    joints = load(ARM, compile="off").model.joint_names
    over = threading.Event()

    def run() -> None:
        angle = 0.0
        while not over.wait(1.0 / rate):
            angle += 1e-4
            publisher.publish(joint_state(joints, [angle] * len(joints), stamp=time.time()))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_in_mid_traffic_ends_a_state_publisher_quietly(graph: Graph, number: int) -> None:
    """Ten of them, one after the other, while 200 joint states a second come."""
    publisher = graph.publisher(JointState, "joint_states")
    nodes = []
    for k in range(10):
        rules = (f"__node:=n{k}", f"/tf:=/tf{k}", f"robot_description:=robot{k}")
        more = (x for rule in rules for x in ("-r", rule))
        nodes.append(graph.start("state_publisher", {"robot_description_file": ARM}, *more))
    with traffic(publisher, 200.0):
        for k, node in enumerate(nodes):
            tf = graph.listen(TFMessage, f"/tf{k}")
            graph.wait(lambda: len(tf) > 5, "transforms")  # noqa: B023 - called at once
            assert_quiet_end(node, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_demo_quietly(graph: Graph, number: int) -> None:
    states = graph.listen(JointState, "joint_states")
    process = graph.start("joint_trajectory_demo", {"robot_description_file": ARM})
    graph.wait(lambda: len(states) > 20, "joint states")
    assert_quiet_end(process, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_during_the_start_ends_a_node_quietly(graph: Graph, number: int) -> None:
    """At many moments, of many nodes that start together."""
    delays = [0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.2]
    nodes = []
    for delay in delays:
        node = graph.start("state_publisher", {"robot_description_file": ARM})
        wait_for_handlers(node.process.pid)
        nodes.append((time.monotonic() + delay, node))
    for due, node in sorted(nodes, key=lambda x: x[0]):
        time.sleep(max(0.0, due - time.monotonic()))
        node.process.send_signal(number)
    for _, node in nodes:
        assert_quiet_end(node, number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_step_of_the_start_that_never_ends_is_cut_off(
    graph: Graph, tmp_path: Path, number: int
) -> None:
    """A pipe that is held open and nobody writes to."""
    pipe = tmp_path / "pipe.urdf"
    os.mkfifo(pipe)
    process = graph.start("state_publisher", {"robot_description_file": pipe})
    held: list[int] = []

    def is_read() -> bool:
        try:
            held.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    graph.wait(is_read, "the node to read its description")
    assert_quiet_end(process, number)
    os.close(held[0])


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_waiting_for_a_description_ends_a_node_quietly(
    graph: Graph, number: int
) -> None:
    process = graph.start("state_publisher")
    process.wait_for("waiting for one on /robot_description")
    assert_quiet_end(process, number)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", "velocity_source:=x"], "velocity_source must be one of message, filtered, got 'x'"),
        (["-p", "publish_frequency:=-1.0"], "publish_frequency out of range .* value: -1.0"),
        (["-p", "velocity_source:=" + "x" * 10_000], r"got 'x{57}\.\.\.'"),
        (["--bogus"], "unknown arguments behind --ros-args: '--bogus'"),
    ],
)
def test_a_wrong_command_line_is_one_clear_line(
    graph: Graph, arguments: list[str], said: str
) -> None:
    process = graph.start("state_publisher", None, *arguments)
    assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert re.search(rf": .*{said}$", line)


def test_without_a_place_for_logs_it_says_what_to_set(graph: Graph) -> None:
    command = ["env", "-u", "HOME", "-u", "ROS_LOG_DIR", "-u", "ROS_HOME"]
    process = graph.run([*command, *node_command("state_publisher")])
    assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert line.endswith("set HOME or ROS_LOG_DIR")


def test_a_node_that_is_none_is_one_line(graph: Graph) -> None:
    process = graph.start("bogus")
    assert process.finish() == 2
    (line,) = process.output.splitlines()
    assert "'bogus' is no node" in line


HELD = """
import os, signal, threading
from robodyn_ros.ros.stop_signals import StopSignals

stop = StopSignals(later_grace=0.2)
threading.Thread(target=threading.Event().wait).start()
stop.note_only()
os.kill(os.getpid(), signal.SIGTERM)
assert stop.asked
stop.ignore()
"""


def test_a_thread_that_does_not_end_does_not_hold_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HELD], capture_output=True, timeout=60.0, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
