"""The executables' command line, before any ROS: help, version, what is refused, no ROS 2."""

from __future__ import annotations

import os
import random
import shlex
import subprocess
import sys

import pytest
from rclpy.utilities import remove_ros_args

from node_process import node_command
from robodyn_ros import __version__
from robodyn_ros.nodes import executables
from robodyn_ros.nodes.command_line import own_arguments
from robodyn_ros.nodes.executables import NODES, main
from robodyn_ros.ros.parameter_tables import PARAMETERS
from robodyn_ros.ros.transport import TRANSPORTS
from ros_graph import Graph

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


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("others", [[], ["--ros-args", "-p", "rate:=5.0"], ["my.urdf"]])
def test_the_version_is_told_and_nothing_started(
    name: str, others: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--version", *others]) == 0
    assert capsys.readouterr().out == f"{name} {__version__}\n"


FILE = "give parameters after --ros-args, e.g. --ros-args -p robot_description_file:="
ANY_FILE = FILE + "/path/to/robot.urdf"
REFUSED = [
    (["my.urdf"], "my.urdf", FILE + "my.urdf"),
    (["a dir/my.URDF"], "a dir/my.URDF", FILE.replace("robot", "'robot") + "a dir/my.URDF'"),
    (["--urdf", "x"], "--urdf", ANY_FILE),
    (["--urdf", "my.xacro"], "--urdf", FILE + "my.xacro"),
    (["--urdf=my.urdf"], "--urdf=my.urdf", FILE + "my.urdf"),
    (["urdf:=my.urdf"], "urdf:=my.urdf", FILE + "my.urdf"),
    (["--robot_description_file", "x"], "--robot_description_file", FILE + "x"),
    (["--robot-description-file=x"], "--robot-description-file=x", FILE + "x"),
    (["robot_description_file:=x"], "robot_description_file:=x", FILE + "x"),
    (["robot_description_file"], "robot_description_file", FILE + "VALUE"),
    (
        ["joint_states:=/arm"],
        "joint_states:=/arm",
        "give names after --ros-args, e.g. --ros-args -r joint_states:=/arm",
    ),
    (["__ns:=/a"], "__ns:=/a", "give names after --ros-args, e.g. --ros-args -r __ns:=/a"),
    (["-p", "rate:=5"], "-p", "put --ros-args before it, e.g. --ros-args -p rate:=5"),
    (["--log-level", "debug"], "--log-level", "e.g. --ros-args --log-level debug"),
    (["-r"], "-r", "put --ros-args before it, e.g. --ros-args -r"),
    (["use_sim_time:=true"], "use_sim_time:=true", "e.g. --ros-args -p use_sim_time:=true"),
    (["--verbose"], "--verbose", ANY_FILE),
    (["-v"], "-v", ANY_FILE),
    (["--"], "--", ANY_FILE),
    ([" "], " ", ANY_FILE),
    (["--ros-args", "-p", "rate:=5.0", "--", "my.urdf"], "my.urdf", FILE + "my.urdf"),
    (["my.urdf", "--ros-args", "-r", "__ns:=/a"], "my.urdf", FILE + "my.urdf"),
]


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize(("arguments", "named", "remedy"), REFUSED, ids=lambda x: str(x)[:40])
def test_what_is_not_behind_ros_args_is_refused_in_one_line_with_the_remedy(
    name: str,
    arguments: list[str],
    named: str,
    remedy: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([name, *arguments]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith(f"{name}: unknown argument {named!r}; ")
    assert line.endswith(remedy)
    assert not said.out


@pytest.mark.parametrize("argument", ["x\ny", "x" * 5000, "\x1b[2J.urdf", "\ud800:=\n", "'\"$(x)"])
def test_an_argument_of_any_kind_is_told_in_one_short_line_that_prints(
    argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["state_publisher", argument]) == 2
    said = capsys.readouterr().err
    assert said.endswith("\n")
    assert said[:-1].isprintable()
    assert len(said) < 300


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("parameter", ["robot_description_file", "rate", "stale_after"])
def test_the_remedy_names_parameters_of_the_node_only(
    name: str, parameter: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, f"--{parameter}", "5.0"]) == 2
    told = f"-p {parameter}:=5.0" in capsys.readouterr().err
    assert told is (parameter in {spec.name for spec in PARAMETERS[name]})


def test_own_arguments_are_those_that_rclpy_leaves() -> None:
    pieces = ["my.urdf", "-p", "", "-v", "--x=1", "--ros-args", "--", "-r x:=y", "-p rate:=5.0"]
    chosen = random.Random(0)
    seen = set()
    for _ in range(500):
        arguments, inside = [], False
        for piece in chosen.choices(pieces, k=chosen.randrange(9)):
            is_rule = " " in piece
            if piece in ("--ros-args", "--"):
                inside = piece == "--ros-args"
            elif is_rule != inside:
                continue  # behind --ros-args ROS takes well-formed rules only
            arguments += piece.split(" ") if is_rule else [piece]
        found = own_arguments(arguments)
        assert ["program", *found] == remove_ros_args(["program", *arguments]), arguments
        seen.add(tuple(found))
    assert len(seen) > 100


def test_arguments_for_ros_alone_and_empty_ones_start_the_node(graph: Graph) -> None:
    command = node_command("state_publisher", None, "-r", "__ns:=/a", "--")
    process = graph.run([*command, "", "--ros-args", "-r", "__node:=b"])
    process.wait_for(r"\[a\.b\]: no robot description yet")
    assert process.stop() == 0


def test_the_executable_itself_refuses(graph: Graph) -> None:
    code = "import sys; from robodyn_ros.nodes.executables import {0}; sys.exit({0}())"
    for name in NODES:
        process = graph.run([sys.executable, "-c", code.format(name), "my.urdf"])
        assert process.finish() == 2
        (line,) = process.output.splitlines()
        assert line == f"{name}: unknown argument 'my.urdf'; {FILE}my.urdf"


def test_the_remedy_can_be_typed(graph: Graph) -> None:
    process = graph.run([*node_command("state_publisher")[:-1], "no such dir/robot.urdf"])
    assert process.finish() == 2
    remedy = shlex.split(process.output.rpartition("e.g. ")[2])
    process = graph.run([*node_command("state_publisher")[:-1], *remedy])
    assert process.finish() == 1
    assert "no such dir/robot.urdf" in process.output


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


@pytest.mark.parametrize("given", ["", "LARGE_DATA"])
def test_controllers_and_hardware_talk_by_udp_unless_the_user_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    found = {}

    def started(module: str, node_class: str, args: object) -> int:
        found[module.rpartition(".")[2]] = os.environ.get(TRANSPORTS, "")
        return 0

    monkeypatch.setattr(executables, "run", started)
    punctual = {"gravity_compensation", "computed_torque", "impedance"}
    punctual |= {"mujoco_simulator", "simulator"}
    for name in executables.NODES:
        monkeypatch.setenv(TRANSPORTS, given)  # what was there before comes back at the end
        if not given:
            monkeypatch.delenv(TRANSPORTS)
        assert executables.main([name]) == 0
    assert found == {
        name: given or ("UDPv4" if name in punctual else "") for name in executables.NODES
    }
