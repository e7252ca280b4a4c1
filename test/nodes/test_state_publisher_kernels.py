"""What state_publisher says of the compilation of its kernels: when it begins, when it is over."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from mini_robot import robot
from node_process import NodeProcess, node_command
from publisher_setup import ARM, newest_status
from ros_graph import Graph

BEGIN = "kernels are being compiled for it, as none are kept from an earlier start; plain functions"
READY = r"kernels ready after (\d+\.\d) s$"


def start(graph: Graph, cache: Path, *more: str, **parameters: Any) -> NodeProcess:
    """Start a state publisher whose kernels are kept in a directory of the test's own."""
    command = node_command("state_publisher", parameters, *more)
    return graph.run(command, XDG_CACHE_HOME=str(cache))


def test_the_first_start_is_told_with_its_end_and_the_next_one_is_not(
    graph: Graph, tmp_path: Path
) -> None:
    """Also where simulated time stands still, and whatever the period of the diagnostics."""
    options = {"robot_description_file": ARM, "use_sim_time": True}
    process = start(graph, tmp_path, **options, diagnostics_period=3600.0)
    ready = process.wait_for(READY)
    (begun,) = process.lines(BEGIN)
    for line in (begun, ready):
        assert line.startswith("[INFO]")
        assert "robot 'demo_arm': " in line
    assert float(re.search(READY, ready).group(1)) > 0.0
    lines = process.output.splitlines()
    assert lines.index(begun) < lines.index(ready)
    assert process.stop() == 0

    diagnostics = graph.listen(DiagnosticArray, "/diagnostics")
    process = start(graph, tmp_path, **options, diagnostics_period=0.2)

    def state() -> dict[str, str]:
        status: DiagnosticStatus = newest_status(diagnostics, "robot description")
        return {value.key: value.value for value in status.values}

    graph.wait(lambda: state().get("kernel state_step") == "compiled", "the kernel that is kept")
    assert not process.lines("kernel")


def test_every_description_is_told_by_name(graph: Graph, tmp_path: Path) -> None:
    process = start(graph, tmp_path, robot_description_file=ARM)
    process.wait_for(BEGIN)
    changed = graph.set_parameters("/state_publisher", robot_description=robot(hand=True))
    assert changed == [(True, "")]
    process.wait_for(f"robot 'mini': {READY}")
    assert [line.split("robot ")[1][:10] for line in process.lines(BEGIN)] == [
        "'demo_arm'",
        "'mini': ke",
    ]


def test_where_no_kernel_can_be_made_that_is_told(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "casadi.py").write_text("raise ImportError('broken for a test')\n")
    command = node_command("state_publisher", {"robot_description_file": ARM})
    process = graph.run(command, XDG_CACHE_HOME=str(tmp_path), PYTHONPATH=str(tmp_path))
    line = process.wait_for("no kernels to be had")
    assert line.startswith("[WARN]")
    assert line.endswith(
        "robot 'demo_arm': no kernels to be had; plain functions go on serving, more slowly"
    )
    assert process.lines("broken for a test")
    assert process.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_kernels_are_compiled_ends_the_node_quietly(
    graph: Graph, tmp_path: Path, number: int
) -> None:
    process = start(graph, tmp_path, robot_description_file=ARM)
    process.wait_for(BEGIN)
    assert process.stop(number) == 0
    assert not process.lines("Traceback|Error|WARN")
