"""`robodyn report`: as a person or a script calls it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from robodyn_ros import load
from robodyn_ros.cli.main import main
from robots import OWN_ROBOTS

ARM = Path(__file__).parents[2] / "urdf" / "demo_arm.urdf"


def test_text_names_the_robot_and_all_of_its_bodies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(ARM)]) == 0
    out, err = capsys.readouterr()
    model = load(ARM, compile="off").model
    assert "demo_arm" in out
    assert all(name in out for name in model.body_names)
    assert err == ""


def test_json_is_the_models_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(ARM), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == load(ARM, compile="off").report().to_dict()


def test_another_root_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    path = OWN_ROBOTS / "skew_axes.urdf"
    last = load(path, compile="off").model.body_names[-1]
    assert main(["report", str(path), "--json", "--root", last]) == 0
    assert json.loads(capsys.readouterr().out)["root"] == last


@pytest.mark.parametrize("name", ["/no/such.urdf", str(OWN_ROBOTS)])
def test_what_cannot_be_loaded_is_one_line_and_exit_code_2(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert line.startswith("robodyn: ")
    assert name in line


@pytest.mark.parametrize("name", ["ur5", "demo_arm"])
def test_a_robot_goes_by_its_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", name]) == 0
    assert capsys.readouterr().out.startswith(f"robot {name}: ")


def test_a_link_that_is_not_there_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(ARM), "--root", "nowhere"]) == 2
    assert "'nowhere'" in capsys.readouterr().err


def test_it_needs_no_ros() -> None:
    code = (
        "import sys; sys.modules['rclpy'] = None\n"
        "from robodyn_ros.cli.main import main\n"
        f"sys.exit(main(['report', {str(ARM)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "demo_arm" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m robodyn_ros.cli.main report {ARM} --json | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{"
    assert done.stderr == ""


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A robot whose name has letters beyond ASCII."""
    path = tmp_path / "robot.urdf"
    path.write_text(
        "<robot name='caf\u00e9 \u6a5f'><link name='\u6a5f'/></robot>", encoding="utf-8"
    )
    return path


def report(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "robodyn_ros.cli.main", "report", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        encoding=environment["PYTHONIOENCODING"],
        check=True,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_letters_that_the_output_has_not_are_escaped(foreign: Path, encoding: str) -> None:
    text = report(str(foreign), PYTHONIOENCODING=encoding)
    assert "\\u6a5f" in text.stdout
    assert text.stderr == ""
    data = report(str(foreign), "--json", PYTHONIOENCODING=encoding)
    assert json.loads(data.stdout) == load(foreign, compile="off").report().to_dict()


@pytest.mark.parametrize("arguments", [f"report {ARM}", f"report {ARM} --json", "--help"])
def test_an_output_that_is_full_is_one_line(arguments: str) -> None:
    python = f"env -u PYTHONUNBUFFERED {sys.executable}"
    command = f"{python} -m robodyn_ros.cli.main {arguments} > /dev/full"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("robodyn: ")
    assert "No space left" in line
