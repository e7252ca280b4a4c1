"""The executables' command line, before any ROS: help, unknown nodes, a missing ROS 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

from robodyn_ros.nodes.executables import NODES, main

WITHOUT_ROS = """
import sys
sys.modules["rclpy"] = None
from robodyn_ros.nodes.executables import main
sys.exit(main(["state_publisher"]))
"""


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_parameter_and_starts_nothing(
    name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, option]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: {name} ")
    assert "  robot_description_file (default '')\n" in said


def test_an_unknown_node_is_told_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nobody"]) == 2
    said = capsys.readouterr().err
    assert "'nobody'" in said
    assert all(name in said for name in NODES)


def test_without_ros_one_line_says_what_to_do() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_ROS], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "ROS 2 is not found" in line
    assert "make venv" in line
