"""`robodyn demo` for real: its processes, its end, on a terminal and without one."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from node_process import DEADLINE, NodeProcess, wait_for_handlers
from robots import OWN_ROBOTS
from ros_graph import Graph

COMMAND = [sys.executable, "-u", "-m", "robodyn_ros.cli.main", "demo"]
PLAIN = [*COMMAND, "--source", "trajectory", "--no-viewer"]
FLOWING = r"joint states [1-9]\d*/s, transforms [1-9]\d*/s .* body states [1-9]\d*/s .* m/s\^2"
SIMULATED = r"body states [1-9]\d*/s, simulated \d+\.\d s at .* m/s\^2"


def children(process: NodeProcess) -> list[int]:
    """Return the processes that a process has started."""
    path = Path(f"/proc/{process.process.pid}/task/{process.process.pid}/children")
    return [int(pid) for pid in path.read_text().split()]


def assert_gone(pids: list[int]) -> None:
    end = time.monotonic() + DEADLINE
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < end, "the demo left processes behind"
        time.sleep(0.05)


@pytest.mark.parametrize("source", ["simulator", "trajectory"])
def test_it_shows_motion_ends_by_itself_and_says_how_to_see_more(graph: Graph, source: str) -> None:
    process = graph.run([*COMMAND, "--seconds", "15", "--source", source, "--port", "0"])
    address = process.wait_for("open http").split()[1]
    with urllib.request.urlopen(address, timeout=DEADLINE) as page:
        assert b"<html" in page.read()
    process.wait_for(FLOWING if source == "trajectory" else SIMULATED)
    pids = children(process)
    assert len(pids) == 3
    assert process.finish(60.0) == 0
    assert_gone(pids)
    assert process.lines(f"export ROS_DOMAIN_ID={os.environ['ROS_DOMAIN_ID']}")
    assert "robodyn report" in process.output
    assert ("/simulator/release" in process.output) == (source == "simulator")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_with_0_and_takes_its_nodes_along(graph: Graph, number: int) -> None:
    robot = str(OWN_ROBOTS / "every_joint.urdf")
    process = graph.run([*PLAIN, "--robot", robot, "--rate", "50"])
    process.wait_for("joint states")
    pids = children(process)
    assert len(pids) == 2
    assert process.stop(number) == 0
    assert_gone(pids)
    assert "Traceback" not in process.output
    assert "http" not in process.output


def test_a_node_that_dies_is_reported(graph: Graph) -> None:
    process = graph.run([*COMMAND, "--port", "0"])
    process.wait_for("open http")
    pids = children(process)
    os.kill(pids[0], signal.SIGKILL)
    assert process.finish() == 1
    assert process.lines("viewer ended with exit code -9")
    assert_gone(pids)


def test_a_port_that_is_taken_is_told_and_the_next_is_used(graph: Graph) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = graph.run([*COMMAND, "--port", str(port)])
        used = process.wait_for("open http").rpartition(":")[2]
        assert process.lines(f"port {port} is taken: the page is at port {used}")
        assert process.stop() == 0


def test_a_robot_that_does_not_load_is_one_line(graph: Graph, tmp_path: Path) -> None:
    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot name='x'><link name='a'/><link name='b'/></robot>")
    process = graph.run([*COMMAND, "--robot", str(bad)])
    assert process.finish() == 2
    (line,) = process.output.strip().splitlines()
    assert line.startswith("robodyn: ")
    assert "bad.urdf" in line


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3, 0.6, 0.9, 1.2, 1.6, 2.5])
def test_interrupted_at_any_moment_of_its_start_it_ends_with_0(
    graph: Graph, number: int, delay: float
) -> None:
    """The signal goes to the whole group, as Ctrl-C on a terminal does."""
    process = graph.run(["setsid", *COMMAND, "--port", "0"])
    wait_for_handlers(process.process.pid)
    time.sleep(delay)
    os.killpg(process.process.pid, number)
    assert process.finish() == 0, process.output
    for word in ("Traceback", "Error", "exit code"):
        assert word not in process.output


def test_a_file_that_never_ends_does_not_hold_it(graph: Graph, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.urdf"
    os.mkfifo(pipe)
    process = graph.run([*COMMAND, "--robot", str(pipe)])
    wait_for_handlers(process.process.pid)
    time.sleep(1.0)
    assert process.stop() == 0
    assert process.output == ""


@pytest.mark.parametrize("name", ["a #1.urdf", "b: c.urdf", "é'\"\\.urdf"])
def test_a_file_may_be_called_anything(graph: Graph, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text((OWN_ROBOTS / "every_joint.urdf").read_text())
    process = graph.run([*PLAIN, "--robot", str(path)])
    process.wait_for(r"body states [1-9]")
    assert process.stop() == 0


def test_a_file_name_that_ros_cannot_take_is_one_line(graph: Graph, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.urdf"
    Path(os.fsdecode(path)).write_text((OWN_ROBOTS / "every_joint.urdf").read_text())
    process = graph.run([*COMMAND, "--robot", os.fsdecode(path)])
    assert process.finish() == 2
    (line,) = process.output.splitlines()
    assert "not UTF-8" in line


def test_without_a_place_for_logs_it_says_what_to_set(graph: Graph) -> None:
    process = graph.run(["env", "-u", "HOME", "-u", "ROS_LOG_DIR", "-u", "ROS_HOME", *COMMAND])
    assert process.finish() == 1
    (line,) = process.output.splitlines()
    assert line.endswith("set HOME or ROS_LOG_DIR")


def read_terminal(descriptor: int, word: str = "") -> str:
    """Return what a terminal shows, without colours, up to a word or its last writer's end."""
    shown = bytearray()
    limit = time.monotonic() + DEADLINE
    with contextlib.suppress(OSError):  # how Linux says that nobody writes any more
        while not (word and word.encode() in shown) and time.monotonic() < limit:
            if select.select([descriptor], [], [], 1.0)[0]:
                shown += os.read(descriptor, 65536)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace"))


def test_on_a_terminal_it_is_a_table() -> None:
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "40"}
    command = [*COMMAND, "--port", "0"]
    with subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env=environment) as process:
        os.close(end)
        text = read_terminal(terminal, "tool_center_point")
        text += read_terminal(terminal, "open http")
        process.send_signal(signal.SIGINT)
        text += read_terminal(terminal)
    os.close(terminal)
    assert process.returncode == 0
    assert "tool_center_point" in text
    assert "|v| [m/s]" in text
