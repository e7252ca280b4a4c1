"""`robodyn convert`: files written, losses told, exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

import robodyn_ros as rd
from robodyn_ros.cli.main import main


def test_urdf_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.urdf"
    assert main(["convert", "demo_arm", str(path), "--strict"]) == 0
    assert "8 coordinates" in capsys.readouterr().out
    assert rd.load(path, compile="off").model.nv == 8


def test_what_closes_a_mechanism_is_lost_and_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "four_bar.urdf"
    file = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
    assert main(["convert", str(file), str(path)]) == 0
    told = capsys.readouterr()
    assert "lost: loop joint 'rocker_pin'" in told.err
    assert "4 bodies, 3 coordinates" in told.out
    assert rd.load(path, compile="off").model.nv == 3


def test_losses_are_told_and_strict_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "arm.json"
    assert main(["convert", "demo_arm", str(path)]) == 0
    assert "lost: " in capsys.readouterr().err
    path.unlink()
    assert main(["convert", "demo_arm", str(path), "--strict"]) == 1
    assert not path.exists()


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("arm.txt", "must end in .urdf or .mat or .json"),
        ("nowhere/arm.json", "there is no folder"),
        ("folder.json", "is a folder"),
        ("a\0b.urdf", "cannot be the name of a file"),
    ],
)
def test_an_output_that_cannot_be_is_told_before_anything_else(
    output: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder.json").mkdir()
    assert main(["convert", "demo_arm", str(tmp_path / output)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert text in line
