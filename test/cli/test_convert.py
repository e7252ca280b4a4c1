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
    [("arm.txt", "OUTPUT must end in"), ("nowhere/arm.urdf", "No such file or directory")],
)
def test_bad_outputs(
    output: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", "demo_arm", str(tmp_path / output)]) != 0
    assert text in capsys.readouterr().err


def test_a_name_that_no_file_has_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "demo_arm", "a\0b.urdf"]) == 2
    assert "cannot be the name of a file" in capsys.readouterr().err
