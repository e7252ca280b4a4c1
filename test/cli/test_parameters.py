"""`--set`: parameters of a mechanism file, in every command that reads a robot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robodyn_ros.cli.main import COMMANDS, main

FILE = str(Path(__file__).parents[2] / "examples" / "double_pendulum.yaml")

EXTRA = {
    "animate": ["--time", "0.01"],
    "convert": ["{folder}/out.urdf"],
    "export": ["--c", "{folder}/c", "--functions", "gravity_force"],
    "view": ["--port", "0", "--seconds", "0"],
}
"""What a command needs beside the robot, and is quick with."""

WITH_ROBOT = [name for name in COMMANDS if name not in ("demo", "identify", "replay")]
"""What the others read is tested with them: they come by their robot otherwise."""


def call(command: str, robot: str, folder: Path, *options: str) -> int:
    extra = [word.format(folder=folder) for word in EXTRA.get(command, [])]
    return main([command, robot, *extra, *options])


@pytest.mark.parametrize("command", WITH_ROBOT)
def test_every_command_takes_parameters_and_refuses_unknown_ones(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(command, FILE, tmp_path, "--set", "m1=2", "--set", "m2 = 2.5") in (0, 1)
    assert capsys.readouterr().out
    assert call(command, FILE, tmp_path, "--set", "mm1=2") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no parameter is called 'mm1'; available: m1" in line
    assert line.endswith("; did you mean 'm1'?")


@pytest.mark.parametrize("command", WITH_ROBOT)
def test_a_robot_without_parameters_is_one_line(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(command, "demo_arm", tmp_path, "--set", "m1=2") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("only a mechanism file has parameters, and this is none; leave out 'm1'")


def test_the_values_are_those_of_the_robot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", FILE, "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert main(["report", FILE, "--json", "--set", "m2=3"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert after["total_mass"] == pytest.approx(before["total_mass"] + 2.0)
    assert main(["torque", FILE, "--json", "--set", "m2=3"]) == 0
    assert json.loads(capsys.readouterr().out)["mass"] == after["total_mass"]
    path = tmp_path / "two.urdf"
    assert main(["convert", FILE, str(path), "--set", "m2=3"]) == 0
    assert '<mass value="3.4"/>' in path.read_text()


def test_a_check_is_of_the_values_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", FILE]) == 0
    assert main(["check", FILE, "--set", "m2=0", "--set", "rod_mass_2=0"]) == 1
    assert "[singular]" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["m1", "=1", "m1=", "m1=heavy", " =1", "m1=1=2"])
def test_what_is_no_name_and_number_is_refused(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", FILE, "--set", word]) == 2
    assert "--set must be NAME=VALUE with a number" in capsys.readouterr().err


def test_a_value_beyond_all_bounds_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", FILE, "--set", "m1=inf"]) == 2
    assert "parameter 'm1' must be a finite number, got inf" in capsys.readouterr().err
